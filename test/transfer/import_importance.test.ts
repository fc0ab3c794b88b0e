import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importancePath, livePlaces } from '../../src/tables/places/extract_files.ts';
import { ImportanceTable } from '../../src/tables/places/importance_table.ts';
import { ReplacementRefused } from '../../src/tables/sources/source_name.ts';
import { type ImportanceSummary, importImportance } from '../../src/transfer/import_importance.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const HEADER = 'language\ttype\ttitle\timportance\twikidata_id\n';

interface Imported {
  folder: string;
  summary: ImportanceSummary;
  /** What the table says of items, to three digits. */
  of(...items: number[]): (number | undefined)[];
}

/** Imports contents, each as a file, into a folder. */
async function bring(contents: (string | Buffer)[], more: object = {}): Promise<Imported> {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  const paths = contents.map((_, i) => join(files, `table-${i + 1}.csv`));
  for (const [i, path] of paths.entries()) writeFileSync(path, contents[i]);
  const nothing = { stdin: Readable.from([]), onReading: () => {}, onProgress: () => {} };
  const summary = await importImportance({ folder, files: paths, ...nothing, ...more });
  const of = (...items: number[]) => {
    const table = new ImportanceTable(importancePath(folder, summary.kept.file));
    const said = items.map(item => table.importanceOf(item));
    table.close();
    return said.map(importance => importance && Math.round(importance * 1_000) / 1_000);
  };
  return { folder, summary, of };
}

test('the greatest importance of an item counts, whatever its title has in it', async () => {
  const rows = ['en\ta\tA\t0.5\tQ64', 'de\ta\t"B\t0.75\tQ64', 'fr\tr\tC, "d"\t0.25\tQ64', 'en\ta\tD\t1\tQ4294967295'];
  const { summary, of, folder } = await bring([`${HEADER}${rows.join('\n')}\n`]);
  expect(of(64, 4_294_967_295, 65)).toEqual([0.75, 1, undefined]);
  expect(summary).toMatchObject({ rows: 4, accepted: 4, refused: 0, places: 0, kept: { name: 'table-1', items: 2 } });
  expect(livePlaces(folder)?.importance).toEqual([summary.kept]);
});

test.each<[string, string | Buffer]>([
  ['tabs, compressed', gzipSync('qid\tpage_rank\nQ1\t9\nQ2\t99\nQ3\t0\n')],
  ['commas and quotes', 'title,Item,Views\n"a, b",Q1,9\n"c ""d""",Q2,99\ne,Q3,0\n'],
  ['semicolons, and lines of Windows', 'wikidata;population\r\nQ1;9\r\nQ2;99\r\nQ3;0\r\n'],
  ['addresses', 'item,sitelinks\nhttp://www.wikidata.org/entity/Q1,9\nhttp://www.wikidata.org/entity/Q2,99\nQ3,0\n'],
  ['no header', 'Q1\t9\nQ2\t99\nQ3\t0\n'],
  [
    'a dump of PostgreSQL',
    'CREATE TABLE wiki (title text);\n\nCOPY public.wiki (title, pagerank, wd_page_title) FROM stdin;\n' +
      'a\t9\tQ1\nb\t99\tQ2\nc\t0\tQ3\nd\t5\t\\N\n\\.\n\nALTER TABLE wiki;\n',
  ],
])('numbers without an end count by their logarithm: %s', async (_, content) => {
  const { of, summary } = await bring([content]);
  expect(of(1, 2, 3, 4)).toEqual([0.5, 1, 0, undefined]);
  expect(summary).toMatchObject({ accepted: 3, refused: 0 });
});

test('of several numbers the importance counts', async () => {
  const { of } = await bring(['population,importance,wikidata_id\n9,0.25,Q1\n99,0.125,Q2\n']);
  expect(of(1, 2)).toEqual([0.25, 0.125]);
});

test('several files are one table, and standard input is one of them', async () => {
  const stdin = Readable.from([Buffer.from('qid,importance\nQ2,0.5\n')]);
  const { of, summary } = await bring([], { files: ['-'], stdin, source: 'piped' });
  expect([of(2), summary.kept.name]).toEqual([[0.5], 'piped']);
  const both = await bring(['qid,importance\nQ1,0.5\n', 'wikidata\timportance\nQ2\t0.25\nQ1\t1\n']);
  expect([both.of(1, 2), both.summary.kept.name]).toEqual([[1, 0.25], 'table-1 table-2']);
});

test('bad rows are named and left out, those without an item are not counted', async () => {
  const bad = ['x\t0.5\tP31', 'x\t1.5\tQ2', 'x\t-1\tQ3', 'x\t\tQ4', 'x', 'x\t0.5\tQ4294967296', 'x\t0.5\tQ0'];
  const rows = ['x\t0.5\tQ1', '', 'x\t0.5\t', ...bad];
  const good = Array.from({ length: 10 }, (_, i) => `x\t0.5\tQ${10 + i}`);
  const { summary, of } = await bring([`title\timportance\twikidata\n${[...rows, ...good].join('\n')}`]);
  expect(summary).toMatchObject({ rows: 18, accepted: 11, refused: 7, refusedByRule: { item: 4, number: 3 } });
  expect(summary.mostlyRefused).toBeUndefined();
  expect(summary.refusedLines.map(({ line, why }) => `${line}: ${why}`)).toEqual([
    '5: "P31" is no item of Wikidata',
    '6: its importance "1.5" is not a number from 0 to 1',
    '7: its importance "-1" is not a number from 0 to 1',
    '8: its importance "" is not a number from 0 to 1',
    '9: "" is no item of Wikidata',
  ]);
  expect(of(1, 2, 10)).toEqual([0.5, undefined, 0.5]);
});

test.each<[string, string[], RegExp]>([
  [
    'no item',
    ['name,importance\na,1\n'],
    /table-1\.csv is no table of importance: its line 1 names no column for the items of Wikidata \(wikidata_id, /,
  ],
  [
    'no number',
    ['-- a dump\nCOPY wiki (wikidata_id, title) FROM stdin;\n'],
    /its line 2 names no column for how well known they are \(importance, /,
  ],
  ['stations', ['radio,mcc,net\nLTE,206,1\n'], /table-1\.csv is no table of importance: its line 1 /],
  ['binary', [String.fromCharCode(0, 1, 2, 3)], /table-1\.csv is no table of importance: its line 1 /],
  ['nothing', ['qid,views\n'], /table-1\.csv holds nothing to import: no row names an item of Wikidata\./],
  [
    'two kinds of numbers',
    ['qid,views\nQ1,5\n', 'qid,importance\nQ1,0.5\n'],
    /table-2\.csv has importance and not views, as the files before: import it by itself\./,
  ],
])('a file is refused with its name: %s', async (_what, contents, message) => {
  await expect(bring(contents)).rejects.toThrow(message);
});

test('a file of which less than half is taken is named', async () => {
  const { summary } = await bring(['qid,views\nQ1,5\nQ2,many\nQ3,few\n']);
  expect(summary.mostlyRefused).toEqual([
    expect.objectContaining({ rows: 3, taken: 1, reason: 'its views "many" is not a number from 0', reasonRows: 2 }),
  ]);
});

test('another table of the name is refused, unless the first may go', async () => {
  const { folder, summary } = await bring(['qid,views\nQ1,5\nQ2,6\nQ3,7\n']);
  const again = (content: string, replace: boolean) => {
    const path = join(temporaryFolder(), 'table-1.csv');
    writeFileSync(path, content);
    const nothing = { stdin: Readable.from([]), onReading: () => {}, onProgress: () => {} };
    return importImportance({ folder, files: [path], replace, ...nothing });
  };
  await expect(again('qid,views\nQ1,5\nQ9,6\n', false)).rejects.toThrow(ReplacementRefused);
  await expect(again('qid,views\nQ1,5\nQ9,6\n', false)).rejects.toThrow(
    'lacks 2 of the 3 items of the source "table-1"',
  );
  expect(livePlaces(folder)?.importance).toEqual([summary.kept]);
  expect(readdirSync(join(folder, 'extracts'))).toEqual(['1.importance']);
  const replaced = await again('qid,views\nQ1,5\nQ9,6\n', true);
  expect(livePlaces(folder)?.importance).toEqual([replaced.kept]);
  expect(replaced.kept.items).toBe(2);
});

test('progress reaches the end of the file, and what it throws ends the import without a trace', async () => {
  const content = `qid,views\n${Array.from({ length: 50_000 }, (_, i) => `Q${i + 1},${i}`).join('\n')}\n`;
  const seen: number[] = [];
  await bring([content], { onReading: ({ bytesDone, bytesTotal }: never) => seen.push(bytesDone / bytesTotal) });
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(1);
  for (const at of [1, seen.length]) {
    const folder = temporaryFolder();
    let calls = 0;
    const onReading = () => {
      if (++calls === at) throw new Error('cancelled');
    };
    await expect(bring([content], { folder, onReading })).rejects.toThrow('cancelled');
    expect(livePlaces(folder)).toBeUndefined();
    expect(readdirSync(folder, { recursive: true }).filter(name => /\d|scratch/.test(String(name)))).toEqual([]);
  }
});
