// A query for stations by their keys alone, for tests and benchmarks of lookups.

import { AGE_ABSENT, SIGNAL_ABSENT } from '../../../src/radio/query/layout.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryReader, setFlags } from '../../../src/radio/query/reader.ts';
import { QueryWriter, queryBytes } from '../../../src/radio/query/writer.ts';

/**
 * Makes a query of `count` observations.
 * @param writeKey writes the key of station `i` at byte `at`
 * @param flags FLAG_* bits of each observation
 */
export function queryOfKeys(
  count: number,
  writeKey: (bytes: Uint8Array, at: number, i: number) => void,
  flags = 0,
): QueryReader {
  const memory = new QueryMemory(new ArrayBuffer(queryBytes(count)));
  const writer = new QueryWriter(memory);
  writer.begin(0);
  for (let i = 0; i < count; i++) {
    writer.addWifi(0, SIGNAL_ABSENT, 0, AGE_ABSENT, 0);
    writeKey(memory.u8, writer.at(i), i);
    setFlags(memory, writer.at(i), flags);
  }
  writer.end();
  return new QueryReader(memory, 0);
}
