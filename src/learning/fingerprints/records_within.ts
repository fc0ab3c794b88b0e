// The records of which the map of a building is made, where it has more than fit. Imports and trusted keys come before
// others, so that nobody can crowd them out, and the newest before older ones.

import type { ReadingSource } from './placed_record.ts';

/** A row of the table. */
interface Row {
  key: Buffer;
  /** Valid until the next row is read. */
  record: Uint8Array;
}

/** What is kept of a row until all are known. */
interface Ranked {
  isTrusted: boolean;
  timeMs: number;
  bytes: number;
}

/**
 * Picks records.
 * @param rowsOf walks through all rows, the same each time
 * @param bytesMax bytes of the records that are picked at most
 * @returns copies of those that were picked, in their order, and the number of the others
 * @throws Error when a record is damaged
 */
export function recordsWithin(
  rowsOf: () => Iterable<Row>,
  bytesMax: number,
  source: ReadingSource,
): { rows: Row[]; beyond: number } {
  let bytes = 0;
  for (const { record } of rowsOf()) bytes += record.length;
  const picked = bytes <= bytesMax ? undefined : pick(rowsOf(), bytesMax, source);
  const rows: Row[] = [];
  let number = 0;
  for (const { key, record } of rowsOf()) {
    if (picked === undefined || picked.has(number)) rows.push({ key, record: Uint8Array.from(record) });
    number++;
  }
  return { rows, beyond: number - rows.length };
}

function pick(rows: Iterable<Row>, bytesMax: number, source: ReadingSource): Set<number> {
  const ranked = Array.from(rows, ({ record }): Ranked => {
    const { isTrusted, timeMs } = source.decode(record);
    // Without a time it counts as old.
    return { isTrusted, timeMs: Number.isNaN(timeMs) ? 0 : timeMs, bytes: record.length };
  });
  // Among equals what came last stays.
  const order = Uint32Array.from(ranked.keys()).sort(
    (a, b) => Number(ranked[b].isTrusted) - Number(ranked[a].isTrusted) || ranked[b].timeMs - ranked[a].timeMs || b - a,
  );
  const picked = new Set<number>();
  let bytes = 0;
  for (const number of order) {
    bytes += ranked[number].bytes;
    if (bytes > bytesMax) break;
    picked.add(number);
  }
  return picked;
}
