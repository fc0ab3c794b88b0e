// Checks the sources: the file of each, and that the tables hold its stations, except those that a later source has
// too. An import may change both meanwhile; then nothing is reported, and the rest of the check is left out.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { keyBytesOfKind } from '../../radio/station_key.ts';
import { type Check, inSnapshot, reasonOf, type TableCheck, WHOLE } from '../environment/check_walk.ts';
import type { Generation } from '../stations/generation.ts';
import { KnowledgeTables } from '../stations/knowledge.ts';
import type { Learned } from '../stations/learned_record.ts';
import { STATION_BYTES } from '../stations/record_layout.ts';
import { isLearned, nameStation, problemWithKey, problemWithRecord } from '../stations/station.ts';
import { liveSources } from './load_source.ts';
import { RecordCursor, type RecordFile } from './record_file.ts';
import { openSource, readSources, type Source } from './sources.ts';

const REMEDY = 'import it again under the same name';
/** Records compared in one snapshot: some ten milliseconds. */
const SLICE = 10_000;

/** Checks all sources of the live generation. */
export async function checkSources(folder: string, generation: Generation, check: Check): Promise<void> {
  const sources = readSources(generation);
  const table = check.table('sources', REMEDY);
  const isLive = async () => JSON.stringify(await liveSources(folder)) === JSON.stringify(sources);
  const faults: Fault[] = [];
  const tellIfLive = async () => {
    const found = faults.splice(0);
    if (!(await isLive())) return false;
    for (const { kind, key, what } of found) table.find(kind, key, what);
    return true;
  };
  const files = sources.map(source => openChecked(folder, source, faults));
  try {
    if (!(await tellIfLive())) return;
    for (const [s, source] of sources.entries()) {
      const later = files.filter(
        (file, other) => other > s && sources[other].kind === source.kind && file !== undefined,
      );
      const file = files[s];
      if (file === undefined) continue;
      const walk = new SourceWalk({ generation, check, table, faults }, source, file, later as RecordFile[]);
      for (let more = true; more; ) {
        more = inSnapshot(generation.root, table, undefined, () => walk.step()) ?? false;
        if (!(await tellIfLive())) return;
        await nextTurn();
      }
    }
  } finally {
    for (const file of files) file?.close();
  }
}

/** A finding that is reported once it is clear that no import came between. */
interface Fault {
  kind: 'file' | 'counter' | 'record';
  key: string;
  what: string;
}

function openChecked(folder: string, source: Source, faults: Fault[]): RecordFile | undefined {
  try {
    const file = openSource(folder, source);
    if (file.added !== source.stations)
      faults.push({
        kind: 'counter',
        key: source.name,
        what: `it has ${file.added} stations instead of ${source.stations}`,
      });
    return file;
  } catch (error) {
    faults.push({ kind: 'file', key: `${source.name}, ${WHOLE}`, what: reasonOf(error) });
    return undefined;
  }
}

/** What sources are compared with, and where findings go. */
interface Walked {
  generation: Generation;
  check: Check;
  table: TableCheck;
  faults: Fault[];
}

/** Walks through one source. */
class SourceWalk {
  private readonly source: Source;
  private readonly cursor: RecordCursor;
  private readonly later: RecordCursor[];
  private readonly generation: Generation;
  private readonly knowledge: KnowledgeTables;
  private readonly check: Check;
  private readonly table: TableCheck;
  private readonly faults: Fault[];
  private readonly keyBytes: number;
  private last: Buffer | undefined;

  constructor(
    { generation, check, table, faults }: Walked,
    source: Source,
    file: RecordFile,
    later: readonly RecordFile[],
  ) {
    this.source = source;
    this.cursor = new RecordCursor(file);
    this.later = later.map(other => new RecordCursor(other));
    this.generation = generation;
    this.knowledge = new KnowledgeTables(generation);
    this.check = check;
    this.table = table;
    this.keyBytes = file.keyBytes;
    this.faults = faults;
  }

  /** Checks some records in the open read transaction. @returns false at the end */
  step(): boolean {
    this.table.reading();
    let walked = 0;
    for (; walked < SLICE && !this.cursor.isAtEnd; walked++) {
      const { bytes, at } = this.cursor;
      const key = Buffer.from(bytes.subarray(at, at + Math.min(this.keyBytes, keyBytesOfKind(bytes[at]))));
      const what = this.problemWith(key, bytes.subarray(at + this.keyBytes, at + this.keyBytes + STATION_BYTES));
      if (what !== undefined)
        this.faults.push({ kind: 'record', key: `${this.source.name}, ${nameStation(key)}`, what });
      this.last = key;
      this.cursor.advance();
    }
    this.table.walked(walked);
    return !this.cursor.isAtEnd;
  }

  private problemWith(key: Buffer, record: Buffer): string | undefined {
    const problem = problemWithKey(key) ?? problemWithRecord(record);
    if (problem !== undefined) return problem;
    if (this.last !== undefined && Buffer.compare(this.last, key) >= 0) return 'it stands out of order';
    if (this.check.isQuick || this.later.some(cursor => cursor.seek(this.cursor))) return undefined;
    return this.isImported(key, record) ? undefined : 'the tables do not have it as imported';
  }

  /** True when the tables have a station as imported, or are damaged there, which the check of the stations reports. */
  private isImported(key: Buffer, imported: Buffer): boolean {
    const record = this.generation.stations.getBinary(key);
    if (record !== undefined && (problemWithRecord(record) !== undefined || record.equals(imported))) return true;
    if (record !== undefined && !isLearned(record)) return false;
    let learned: Learned | undefined;
    try {
      learned = this.knowledge.learned(key);
    } catch {
      return true;
    }
    return learned === undefined ? record !== undefined : learned.base !== undefined && imported.equals(learned.base);
  }
}
