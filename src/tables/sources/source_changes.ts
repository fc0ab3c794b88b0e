// What a source that goes, or comes again with other contents, changes in the tables. Of several sources that have a
// station the latest counts. So where a source lets a station go, the latest of the others shows through; if none has
// it, the station is removed.
//
//   before a --12345-- b ---345678- c -----6- imported in this order; the tables have 1a 2a 3b 4b 5b 6c 7b 8b
//   without b                                                     3 4 5 become those of a; 6 stays c's; 7 and 8 go

import type { RecordBatch } from '../stations/merge.ts';
import { STATION_BYTES } from '../stations/record_layout.ts';
import { RecordCursor, type RecordFile } from './record_file.ts';

const BATCH_RECORDS = 2 ** 14;

/** The sources that take part. */
interface SourcesOfChange {
  /** The source as it was. */
  before: RecordFile;
  /** The source as it will be, then the latest of all; undefined when it goes. */
  after: RecordFile | undefined;
  /** The others imported before it, and after it, each in the order of their import. */
  earlier: readonly RecordFile[];
  later: readonly RecordFile[];
}

/** Yields the changes as records in key order; a removal is a record of zeros (`isRemoval`). */
export function* changesOfSource({ before, after, earlier, later }: SourcesOfChange): Generator<RecordBatch> {
  const { keyBytes } = before;
  const batch = { bytes: Buffer.alloc(BATCH_RECORDS * (keyBytes + STATION_BYTES)), count: 0 };
  const add = (cursor: RecordCursor, isRemoved: boolean): void => {
    const to = batch.count * (keyBytes + STATION_BYTES);
    cursor.bytes.copy(batch.bytes, to, cursor.at, cursor.at + keyBytes + STATION_BYTES);
    if (isRemoved) batch.bytes.fill(0, to + keyBytes, to + keyBytes + STATION_BYTES);
    batch.count++;
  };
  const old = new RecordCursor(before);
  const now = after && new RecordCursor(after);
  const below = earlier.map(file => new RecordCursor(file)).reverse();
  const above = later.map(file => new RecordCursor(file));
  while (!old.isAtEnd || (now !== undefined && !now.isAtEnd)) {
    const order = old.isAtEnd ? 1 : now === undefined || now.isAtEnd ? -1 : old.compare(now);
    if (order >= 0) add(now!, false);
    else if (!above.some(cursor => cursor.seek(old))) {
      const winner = below.find(cursor => cursor.seek(old));
      add(winner ?? old, winner === undefined);
    }
    if (order <= 0) old.advance();
    if (order >= 0) now!.advance();
    if (batch.count < BATCH_RECORDS) continue;
    yield batch;
    batch.count = 0;
  }
  if (batch.count > 0) yield batch;
}
