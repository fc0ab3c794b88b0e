import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foldOf } from '../../lab/evaluation/folds.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runProgram, runSextant, ServiceProcess } from '../kits/service_process.ts';
import { cellLine, ScanFolder, YEAR_2000_MS } from './evaluation/scan_folder.ts';

const LAB = resolve(import.meta.dirname, '../../lab/main.ts');
const folder = new ScanFolder();
afterAll(() => folder.remove());

/** Forty tracks of one scan each, at the place of one cell of a table with two. */
const lines = (timeOf: (i: number) => number | null) =>
  Array.from({ length: 40 }, (_, i) => cellLine(`track ${i}`, 50 + (i % 2) / 100, 4, 100 + (i % 2), timeOf(i)));
/** Scans without a time are learned as of now. */
const LINES = lines(() => null);
/** Only scans with a time are followed. */
const TIMED = lines(i => YEAR_2000_MS + 1000 * i);
const TABLE = ['LTE,206,1,5,100,0,4,50,500,10,1,0,1700000000,0', 'LTE,206,1,5,101,0,4,50.01,500,10,1,0,1700000000,0'];
/** A hundred sites of three cells along a road. */
const HIDDEN = Array.from(
  { length: 300 },
  (_, i) => `LTE,206,1,5,${Math.floor(i / 3) * 256 + (i % 3)},0,${4 + i / 3000},50.5,500,9,1,0,1700000000,0`,
);

describe('against a running service that is asked as it is', () => {
  let service: ServiceProcess;
  let key: string;
  let scans: string;

  beforeAll(async () => {
    service = await ServiceProcess.start(join(folder.path, 'data'), ...FEW_THREADS);
    const cells = folder.write('cells.csv', TABLE);
    await service.job({ verb: 'import', kind: 'cells', files: [cells] });
    key = (await service.key({ tracking: true })).key;
    scans = folder.write('scans/town.jsonl.gz', TIMED);
  });
  afterAll(async () => {
    expect((await service.stop()).code).toBe(0);
  });

  test('the table and the figures come out, and it learns none of the scans', async () => {
    const report = join(folder.path, 'report.json');
    const words = [scans, '--no-train', '--url', service.url, '--key', key];
    const { code, stdout, stderr } = await runProgram(LAB, ...words, '--follow', '--json', report);
    expect(stderr).toContain('town, fold 1: ');
    expect(code).toBe(0);
    const tested = LINES.filter((_, i) => foldOf(`track ${i}`) !== 0).length;
    expect(stdout).toMatch(/^set +method +tested +answered .*\ntown +sextant +\d+ +100\.0 % +0\.0 /);
    expect(stdout).toMatch(/\n +sextant, followed +\d+ +100\.0 % /);
    const { isTrained, comparisons } = JSON.parse(readFileSync(report, 'utf8'));
    expect(isTrained).toBe(false);
    expect(comparisons).toHaveLength(1);
    expect(comparisons[0].methods[0]).toMatchObject({
      method: 'sextant',
      accuracy: { tested, answered: tested, insideShare: 1 },
    });
    expect(comparisons[0].methods[0].accuracy.p95).toBeLessThan(1);
    expect(comparisons[0].worst).toHaveLength(10);
    const status = await runSextant('status', '--data', service.folder, '--json');
    expect(JSON.parse(status.stdout).reports.stored).toBe(0);
  });

  test('a folder stands for its files, a fold for its tracks, and - for standard output', async () => {
    const words = [
      join(folder.path, 'scans'),
      '--no-train',
      '--url',
      service.url,
      '--key',
      key,
      '--folds',
      '3',
      '--json',
      '-',
    ];
    const { code, stdout } = await runProgram(LAB, ...words);
    expect(code).toBe(0);
    const { comparisons } = JSON.parse(stdout);
    expect(comparisons[0].folds).toEqual([3]);
    expect(comparisons[0].methods[0].accuracy.tested).toBe(LINES.filter((_, i) => foldOf(`track ${i}`) === 3).length);
  });
});

test('without a set the synthetic scans of the demo town are evaluated, and the program says so', async () => {
  const { code, stdout, stderr } = await runProgram(LAB, '--folds', '2');
  expect(code).toBe(0);
  expect(stderr).toContain('No sets are named: these are synthetic scans of the demo town');
  const [, answered, median] = /^demo_town_synthetic +sextant +\d+ +([\d.]+) % +([\d.]+) /m.exec(stdout)!;
  expect(Number(answered)).toBeGreaterThan(90);
  expect(Number(median)).toBeLessThan(30);
  expect(stdout).toMatch(/\n +plain centroid +\d/);
});

test('what makes no sense together is refused with an error message', async () => {
  const scans = folder.write('town.jsonl', LINES);
  const refused: [words: string[], code: number, sentence: string][] = [
    [[scans, '--no-train'], 2, '--no-train needs --url and --key'],
    [[scans, '--url', 'http://127.0.0.1:1'], 2, '--url and --key belong together'],
    [[scans, '--url', 'http://127.0.0.1:1', '--key', 'k'], 2, 'town is tested on several folds'],
    [[scans, '--folds', '1,5'], 2, 'different numbers from 0 to 4'],
    [[scans, '--folds', '1,1'], 2, 'different numbers from 0 to 4'],
    [[scans, '--hidden', 'cells.csv'], 2, 'name sets of scans, or cell tables with --hidden'],
    [['--hidden', 'cells.csv', '--folds', '1'], 2, '--hidden has a service of its own'],
    [[scans, '--indoors', 'walks.jsonl'], 2, '--indoors has services of its own'],
    [[scans, '--split', 'place', '--folds', '1'], 2, '--split place has services and folds of its own'],
    [['--indoors', 'walks.jsonl', '--no-train'], 2, '--indoors has services of its own'],
    [
      [dirname(folder.write('tables/cells.csv', TABLE)), '--url', 'http://127.0.0.1:1', '--key', 'k'],
      2,
      'asked for scans, and there are none',
    ],
    [['--hidden', scans], 1, 'is not a cell table'],
    [[join(folder.path, 'none.jsonl')], 1, 'none.jsonl does not exist.'],
    [
      [scans, '--no-train', '--url', 'http://127.0.0.1:1', '--key', 'k'],
      1,
      'The service at http://127.0.0.1:1 cannot be asked',
    ],
  ];
  for (const [words, code, sentence] of refused) {
    const ended = await runProgram(LAB, ...words);
    expect(ended.stderr).toContain(sentence);
    expect(ended.code).toBe(code);
  }
});

test('cells of a table are hidden, and guessed by a service of its own', async () => {
  const { code, stdout } = await runProgram(LAB, '--hidden', folder.write('hidden.csv', HIDDEN));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^mcc +radio +fallback +tested +answered .*\n206 +lte +all +\d+ +100\.0 % /);
  expect(stdout).toMatch(/\n206 +lte +nbcidf +\d+ +100\.0 % +\d/);
  expect(stdout).not.toContain('mncf');
});

test('a folder is evaluated on its scans and on its cell tables, in one report', async () => {
  folder.write('both/town.jsonl', LINES);
  folder.write('both/hidden.csv', HIDDEN);
  const report = join(folder.path, 'both.json');
  const { code, stdout } = await runProgram(LAB, join(folder.path, 'both'), '--folds', '1', '--json', report);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^set +method [^\0]+\n\nmcc +radio +fallback [^\0]+\n206 +lte +nbcidf /);
  const { isTrained, comparisons, hidden } = JSON.parse(readFileSync(report, 'utf8'));
  expect(isTrained).toBe(true);
  expect(comparisons[0].methods[0]).toMatchObject({
    method: 'sextant',
    accuracy: { answeredShare: 1, inside95Share: 1 },
  });
  expect(hidden[0]).toMatchObject({ mcc: 206, radio: 'lte', fallback: 'all', answeredShare: 1 });
  // The radius of 95 % is the wider one.
  expect(hidden[0].inside95Share).toBeGreaterThan(hidden[0].insideShare);
});
