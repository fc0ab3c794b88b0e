// Multiplies the radii of an estimate by the factors that tests have measured (src/learning/calibration/): those of its
// group in its region, or else of its group everywhere, or of the less well known part of its group. An untested group
// keeps the radii of the source code, which are priors.

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
