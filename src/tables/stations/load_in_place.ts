// Loads a small import into a large table: one transaction on the live generation, which readers see as a whole.

import { isCell } from '../../radio/kind.ts';
import { KEY_BYTES_CELL } from '../../radio/station_key.ts';
import { AREA_KEY_BYTES, AreaCollector, areaNumber, networkOfArea, numberOfAreaKey } from './areas.ts';
import { countStations, describeGeneration, type Generation } from './generation.ts';
import { type LoadProgress, type LoadResult, RecordCutter, type SortedRecords } from './merge.ts';
import { STATION_BYTES } from './record_layout.ts';

/** Puts records into the live generation in one transaction and refreshes the areas they touch. */
export function applyInPlace(live: Generation, records: SortedRecords, onProgress: LoadProgress): Omit<LoadResult, 'generation'> {
  const changedKeys = new Uint8Array(records.added * records.keyBytes);
  const cutter = new RecordCutter(records.keyBytes);
  const touched = new Set<number>();
  const recordBytes = records.keyBytes + STATION_BYTES;
  let written = 0;
  let added = 0;
  let stations = 0;
  live.root.transactionSync(() => {
    const before = countStations(live);
    for (const batch of records.batches()) {
      for (let i = 0; i < batch.count; i++) {
        const key = cutter.cut(batch, i);
        live.stations.putSync(key, cutter.value);
        const at = i * recordBytes;
        changedKeys.set(batch.bytes.subarray(at, at + records.keyBytes), written * records.keyBytes);
        written++;
        if (isCell(key[0])) touched.add(areaNumber(key));
      }
      onProgress(written, records.added);
    }
    refreshAreas(live, touched);
    stations = countStations(live);
    added = stations - before;
    describeGeneration(live, stations);
  });
  return { stations, added, replaced: written - added, changedKeys: changedKeys.subarray(0, written * records.keyBytes) };
}

/** Derives the touched areas and the id distances again, in one pass over each network that has such an area. */
function refreshAreas(live: Generation, touched: ReadonlySet<number>): void {
  const areas = new AreaCollector((key, record) => {
    if (key.length < AREA_KEY_BYTES || touched.has(numberOfAreaKey(key))) live.areas.putSync(key, record);
  });
  for (const network of new Set([...touched].map(networkOfArea))) {
    const start = Buffer.alloc(KEY_BYTES_CELL);
    start.writeUInt32BE(network);
    const end = Buffer.alloc(KEY_BYTES_CELL, 0xff);
    end.writeUInt32BE(network);
    for (const { key, value } of live.stations.getRange({ start, end, inclusiveEnd: true })) areas.add(key, value);
    areas.end();
  }
}
