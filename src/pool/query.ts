// A query as the pool sees it, wherever it is computed.

import type { QueryMemory } from '../radio/query/memory.ts';
import type { QueryWriter } from '../radio/query/writer.ts';

/** A query under way. It is written once, and its answer is read once. */
export interface Query<T> {
  /** Upper bound of its observations. */
  readonly observations: number;
  /** WANTS_* bits: which texts to add to the position. */
  readonly wants: number;
  /** Writes the query at `offset`. */
  write(writer: QueryWriter, offset: number): void;
  /** Reads the answer from the struct at `offset` of `memory`, which is valid only during the call. */
  read(memory: QueryMemory, offset: number): T;
}
