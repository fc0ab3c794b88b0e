// Imports tables of importance: items of Wikidata, and a number for each that says how well known it is. Tabs, commas
// or semicolons are between the columns. A header names them, in any order and case; other columns are ignored. It may
// be that of a dump of PostgreSQL (COPY). A table of two columns needs none: Q64 and a page rank.
//
//   item      wikidata_id, wikidata, wikidata_item, item, qid, wd_page_title      Q64, or an address that ends so
//   number    importance                                                           from 0 to 1
//             page_rank, pagerank, page_views, pageviews, views, sitelinks,        from 0
//             population
//
// Of several numbers the first in this order counts. An importance is taken as it is. Any other number grows without
// bound, so its importance is its logarithm as a share of the greatest in the table: log(1 + n) / log(1 + greatest). An
// item may stand in many rows, as in one for each language: the greatest counts.

import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { type ChangedImportance, changeImportance } from '../geocoding/import/change_importance.ts';
import type { ExtractChange } from '../geocoding/import/import_extracts.ts';
import { RecordSort } from '../tables/environment/record_sort.ts';
import type { RatedItem } from '../tables/places/importance_table.ts';
import { nameOfFiles, STDIN } from '../tables/sources/source_name.ts';
import { makeScratchFolder } from '../tables/stations/generation.ts';
import { readDecimal, rowsOf } from './files/csv_file.ts';
import { type Refusal, Refusals, RowTally, requireRows } from './files/refused_lines.ts';
import { openText, sizeOfFiles, type TextFile } from './files/text_file.ts';
import type { ImportProgress, ImportSummary } from './import_stations.ts';

/** What to import. */
interface ImportanceImport {
  /** Data folder. */
  folder: string;
  /** Paths, or `-` for `stdin`. */
  files: readonly string[];
  stdin: Readable;
  /** Name of the source; by default that of the files. */
  source?: string | undefined;
  replace?: boolean | undefined;
  onReading: (progress: ImportProgress) => void;
  /** While the places are built. */
  onProgress: ExtractChange['onProgress'];
}

/** What was read, and what the places are now. */
export type ImportanceSummary = ChangedImportance &
  Pick<ImportSummary, 'rows' | 'accepted' | 'refused' | 'refusedByRule' | 'refusedLines' | 'mostlyRefused'>;

const ITEM_COLUMNS = ['wikidata_id', 'wikidata', 'wikidata_item', 'item', 'qid', 'wd_page_title'];
const IMPORTANCE = 'importance';
const NUMBER_COLUMNS = [
  ...[IMPORTANCE, 'page_rank', 'pagerank', 'page_views', 'pageviews', 'views', 'sitelinks', 'population'],
];
const DELIMITERS = ['\t', ',', ';'];
const COPY = /^COPY \S+ \((.+)\) FROM stdin;$/i;
const COPY_END = '\\.';
const COPY_NOTHING = '\\N';
const ITEM = /^(?:\S*\/)?Q([1-9]\d{0,9})$/;
const ITEM_MAX = 0xffffffff;
/** An item, and its number as 32-bit float: such bytes are in the order of numbers from 0. */
const KEY_BYTES = 8;
const NO_ROWS = 'no row names an item of Wikidata';

/**
 * Imports files as one source. A bad line is counted and left out; so is one that names no item, without a word.
 * @throws ReplacementRefused when too much would go; Error when a file cannot be read or recognised, or nothing is in
 *   it; the places are then as before
 */
export async function importImportance(wanted: ImportanceImport): Promise<ImportanceSummary> {
  const { folder, files, replace, onReading, onProgress, source: name = nameOfFiles(files) } = wanted;
  const scratch = makeScratchFolder(folder);
  const reading = new ImportanceReading(scratch, wanted);
  try {
    for (const path of files) await reading.readFile(path);
    const { refusals, tallies, records } = reading;
    const mostlyRefused = tallies.flatMap(([file, tally]) => tally.mostlyRefused(file, () => NO_ROWS) ?? []);
    requireRows(records.added + refusals.total, mostlyRefused);
    const onWriting = () => onReading(reading.progress());
    const changed = await changeImportance({ folder, name, replace, items: reading.items(), onWriting, onProgress });
    return {
      ...changed,
      rows: records.added + refusals.total,
      accepted: records.added,
      refused: refusals.total,
      refusedByRule: refusals.byRule,
      refusedLines: refusals.firstLines,
      ...(mostlyRefused.length > 0 && { mostlyRefused }),
    };
  } finally {
    reading.records.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** How the rows of a file are written. */
interface Form {
  delimiter: string;
  /** Columns of the item and of its number. */
  item: number;
  number: number;
  /** Name of that of the number. */
  what: string;
  /** Number of the line of the first row. */
  firstLine: number;
  /** The line after the last row; absent where that is the end of the file. */
  end?: string;
}

/** Tells the form of a file. @throws Error that names the file and the line */
function recogniseForm({ name, headLines }: TextFile): Form {
  const copied = headLines.findIndex(line => COPY.test(line));
  const line = Math.max(0, copied);
  const header = COPY.exec(headLines[line])?.[1].replaceAll(', ', '\t') ?? headLines[line] ?? '';
  const delimiter = DELIMITERS.toSorted((a, b) => header.split(b).length - header.split(a).length)[0];
  const cells = (rowsOf([header], delimiter)[0] ?? []).map(cell => cell.trim());
  if (cells.length === 2 && itemOf(cells[0]) > 0 && readDecimal(cells[1]) >= 0)
    return { delimiter, item: 0, number: 1, what: 'page_rank', firstLine: 1 };
  const columns = cells.map(cell => cell.toLowerCase());
  const what = NUMBER_COLUMNS.find(column => columns.includes(column));
  const item = columns.findIndex(column => ITEM_COLUMNS.includes(column));
  if (item < 0 || what === undefined) {
    const [missing, names] =
      item < 0 ? ['the items of Wikidata', ITEM_COLUMNS] : ['how well known they are', NUMBER_COLUMNS];
    throw new Error(
      `${name} is no table of importance: its line ${line + 1} names no column for ${missing} (${names.join(', ')}).`,
    );
  }
  const form = { delimiter, item, number: columns.indexOf(what), what, firstLine: line + 2 };
  return copied < 0 ? form : { ...form, end: COPY_END };
}

/** The number of an item; NaN for what is none. */
function itemOf(cell: string): number {
  const item = Number(ITEM.exec(cell)?.[1]);
  return item <= ITEM_MAX ? item : Number.NaN;
}

/** Reads files one after the other, keeps count, and sorts what they say. */
class ImportanceReading {
  readonly records: RecordSort;
  readonly refusals = new Refusals();
  readonly tallies: [file: string, tally: RowTally][] = [];
  private readonly wanted: ImportanceImport;
  private readonly bytesTotal: number;
  private what: string | undefined;
  private greatest = 0;
  private bytesBefore = 0;
  private bytes = 0;

  constructor(scratch: string, wanted: ImportanceImport) {
    this.wanted = wanted;
    const { files } = wanted;
    this.bytesTotal = files.includes(STDIN) ? 0 : sizeOfFiles(files);
    this.records = new RecordSort(scratch, KEY_BYTES, 0);
  }

  async readFile(path: string): Promise<void> {
    const file = await openText(path, this.wanted.stdin);
    try {
      const form = recogniseForm(file);
      this.what ??= form.what;
      if (form.what !== this.what)
        throw new Error(
          `${file.name} has ${form.what} and not ${this.what}, as the files before: import it by itself.`,
        );
      const tally = new RowTally();
      this.tallies.push([file.name, tally]);
      for await (const { firstLine, lines } of file.blocks()) {
        const isLast = !this.addRows(file.name, form, { firstLine, lines }, tally);
        this.bytes = this.bytesBefore + file.bytesRead();
        this.wanted.onReading(this.progress());
        if (isLast) break;
      }
      this.bytesBefore += file.bytesRead();
    } finally {
      file.close();
    }
  }

  progress(): ImportProgress {
    const rows = this.records.added + this.refusals.total;
    return { phase: 'reading', rows, bytesDone: this.bytes, bytesTotal: this.bytesTotal };
  }

  /** @returns false behind the last row of the table */
  private addRows(
    name: string,
    form: Form,
    { firstLine, lines }: { firstLine: number; lines: readonly string[] },
    tally: RowTally,
  ): boolean {
    const { delimiter, end } = form;
    const last = end === undefined ? -1 : lines.indexOf(end);
    // Titles may have a quote, which is a letter between tabs.
    const rows = delimiter === '\t' ? lines.map(line => line.split(delimiter)) : rowsOf(lines, delimiter);
    for (let i = Math.max(0, form.firstLine - firstLine); i < (last < 0 ? rows.length : last); i++) {
      if (lines[i] === '') continue;
      const refusal = this.addRow(rows[i] ?? [], form);
      if (refusal === undefined) tally.take(1);
      else {
        this.refusals.add(name, firstLine + i, refusal);
        tally.refuse(refusal.rule, 1, () => refusal.why);
      }
    }
    return last < 0;
  }

  private addRow(row: readonly string[], { item: itemAt, number: numberAt, what }: Form): Refusal | undefined {
    const cell = row[itemAt]?.trim();
    if (cell === '' || cell === COPY_NOTHING) return undefined;
    const item = itemOf(cell ?? '');
    if (!(item > 0)) return { rule: 'item', why: `"${cell ?? ''}" is no item of Wikidata` };
    const number = readDecimal(row[numberAt] ?? '');
    const most = what === IMPORTANCE ? 1 : Number.MAX_VALUE;
    if (!(number >= 0 && number <= most)) {
      const range = what === IMPORTANCE ? 'from 0 to 1' : 'from 0';
      return { rule: 'number', why: `its ${what} "${row[numberAt] ?? ''}" is not a number ${range}` };
    }
    this.greatest = Math.max(this.greatest, number);
    const at = this.records.next();
    this.records.view.setUint32(at, item);
    this.records.view.setFloat32(at + 4, number);
    return undefined;
  }

  /** The items in ascending order, each with its importance. */
  *items(): Generator<RatedItem> {
    let [item, number] = [0, 0];
    for (const { bytes, count } of this.records.batches()) {
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      for (let at = 0; at < count * KEY_BYTES; at += KEY_BYTES) {
        const next = view.getUint32(at);
        if (next !== item && item > 0) yield [item, this.importanceOf(number)];
        item = next;
        number = view.getFloat32(at + 4);
      }
    }
    if (item > 0) yield [item, this.importanceOf(number)];
  }

  private importanceOf(number: number): number {
    if (this.what === IMPORTANCE || number === 0) return Math.min(1, number);
    return Math.min(1, Math.log1p(number) / Math.log1p(this.greatest));
  }
}
