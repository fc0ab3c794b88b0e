// Finds the positions of a batch in the bytes of its body, a list. Only the list itself must be valid here: a position that does not parse gets an error in its
// place.

import { ApiError, ERRORS } from '../errors.ts';
import { parseBody } from './body.ts';
import { ListScan } from './list_scan.ts';

/** Most positions of one batch. */
export const POSITIONS_MAX = 10_000;
/** The list is the body. */
const LIST_LEVEL = 1;

/**
 * Finds the bytes of each position, step by step, so that the caller can do other work in between.
 * @returns views of the body
 * @throws ApiError parseError when the body is not a list, or too long
 */
export function* findPositions(bytes: Buffer): Generator<undefined, Buffer[]> {
  const scan = new ListScan(bytes, LIST_LEVEL);
  const positions: Buffer[] = [];
  for (let found = scan.next(); found !== 'end'; found = scan.next()) {
    if (found === 'element') positions.push(bytes.subarray(scan.start, scan.end));
    if (positions.length > POSITIONS_MAX) throw new ApiError(ERRORS.parseError, `The body has more than ${POSITIONS_MAX} positions.`);
    if (found === 'pause' || positions.length % STEP_POSITIONS === 0) yield;
  }
  if (!Array.isArray(parseBody(scan.rest()))) throw new ApiError(ERRORS.parseError, 'The body must be an array of positions.');
  return positions;
}
/** Positions found in a step, if they are short. */
const STEP_POSITIONS = 100;
