// Imports station files: rows are read, checked, sorted, and loaded into the station tables as a whole. All files are
// recognised before the first is read, so a wrong one ends the import at once. The tables change only at the very end.

import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { StationSet } from '../radio/query/station_set.ts';
import { RecordSort } from '../tables/environment/record_sort.ts';
import { loadSource, removeSource, requireKind, type SourceLoad } from '../tables/sources/load_source.ts';
import { nameOfFiles, STDIN } from '../tables/sources/source_name.ts';
import { keyBytesOfSource } from '../tables/sources/sources.ts';
import { makeScratchFolder } from '../tables/stations/generation.ts';
import type { LoadResult } from '../tables/stations/merge.ts';
import { STATION_BYTES } from '../tables/stations/record_layout.ts';
import { addCell, recogniseCellTable } from './cell_csv.ts';
import { type CsvFile, openCsv, type RowBlock } from './files/csv_file.ts';
import {
  type MostlyRefused,
  type Refusal,
  Refusals,
  type RefusedLine,
  RowTally,
  requireRows,
} from './files/refused_lines.ts';
import { sizeOfFiles } from './files/text_file.ts';
import { cellListOf } from './formats/cell_lists.ts';
import { addStation, recogniseStationList } from './station_csv.ts';

/** What every change of a source needs. */
interface SourceParts extends Pick<SourceLoad, 'folder' | 'withoutImport'> {
  /** Called at most a few times a second. */
  onProgress: (progress: ImportProgress) => void;
}

/** What to import. */
export interface StationImport extends SourceParts {
  kind: 'cells' | 'wifi';
  /** Name of the source; what it held before goes. By default it is that of the files. */
  source?: string | undefined;
  /** More than half of what it held may go. */
  replace?: boolean | undefined;
  /** Paths of CSV files, plain or gzip; `-` for `stdin`. Later files win over earlier ones. */
  files: readonly string[];
  stdin: Readable;
  /** Stations that are refused. */
  optedOut: StationSet;
}

/** Progress of an import: files being read, then stations being written. */
export interface ImportProgress {
  phase: 'reading' | 'writing';
  /** Rows read, or stations written. */
  rows: number;
  /** Bytes of the files, or of the table. */
  bytesDone: number;
  /** 0 while standard input is read, as its length is unknown. */
  bytesTotal: number;
}

/** The result of an import. */
export interface ImportSummary extends LoadResult {
  /** Name of the source. */
  source: string;
  /** Lines read, without the header and empty lines. */
  rows: number;
  /** Rows accepted, including those replaced by a later row of the same station. */
  accepted: number;
  refused: number;
  refusedByRule: Record<string, number>;
  /** The first five refused lines. */
  refusedLines: RefusedLine[];
  /** Files of which less than half was accepted; absent where there are none. */
  mostlyRefused?: MostlyRefused[];
}

/** How the rows of one file are read. */
interface FileFormat {
  hasHeader: boolean;
  /** Lines between the rows. */
  isComment?(row: readonly string[]): boolean;
  /** Adds the station of a row to the records, or returns why it is refused. */
  addRow(row: readonly string[], records: RecordSort): Refusal | undefined;
}

const PROGRESS_MS = 250;
const NO_ROWS = 'no row stands below its header';
const OPTED_OUT: Refusal = { rule: 'opted out', why: 'the station was forgotten at the wish of its owner' };
const UNREADABLE: Refusal = { rule: 'columns', why: 'the line is not CSV: a quote is not closed' };

/**
 * Imports files of stations with known positions. A bad line is counted and left out.
 * @throws ReplacementRefused when too much would go; Error when a file is missing, of the wrong kind, or damaged, when
 *   there is no row in any, or when the tables cannot be written; they then
 *   stay as they were
 */
export async function importStations(wanted: StationImport): Promise<ImportSummary> {
  if (wanted.files.filter(path => path === STDIN).length > 1)
    throw new Error('Standard input can be read only once, but "-" is given more often.');
  const bytesTotal = sizeOfFiles(wanted.files);
  for (const path of wanted.files) if (path !== STDIN) await inspectFile(path, wanted);
  const source = wanted.source ?? nameOfFiles(wanted.files);
  await requireKind(wanted.folder, source, wanted.kind);
  const scratch = makeScratchFolder(wanted.folder);
  const keyBytes = keyBytesOfSource(wanted.kind);
  const records = new RecordSort(scratch, keyBytes, STATION_BYTES);
  try {
    const reading = new FileReading(wanted, records, wanted.files.includes(STDIN) ? 0 : bytesTotal);
    for (const path of wanted.files) await reading.readFile(path);
    requireRows(records.added + reading.refusals.total, reading.mostlyRefused);
    const loaded = await loadSource(
      { ...wanted, name: source, scratch, onProgress: showWriting(wanted, keyBytes + STATION_BYTES) },
      wanted.kind,
      records,
      wanted.replace === true,
    );
    const { total: refused, byRule: refusedByRule, firstLines: refusedLines } = reading.refusals;
    const { mostlyRefused } = reading;
    const counted = {
      source,
      rows: records.added + refused,
      accepted: records.added,
      refused,
      refusedByRule,
      refusedLines,
    };
    return { ...loaded, ...counted, ...(mostlyRefused.length > 0 && { mostlyRefused }) };
  } finally {
    records.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Takes a source out of the tables. @throws Error when there is none of this name, or the tables cannot be written,
 * which then stay as they were
 */
export async function removeImported(wanted: SourceParts & { name: string }): Promise<LoadResult> {
  const scratch = makeScratchFolder(wanted.folder);
  try {
    return await removeSource({ ...wanted, scratch, onProgress: showWriting(wanted, STATION_BYTES) });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function showWriting({ onProgress }: SourceParts, recordBytes: number): SourceLoad['onProgress'] {
  return (done, total) =>
    onProgress({ phase: 'writing', rows: done, bytesDone: done * recordBytes, bytesTotal: total * recordBytes });
}

async function inspectFile(path: string, wanted: StationImport): Promise<void> {
  const file = await openCsv(path, wanted.stdin);
  try {
    recogniseFile(file, wanted.kind);
  } finally {
    file.close();
  }
}

function recogniseFile(file: CsvFile, kind: StationImport['kind']): FileFormat {
  // These lists are no CSV: a row is the line again.
  const lineOf = (row: readonly string[]) => row.join(',');
  const list = kind === 'cells' ? cellListOf(file.headRows.map(lineOf)) : undefined;
  if (list !== undefined) {
    return {
      hasHeader: false,
      isComment: row => list.isComment(lineOf(row)),
      addRow: (row, records) => {
        const cell = list.readLine(lineOf(row));
        return 'why' in cell ? cell : addCell(cell, records);
      },
    };
  }
  if (kind === 'cells') {
    if (isReadable(() => recogniseStationList(file.name, file.headRows))) throw isOfKind(file, 'access points', 'wifi');
    return { hasHeader: recogniseCellTable(file.name, file.headRows), addRow: addCell };
  }
  const holdsCells =
    cellListOf(file.headRows.map(lineOf)) !== undefined ||
    isReadable(() => recogniseCellTable(file.name, file.headRows));
  if (holdsCells) throw isOfKind(file, 'cells', 'cells');
  const columns = recogniseStationList(file.name, file.headRows);
  return { hasHeader: true, addRow: (row, records) => addStation(row, columns, records) };
}

/** True if a reader recognises a file. */
function isReadable(recognise: () => unknown): boolean {
  try {
    recognise();
    return true;
  } catch {
    return false; // a file of another kind, or of none
  }
}

/** The error of a file of another kind. @param holds what it holds @param kind by which it is imported */
function isOfKind({ name }: CsvFile, holds: string, kind: StationImport['kind']): Error {
  return new Error(`${name} holds ${holds}: import it with "sextant import ${kind}".`);
}

/** Reads files one after the other and keeps count. */
class FileReading {
  readonly refusals = new Refusals();
  readonly mostlyRefused: MostlyRefused[] = [];
  private readonly wanted: StationImport;
  private readonly records: RecordSort;
  private readonly bytesTotal: number;
  private bytesBefore = 0;
  private reportedAt = 0;

  constructor(wanted: StationImport, records: RecordSort, bytesTotal: number) {
    this.wanted = wanted;
    this.records = records;
    this.bytesTotal = bytesTotal;
  }

  async readFile(path: string): Promise<void> {
    const file = await openCsv(path, this.wanted.stdin);
    const format = recogniseFile(file, this.wanted.kind);
    const tally = new RowTally();
    for await (const block of file.blocks()) {
      this.addRows(file.name, format, block, tally);
      this.report(file);
    }
    this.mostlyRefused.push(...[tally.mostlyRefused(file.name, () => NO_ROWS)].filter(found => found !== undefined));
    this.bytesBefore += file.bytesRead();
  }

  private addRows(name: string, format: FileFormat, block: RowBlock, tally: RowTally): void {
    for (let i = 0; i < block.rows.length; i++) {
      const line = block.firstLine + i;
      const row = block.rows[i];
      if ((format.hasHeader && line === 1) || (row?.length === 1 && row[0] === '')) continue;
      if (row !== undefined && format.isComment?.(row)) continue;
      const refusal = row === undefined ? UNREADABLE : (format.addRow(row, this.records) ?? this.refuseOptedOut());
      if (refusal === undefined) {
        tally.take(1);
        continue;
      }
      this.refusals.add(name, line, refusal);
      tally.refuse(refusal.rule, 1, () => refusal.why);
    }
  }

  /** Takes the record that was added last back if its station opted out. */
  private refuseOptedOut(): Refusal | undefined {
    if (this.wanted.optedOut.size === 0 || !this.wanted.optedOut.has(this.records.bytes, this.records.lastAt))
      return undefined;
    this.records.takeBack();
    return OPTED_OUT;
  }

  private report(file: CsvFile): void {
    const now = performance.now();
    if (now - this.reportedAt < PROGRESS_MS) return;
    this.reportedAt = now;
    const rows = this.records.added + this.refusals.total;
    this.wanted.onProgress({
      phase: 'reading',
      rows,
      bytesDone: this.bytesBefore + file.bytesRead(),
      bytesTotal: this.bytesTotal,
    });
  }
}
