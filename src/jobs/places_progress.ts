// Progress of an import of places. Its phases have different units and take different parts of the time. So each phase
// has a share, and progress is the share of the whole, with an estimate of the remaining time.

import type { ImportExtracts } from '../geocoding/import/import_extracts.ts';
import type { PlacesPhase, Progress } from './job.ts';

/** Shares of the time in thousandths, in the order of the phases. Measured on extracts of Liechtenstein and Malta. */
const SHARES: readonly [PlacesPhase, number][] = [
  ['relations', 20],
  ['nodes', 110],
  ['ways', 90],
  ['rings', 10],
  ['areas', 20],
  ['survey', 50],
  ['roads', 200],
  ['addresses', 250],
  ['places', 150],
  ['index', 100],
];
const WHOLE = 1_000;
/** Before this much is done, there is no estimate of the remaining time. */
const LEAST_DONE = 20;

/**
 * Turns the progress of phases into that of the whole.
 * @param now milliseconds of a clock that never goes back
 */
export function followPlaces(
  onProgress: (progress: Progress) => void,
  now: () => number = () => performance.now(),
): ImportExtracts['onProgress'] {
  const started = now();
  return ({ phase, done, total }) => {
    const bytesDone = shareBefore(phase) + shareOf(phase) * (total === 0 ? 1 : Math.min(1, done / total));
    const progress: Progress = { phase, rows: done, bytesDone, bytesTotal: WHOLE };
    if (bytesDone >= LEAST_DONE) progress.secondsLeft = ((now() - started) / 1_000) * (WHOLE / bytesDone - 1);
    onProgress(progress);
  };
}

function shareOf(phase: PlacesPhase): number {
  return SHARES.find(([name]) => name === phase)![1];
}

function shareBefore(phase: PlacesPhase): number {
  const at = SHARES.findIndex(([name]) => name === phase);
  return SHARES.slice(0, at).reduce((sum, [, share]) => sum + share, 0);
}
