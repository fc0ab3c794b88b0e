// Multiplies the radii of an estimate by what tests have shown them to be worth (src/learning/calibration/): by the
// factors for its group in its region, or else for its group everywhere, or for the less well known part of what its
// group is. What was never tested keeps the radii of the source, which are priors.

import { EVERYWHERE, placeOfVotes, regionAt } from '../../tables/calibration/rows.ts';
import type { Estimate } from './estimate.ts';
import type { PositionRecorder } from './recorder.ts';

/** Changes the radii. @param factors for 50, 68 and 95 %, by `placeOfVotes` */
export function calibrate(
  estimate: Estimate,
  factors: ReadonlyMap<number, readonly number[]>,
  recorder?: PositionRecorder,
): void {
  const { group, latitude, longitude, tail } = estimate;
  const found =
    factors.get(placeOfVotes(group, regionAt(latitude, longitude))) ??
    factors.get(placeOfVotes(group, EVERYWHERE)) ??
    (group % 2 === 1 ? factors.get(placeOfVotes(group - 1, EVERYWHERE)) : undefined);
  if (found === undefined) return;
  const [at50, at68, at95] = found;
  recorder?.calibrated(estimate, at50);
  estimate.cxx *= at50 * at50;
  estimate.cxy *= at50 * at50;
  estimate.cyy *= at50 * at50;
  // A larger share never has a smaller radius.
  const wider = Math.max(1, (tail.at68 * at68) / at50);
  estimate.tail = { at68: wider, at95: Math.max(wider, (tail.at95 * at95) / at50) };
}
