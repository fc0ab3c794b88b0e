// What a folder of 0.3 has imported. That version kept no sources, so all of its cells count as one source, and all of
// its access points as another.

import { isCell, KIND_WIFI } from '../../radio/kind.ts';
import { buildTime, type Generation } from '../stations/generation.ts';
import { KnowledgeTables } from '../stations/knowledge.ts';
import type { RecordBatch } from '../stations/merge.ts';
import { STATION_BYTES } from '../stations/record_layout.ts';
import { isLearned } from '../stations/station.ts';
import { keyBytesOfSource, type Source, type SourceKind } from './sources.ts';

const BATCH_RECORDS = 2 ** 14;

/** A source without a file. */
export type EarlierSource = Omit<Source, 'file'>;

/** The sources of a folder that has none, dated by the last change of its tables. @param isNoImport see `SourceLoad` */
export function earlierSources(live: Generation, isNoImport: (key: Buffer) => boolean): EarlierSource[] {
  return (['cells', 'wifi'] as const).flatMap(kind => {
    let stations = 0;
    for (const { count } of earlierRecords(live, kind, isNoImport)) stations += count;
    return stations === 0 ? [] : [{ name: `${kind} before 0.4`, kind, stations, importedAt: buildTime(live) }];
  });
}

/** The imported records of a kind: those that stand in the tables, and those that are joined with what was learned. */
export function* earlierRecords(
  live: Generation,
  kind: SourceKind,
  isNoImport: (key: Buffer) => boolean,
): Generator<RecordBatch> {
  const knowledge = new KnowledgeTables(live);
  const keyBytes = keyBytesOfSource(kind);
  const batch = { bytes: Buffer.alloc(BATCH_RECORDS * (keyBytes + STATION_BYTES)), count: 0 };
  for (const { key, value } of live.stations.getRange()) {
    const isOfKind = kind === 'cells' ? isCell(key[0]) : key[0] === KIND_WIFI;
    if (!isOfKind || isNoImport(key)) continue;
    const record = isLearned(value) ? knowledge.learned(Buffer.from(key))?.base : value;
    if (record === undefined) continue;
    const to = batch.count * (keyBytes + STATION_BYTES);
    batch.bytes.fill(0, to, to + keyBytes);
    batch.bytes.set(key, to);
    batch.bytes.set(record, to + keyBytes);
    batch.count++;
    if (batch.count < BATCH_RECORDS) continue;
    yield batch;
    batch.count = 0;
  }
  if (batch.count > 0) yield batch;
}
