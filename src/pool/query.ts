// One query as the pool sees it, wherever it is computed.

import type { QueryMemory } from '../radio/query/memory.ts';
import type { QueryWriter } from '../radio/query/writer.ts';

/** A query on its way: written once, and read once when it is answered. */
export interface Query<T> {
  /** Upper bound of its observations. */
  readonly observations: number;
  /** WANTS_* bits: what is to be told about the place. */
  readonly wants: number;
  /** Writes the query at `offset`. */
  write(writer: QueryWriter, offset: number): void;
  /** Reads the answer out of the struct at `offset` of `memory`, which is valid during the call only. */
  read(memory: QueryMemory, offset: number): T;
}
