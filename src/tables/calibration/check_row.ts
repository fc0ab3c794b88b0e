// Checks single rows of the calibration.

import { decodeMeasured } from './measured.ts';
import {
  BEFORE,
  decodeFactors,
  decodeTests,
  FACTORS,
  keyOfTrack,
  MEASURED,
  PRIOR,
  REGION,
  TRACK,
  VOTES,
} from './rows.ts';
import { decodeBefore, decodeOpenTrack, type OpenTrack } from './tracks.ts';
import { decodeVoters } from './votes.ts';

/** Bytes of a key by its first byte, at least. */
const KEY_BYTES: ReadonlyMap<number, number> = new Map([
  [TRACK, 13],
  [BEFORE, 9],
  [REGION, 3],
  [VOTES, 4],
  [FACTORS, 4],
  [MEASURED, 6],
  [PRIOR, 2],
]);

/**
 * The fault of a row; undefined if it has none.
 * @param progress number of the last report that took effect
 */
export function problemWithRow(key: Buffer, value: Buffer, progress: number): string | undefined {
  const length = KEY_BYTES.get(key[0]);
  if (length === undefined || key.length < length || (key[0] !== BEFORE && key.length > length))
    return 'its key is none of the calibration';
  try {
    if (key[0] === VOTES) decodeVoters(value);
    else if (key[0] === FACTORS || key[0] === PRIOR) decodeFactors(value);
    else if (key[0] === MEASURED) decodeMeasured(value);
    else if (key[0] === REGION) decodeTests(value);
    else if (key[0] === BEFORE) decodeBefore(value);
    else if (key[0] === TRACK) return problemWithTrack(key, decodeOpenTrack(value), progress);
  } catch (error) {
    return (error as Error).message.replace(/^.*? is damaged: |\.$/g, '');
  }
  return undefined;
}

function problemWithTrack(key: Buffer, track: OpenTrack, progress: number): string | undefined {
  if (!key.equals(keyOfTrack(track.contributor, track.first))) return 'its key is that of another track';
  return track.sequence <= progress
    ? undefined
    : `its report ${track.sequence} has not taken effect: the last that has is ${progress}`;
}
