// Puts a source into the tables, in place of what the same source held before, or takes it out. A source that comes
// counts before all others, so where it is new its records are the changes. Otherwise the changes follow from all
// sources of its kind.

import { join } from 'node:path';
import type { RecordBatch } from '../environment/record_sort.ts';
import { openLiveGeneration } from '../stations/generation.ts';
import { loadStations } from '../stations/load.ts';
import type { LoadOptions, LoadProgress, LoadResult, SortedRecords } from '../stations/merge.ts';
import { STATION_BYTES } from '../stations/record_layout.ts';
import { RecordCursor, RecordFile, writeRecordFile } from './record_file.ts';
import { refuseLoss } from './source_name.ts';
import {
  keyBytesOfSource,
  newSourceFile,
  openSource,
  readSources,
  removeUnusedSources,
  type Source,
  type SourceKind,
  writeSources,
} from './sources.ts';

/** A source and the folder that it belongs to. */
export interface SourceLoad {
  /** Absolute path of the data folder. */
  folder: string;
  name: string;
  /** An empty folder for files that are not kept. */
  scratch: string;
  withoutImport: LoadOptions['withoutImport'];
  onProgress: LoadProgress;
}

/** @throws Error when another kind of stations has the name already */
export async function requireKind(folder: string, name: string, kind: SourceKind): Promise<void> {
  const holder = (await liveSources(folder)).find(source => source.name === name);
  if (holder !== undefined && holder.kind !== kind)
    throw new Error(`The source "${name}" holds ${holder.kind}; name this import of ${kind} otherwise with --source.`);
}

/**
 * Imports records as a source.
 * @param mayReplace more than half of what the source holds may go
 * @throws ReplacementRefused when that would go and may not; Error when the tables cannot be written; they are then as
 *   before
 */
export async function loadSource(
  load: SourceLoad,
  kind: SourceKind,
  records: SortedRecords,
  mayReplace: boolean,
): Promise<LoadResult> {
  const sources = await liveSources(load.folder);
  const { file, path } = newSourceFile(load.folder);
  let after: RecordFile | undefined;
  try {
    writeRecordFile(path, records, () => load.onProgress(0, records.added));
    const before = sources.find(({ name }) => name === load.name);
    if (before !== undefined && !mayReplace) requireKept(load.folder, before, path);
    after = new RecordFile(path, keyBytesOfSource(kind));
    const importedAt = new Date().toISOString();
    const source: Source = { name: load.name, kind, file, stations: after.added, importedAt };
    const list = [...sources.filter(({ name }) => name !== load.name), source];
    return await change(load, sources, after, list);
  } catch (error) {
    // What the live tables do not name, nobody needs.
    removeUnusedSources(load.folder, await liveSources(load.folder));
    throw error;
  } finally {
    after?.close();
  }
}

/**
 * @param path of the records that are to take the place of the source @throws ReplacementRefused when they lack too
 * much of it
 */
function requireKept(folder: string, source: Source, path: string): void {
  const before = openSource(folder, source);
  const after = new RecordFile(path, before.keyBytes);
  let lost = 0;
  try {
    const [old, now] = [new RecordCursor(before), new RecordCursor(after)];
    for (; !old.isAtEnd; old.advance()) if (!now.seek(old)) lost++;
  } finally {
    before.close();
    after.close();
  }
  refuseLoss(source.name, 'stations', before.added, lost);
}

/**
 * Takes a source out. @throws Error when there is none of this name, or the tables cannot be written; they are then as
 * before
 */
export async function removeSource(load: SourceLoad): Promise<LoadResult> {
  const sources = await liveSources(load.folder);
  if (!sources.some(({ name }) => name === load.name))
    throw new Error(`There is no source "${load.name}"; "sextant sources list" names all.`);
  return change(
    load,
    sources,
    undefined,
    sources.filter(({ name }) => name !== load.name),
  );
}

/** The sources of the live tables. */
export async function liveSources(folder: string): Promise<Source[]> {
  const live = openLiveGeneration(folder);
  try {
    return live === undefined ? [] : readSources(live);
  } finally {
    await live?.root.close();
  }
}

async function change(
  load: SourceLoad,
  sources: readonly Source[],
  after: RecordFile | undefined,
  list: readonly Source[],
): Promise<LoadResult> {
  const { folder, name, scratch, withoutImport, onProgress } = load;
  const opened: RecordFile[] = [];
  const open = (source: Source): RecordFile => {
    const file = openSource(folder, source);
    opened.push(file);
    return file;
  };
  try {
    let changes = after;
    const index = sources.findIndex(source => source.name === name);
    if (index >= 0) {
      const { kind } = sources[index];
      const others = (from: number, to?: number) =>
        sources
          .slice(from, to)
          .filter(source => source.kind === kind)
          .map(open);
      const parts = { before: open(sources[index]), after, earlier: others(0, index), later: others(index + 1) };
      const path = join(scratch, 'changes');
      const { keyBytes } = parts.before;
      writeRecordFile(path, { keyBytes, batches: () => changesOfSource(parts) }, () => onProgress(0, 0));
      changes = new RecordFile(path, keyBytes);
      opened.push(changes);
    }
    const result = await loadStations(folder, changes!, onProgress, {
      withoutImport,
      describe: generation => writeSources(generation, list),
    });
    removeUnusedSources(folder, list);
    return result;
  } finally {
    for (const file of opened) file.close();
  }
}

const BATCH_RECORDS = 2 ** 14;

// What a source that goes, or comes again with other contents, changes in the tables. Of several sources that have a
// station the latest counts. So where a source lets a station go, the latest of the others shows through; if none has
// it, the station is removed.
//
//   before a --12345-- b ---345678- c -----6- imported in this order; the tables have 1a 2a 3b 4b 5b 6c 7b 8b
//   without b                                                     3 4 5 become those of a; 6 stays c's; 7 and 8 go

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
function* changesOfSource({ before, after, earlier, later }: SourcesOfChange): Generator<RecordBatch> {
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
