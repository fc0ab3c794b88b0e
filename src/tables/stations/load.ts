// Loads sorted station records into the station tables, as a whole or not at all.
//
// Many records go into a new generation, which is written from front to back, merging old stations and new records, and
// becomes live at the end. Appending in key order fills every page: 43 bytes a station instead of 101 in random order.
// Records that touch few pages of a large table go into the live generation in one transaction, which costs only as
// much as the records and the networks whose areas they touch. A country's cells lie side by side, so even many of them
// touch few pages. Few records that touch many pages go into the live generation every other time.

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
import {
  countStations,
  currentGeneration,
  describeGeneration,
  dropGeneration,
  type Generation,
  generationPath,
  openGeneration,
  publishGeneration,
  startGeneration,
} from './generation.ts';
import { copyKnowledge } from './knowledge.ts';
import {
  forgetImports,
  isRemoval,
  type LoadOptions,
  type LoadProgress,
  type LoadResult,
  RecordCutter,
  type SortedRecords,
  StationMerge,
} from './merge.ts';
import { STATION_BYTES } from './record_layout.ts';

/**
 * Records that touch less than this share of the pages are applied in place. A transaction writes every page it touches
 * anew, and pages are free again only two transactions later: at this share the file stays under twice its size.
 * (Random records of a twentieth touch all; 10 M stations then took 125 bytes each instead of 43.)
 */
const IN_PLACE_SHARE = 0.4;
/**
 * So many records, and of so small a share of the stations, are applied in place also where they touch more pages, if
 * the pages are full: the transaction takes a third of the time of a new generation, and half a second at most. It
 * leaves pages half full and the file at three times its size, so the next one that touches as many builds a
 * generation, which fills them again.
 */
const FEW_RECORDS = 50_000;
const FEW_SHARE = 0.05;
/** Stations on a full page. */
const PAGE_STATIONS = 97;
/** Pages are full up to so many for those that the stations need. Cells are longer than access points. */
const FULL_RATIO = 1.25;
/** Pairs of records looked at. */
const PAIRS = 2_000;
/** Puts between two commits of a generation being built: about 4 MB of pages. */
const TRANSACTION_RECORDS = 100_000;

const NOTHING_GOES: LoadOptions = {
  withoutImport: () => {
    throw new Error('This load takes no station out.');
  },
  describe: () => {},
};

/**
 * Loads records into the live tables. Nobody else may write stations meanwhile. The thread is busy until the end, about
 * a second per million stations.
 * @throws Error when the tables are damaged or cannot be written; they are then as before
 */
export async function loadStations(
  folder: string,
  records: SortedRecords,
  onProgress: LoadProgress,
  options: LoadOptions = NOTHING_GOES,
): Promise<LoadResult> {
  const n = currentGeneration(folder);
  const live = n === undefined ? undefined : openGeneration(generationPath(folder, n));
  try {
    if (n === undefined || live === undefined)
      return await buildGeneration(folder, undefined, records, onProgress, options);
    return touchedShare(live, records) < IN_PLACE_SHARE || (areFew(live, records) && areFull(live))
      ? { generation: n, ...applyInPlace(live, records, onProgress, options) }
      : await buildGeneration(folder, live, records, onProgress, options);
  } catch (error) {
    throw new Error(
      `The station tables could not be written: ${(error as Error).message}. They are as they were before.`,
    );
  } finally {
    await live?.root.close();
  }
}

function areFew(live: Generation, { added }: SortedRecords): boolean {
  return added <= Math.min(FEW_RECORDS, FEW_SHARE * countStations(live));
}

/** True if the pages of stations are as full as a new generation has them, about. */
function areFull(live: Generation): boolean {
  const { treeLeafPageCount } = live.stations.getStats() as { treeLeafPageCount: number };
  return treeLeafPageCount * PAGE_STATIONS <= FULL_RATIO * countStations(live);
}

/** Share of the table's pages that records touch, estimated from how many stations lie between neighbouring records. */
function touchedShare(live: Generation, records: SortedRecords): number {
  const pages = countStations(live) / PAGE_STATIONS;
  let touched = records.added;
  if (records.neighbours !== undefined) {
    const cutter = new RecordCutter(records.keyBytes);
    let [pairs, changes] = [0, 0];
    for (const pair of records.neighbours(PAIRS)) {
      const start = Buffer.from(cutter.cut(pair, 0));
      const between = [...live.stations.getKeys({ start, end: cutter.cut(pair, 1), limit: PAGE_STATIONS })].length;
      changes += Math.min(1, Math.max(1, between) / PAGE_STATIONS);
      pairs++;
    }
    if (pairs > 0) touched *= changes / pairs;
  }
  return 1 - Math.exp(-touched / pages);
}

async function buildGeneration(
  folder: string,
  live: Generation | undefined,
  records: SortedRecords,
  onProgress: LoadProgress,
  options: LoadOptions,
): Promise<LoadResult> {
  const before = live === undefined ? 0 : countStations(live);
  const { n, generation } = startGeneration(folder);
  let published = false;
  try {
    const { added, replaced, removed } = mergeInto(
      generation,
      live,
      records,
      done => onProgress(done, before + records.added),
      options,
    );
    const stations = countStations(generation);
    await generation.root.close();
    publishGeneration(folder, n);
    published = true;
    return { generation: n, stations, added, replaced, removed };
  } finally {
    if (!published) {
      await generation.root.close();
      dropGeneration(folder, n);
    }
  }
}

function mergeInto(
  generation: Generation,
  live: Generation | undefined,
  records: SortedRecords,
  onProgress: (done: number) => void,
  { withoutImport, describe }: LoadOptions,
): StationMerge {
  const transaction = live === undefined ? 0 : lastTransaction(live);
  const merge = new StationMerge(live, generation, records);
  try {
    for (let more = true; more; ) {
      generation.root.transactionSync(() => {
        for (let i = 0; i < TRANSACTION_RECORDS && more; i++) more = merge.step();
        if (more) return;
        merge.end();
      });
      onProgress(merge.written);
    }
    if (live !== undefined) copyKnowledge(live, generation);
    generation.root.transactionSync(() => {
      forgetImports(generation, merge.unjoined, withoutImport);
      describeGeneration(generation, countStations(generation));
      describe(generation);
    });
  } finally {
    merge.close();
  }
  if (live !== undefined && lastTransaction(live) !== transaction)
    throw new Error('they were changed while an import was merged with them');
  return merge;
}

function lastTransaction(generation: Generation): number {
  return (generation.root.getStats() as { lastTxnId: number }).lastTxnId;
}

// Loads a small import into a large table: one transaction on the live generation, which readers see as a whole.

/** Puts records into the live generation in one transaction and refreshes the areas they touch. */
function applyInPlace(
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
