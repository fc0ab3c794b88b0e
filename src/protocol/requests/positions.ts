// Finds the positions of a batch in the bytes of its body, a list. Only the list itself must be valid here: a position
// that does not parse gets an error in its place.

import { ApiError, ERRORS } from '../errors.ts';
import { parseBody } from './body.ts';
import { ListScan } from './list_scan.ts';

/** Most positions of one batch. */
export const POSITIONS_MAX = 10_000;
/** The list is the body. */
const LIST_LEVEL = 1;

/**
 * Where the positions of a batch begin and end in its body. Views of all of them would be 10,000 objects that live as
 * long as the batch.
 */
export class FoundPositions {
  /** Number of positions. */
  length = 0;
  private readonly bytes: Buffer;
  private readonly bounds: Uint32Array;

  /** @param bytes of the body */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    // Each position has at least a comma or a bracket.
    this.bounds = new Uint32Array(2 * Math.min(POSITIONS_MAX, bytes.length));
  }

  /** Adds a position. @throws ApiError parseError when there are too many */
  add(start: number, end: number): void {
    if (this.length === POSITIONS_MAX)
      throw new ApiError(ERRORS.parseError, `The body has more than ${POSITIONS_MAX} positions.`);
    const at = 2 * this.length++;
    this.bounds[at] = start;
    this.bounds[at + 1] = end;
  }

  /** The bytes of a position, a view of the body. @param i from 0 */
  bytesOf(i: number): Buffer {
    return this.bytes.subarray(this.bounds[2 * i], this.bounds[2 * i + 1]);
  }
}

/**
 * Finds each position, step by step, so that the caller can do other work in between.
 * @throws ApiError parseError when the body is not a list, or too long
 */
export function* findPositions(bytes: Buffer): Generator<undefined, FoundPositions> {
  const scan = new ListScan(bytes, LIST_LEVEL);
  const positions = new FoundPositions(bytes);
  for (let found = scan.next(); found !== 'end'; found = scan.next()) {
    if (found === 'element') positions.add(scan.start, scan.end);
    if (found === 'pause' || positions.length % STEP_POSITIONS === 0) yield;
  }
  if (!Array.isArray(parseBody(scan.rest())))
    throw new ApiError(ERRORS.parseError, 'The body must be an array of positions.');
  return positions;
}
/** Positions found in a step, if they are short. */
const STEP_POSITIONS = 100;
