// Loads a small import into a large table: one transaction on the live generation, which readers see as a whole.

import { isCell } from '../../radio/kind.ts';
import { KEY_BYTES_CELL } from '../../radio/station_key.ts';
import {
  AREA_CODES,
  AREA_KEY_BYTES,
  AreaCollector,
  areaNumber,
  NETWORK_BYTES,
  networkOfArea,
  numberOfAreaKey,
} from './areas.ts';
import { countStations, describeGeneration, type Generation } from './generation.ts';
import {
  forgetImports,
  isRemoval,
  type LoadOptions,
  type LoadProgress,
  type LoadResult,
  RecordCutter,
  type SortedRecords,
} from './merge.ts';
import { STATION_BYTES } from './record_layout.ts';

/** Puts records into the live generation in one transaction and refreshes the areas they touch. */
export function applyInPlace(
  live: Generation,
  records: SortedRecords,
  onProgress: LoadProgress,
  { withoutImport, describe }: LoadOptions,
): Omit<LoadResult, 'generation'> {
  const changedKeys = new Uint8Array(records.added * records.keyBytes);
  const cutter = new RecordCutter(records.keyBytes);
  const touched = new Set<number>();
  const recordBytes = records.keyBytes + STATION_BYTES;
  const unjoined: Buffer[] = [];
  let written = 0;
  let removed = 0;
  let gone = 0;
  let added = 0;
  let stations = 0;
  live.root.transactionSync(() => {
    const before = countStations(live);
    for (const batch of records.batches()) {
      for (let i = 0; i < batch.count; i++) {
        const key = cutter.cut(batch, i);
        if (!isRemoval(cutter.value)) live.stations.putSync(key, cutter.value);
        else {
          if (live.learned.doesExist(key)) unjoined.push(Buffer.from(key));
          else if (live.stations.removeSync(key)) gone++;
          removed++;
        }
        const at = i * recordBytes;
        changedKeys.set(batch.bytes.subarray(at, at + records.keyBytes), written * records.keyBytes);
        written++;
        if (isCell(key[0])) touched.add(areaNumber(key));
      }
      onProgress(written, records.added);
    }
    added = countStations(live) + gone - before;
    forgetImports(live, unjoined, withoutImport);
    refreshAreas(live, touched);
    stations = countStations(live);
    describeGeneration(live, stations);
    describe(live);
  });
  const replaced = written - removed - added;
  return { stations, added, replaced, removed, changedKeys: changedKeys.subarray(0, written * records.keyBytes) };
}

/** Derives the touched areas and the id distances again, in one pass over each network that has such an area. */
function refreshAreas(live: Generation, touched: ReadonlySet<number>): void {
  const areas = new AreaCollector((key, record) => {
    if (key.length < AREA_KEY_BYTES || touched.has(numberOfAreaKey(key))) live.areas.putSync(key, record);
  });
  for (const area of touched) live.areas.removeSync(keyOfArea(area));
  for (const network of new Set([...touched].map(networkOfArea))) {
    const key = Buffer.alloc(NETWORK_BYTES);
    key.writeUInt32BE(network);
    // Without cells they do not come again.
    live.areas.removeSync(key);
    const start = Buffer.alloc(KEY_BYTES_CELL);
    start.writeUInt32BE(network);
    const end = Buffer.alloc(KEY_BYTES_CELL, 0xff);
    end.writeUInt32BE(network);
    for (const { key, value } of live.stations.getRange({ start, end, inclusiveEnd: true })) areas.add(key, value);
    areas.end();
  }
}

function keyOfArea(area: number): Buffer {
  const key = Buffer.alloc(AREA_KEY_BYTES);
  key.writeUInt32BE(networkOfArea(area));
  key.writeUIntBE(area % AREA_CODES, NETWORK_BYTES, AREA_KEY_BYTES - NETWORK_BYTES);
  return key;
}
