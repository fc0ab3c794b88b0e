// The split: by track, never by sample, because scans of one drive lie a second apart and would be their own answer.

import { createHash } from 'node:crypto';

const FOLDS = 5;

/** The fold of a track, 0..4: the same for everybody who evaluates on the same tracks. */
export function foldOf(track: string): number {
  return Number.parseInt(createHash('sha1').update(track).digest('hex').slice(0, 8), 16) % FOLDS;
}
