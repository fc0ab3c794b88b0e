// Takes stations out of the sources that hold them, so that they do not come back when another source is removed. Sources are files that are written once, so each
// that holds one is written again under another number. The list of the tables decides which file counts.

import type { StationSet } from '../../radio/query/station_set.ts';
import type { RecordBatch } from '../stations/merge.ts';
import { STATION_BYTES } from '../stations/record_layout.ts';
import { RecordFile, writeRecordFile } from './record_file.ts';
import { keyBytesOfSource, newSourceFile, openSource, type Source } from './sources.ts';

/**
 * Writes the sources without some stations.
 * @param mayStop called between batches; an error that it throws ends the writing
 * @returns the list, and how many of their records went; a source without any of them is as it was
 * @throws Error when a source cannot be read or written
 */
export function forgetInSources(
  folder: string,
  sources: readonly Source[],
  stations: StationSet,
  mayStop: () => void,
): { sources: Source[]; removed: number } {
  let removed = 0;
  const list = sources.map(source => {
    const file = openSource(folder, source);
    try {
      const found = countIn(file, stations, mayStop);
      if (found === 0) return source;
      removed += found;
      return rewrite(folder, source, file, stations, mayStop);
    } finally {
      file.close();
    }
  });
  return { sources: list, removed };
}

function rewrite(folder: string, source: Source, file: RecordFile, stations: StationSet, mayStop: () => void): Source {
  const { file: number, path } = newSourceFile(folder);
  writeRecordFile(path, { keyBytes: file.keyBytes, batches: () => without(file, stations) }, mayStop);
  const written = new RecordFile(path, keyBytesOfSource(source.kind));
  written.close();
  return { ...source, file: number, stations: written.added };
}

function countIn(file: RecordFile, stations: StationSet, mayStop: () => void): number {
  const recordBytes = file.keyBytes + STATION_BYTES;
  let found = 0;
  for (const { bytes, count } of file.batches()) {
    for (let i = 0; i < count; i++) if (stations.has(bytes, i * recordBytes)) found++;
    mayStop();
  }
  return found;
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
