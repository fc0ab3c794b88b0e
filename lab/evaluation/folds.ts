// Splits by track, never by scan: the scans of one drive are a second apart, so a neighbour in training would be the
// answer.

import { createHash } from 'node:crypto';

const FOLDS = 5;

/** The fold of a track, 0..4. It depends on the name of the track only, so everybody has the same split. */
export function foldOf(track: string): number {
  return Number.parseInt(createHash('sha1').update(track).digest('hex').slice(0, 8), 16) % FOLDS;
}
