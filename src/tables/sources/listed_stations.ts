// Finds stations in the sources that list them, and takes them out, so that they do not come back when another source
// is removed. Sources are files that are written once, so each that holds one is written again under another number.
// The list of the tables decides which file counts.

import type { StationSet } from '../../radio/query/station_set.ts';
import type { RecordBatch } from '../environment/record_sort.ts';
import { STATION_BYTES } from '../stations/record_layout.ts';
import { RecordFile, writeRecordFileInTurns } from './record_file.ts';
import { keyBytesOfSource, newSourceFile, openSource, type Source } from './sources.ts';

/**
 * Writes the sources without some stations.
 * @param mayStop called between batches; an error that it throws ends the writing
 * @returns the list, and how many of their records went; a source without any of them is as it was
 * @throws Error when a source cannot be read or written
 */
export async function forgetInSources(
  folder: string,
  sources: readonly Source[],
  stations: StationSet,
  mayStop: () => void,
): Promise<{ sources: Source[]; removed: number }> {
  let removed = 0;
  const list: Source[] = [];
  for (const source of sources) {
    const file = openSource(folder, source);
    try {
      const found = countIn(file, stations);
      removed += found;
      list.push(found === 0 ? source : await rewrite(folder, source, file, stations, mayStop));
    } finally {
      file.close();
    }
  }
  return { sources: list, removed };
}

/** Names of the sources that hold one of some stations. @throws Error when a source cannot be read */
export function holdersOf(folder: string, sources: readonly Source[], stations: StationSet): string[] {
  return sources
    .filter(source => {
      const file = openSource(folder, source);
      try {
        return countIn(file, stations) > 0;
      } finally {
        file.close();
      }
    })
    .map(({ name }) => name);
}

/**
 * The same for each of some stations, of which any key counts. @param stations the keys of each @returns names by
 * station @throws Error when a source cannot be read
 */
export function holdersOfEach(
  folder: string,
  sources: readonly Source[],
  stations: readonly (readonly Buffer[])[],
): string[][] {
  const names: string[][] = stations.map(() => []);
  for (const source of sources) {
    const file = openSource(folder, source);
    try {
      for (const [i, keys] of stations.entries())
        if (keys.some(key => hasStation(file, key))) names[i].push(source.name);
    } finally {
      file.close();
    }
  }
  return names;
}

async function rewrite(
  folder: string,
  source: Source,
  file: RecordFile,
  stations: StationSet,
  mayStop: () => void,
): Promise<Source> {
  const { file: number, path } = newSourceFile(folder);
  await writeRecordFileInTurns(path, { keyBytes: file.keyBytes, batches: () => without(file, stations) }, mayStop);
  const written = new RecordFile(path, keyBytesOfSource(source.kind));
  written.close();
  return { ...source, file: number, stations: written.added };
}

/** How many of some stations a file has. */
function countIn(file: RecordFile, stations: StationSet): number {
  return stations.keys.filter(key => hasStation(file, key)).length;
}

/** Searches a file, which is in key order, by halves. */
function hasStation(file: RecordFile, key: Buffer): boolean {
  if (key.length > file.keyBytes) return false;
  const wanted = Buffer.alloc(file.keyBytes);
  key.copy(wanted);
  const record = Buffer.alloc(file.keyBytes + STATION_BYTES);
  for (let [from, to] = [0, file.added]; from < to; ) {
    const middle = Math.floor((from + to) / 2);
    file.read(record, middle);
    const order = wanted.compare(record, 0, file.keyBytes);
    if (order === 0) return true;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  return false;
}

function* without(file: RecordFile, stations: StationSet): Generator<RecordBatch> {
  const recordBytes = file.keyBytes + STATION_BYTES;
  for (const { bytes, count } of file.batches()) {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const at = i * recordBytes;
      if (stations.has(bytes, at)) continue;
      bytes.copyWithin(kept * recordBytes, at, at + recordBytes);
      kept++;
    }
    yield { bytes, count: kept };
  }
}
