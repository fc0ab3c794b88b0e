import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cellLine, ScanFolder } from '../evaluation/scan_folder.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';

const folder = new ScanFolder();
afterAll(() => folder.remove());

/** Forty tracks of one scan each, at the place of one cell of a table with two. */
const lines = (timeOf: (i: number) => number | null) =>
  Array.from({ length: 40 }, (_, i) => cellLine(`track ${i}`, 50 + (i % 2) / 100, 4, 100 + (i % 2), timeOf(i)));
/** Scans without a time are learned as of now. */
const LINES = lines(() => null);
/** Only scans with a time are followed. */
const TIMED = lines(i => 1000 * i);
const TABLE = ['LTE,206,1,5,100,0,4,50,500,10,1,0,1700000000,0', 'LTE,206,1,5,101,0,4,50.01,500,10,1,0,1700000000,0'];

test('a running service is asked for all scans as it is, and learns none', async () => {
  const service = await ServiceProcess.start(join(folder.path, 'data'));
  try {
    await service.job({ verb: 'import', kind: 'cells', files: [folder.write('cells.csv', TABLE)] });
    const { key } = await service.key({ tracking: true });
    const scans = folder.write('scans/town.jsonl.gz', TIMED);
    const report = join(folder.path, 'report.json');
    const asked = ['evaluate', scans, '--url', service.url, '--key', key];
    const { code, stdout, stderr } = await runSextant(...asked, '--follow', '--json', report);
    expect(stderr).toContain('town, fold 0: ');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^set +method +tested +answered .*\ntown +sextant +40 +100\.0 % +0\.0 .*\n +sextant, followed +40 +100\.0 % /,
    );
    const { isTrained, comparisons } = JSON.parse(readFileSync(report, 'utf8'));
    expect(isTrained).toBe(false);
    expect(comparisons).toHaveLength(1);
    expect(comparisons[0].methods[0]).toMatchObject({
      method: 'sextant',
      accuracy: { tested: 40, answered: 40, insideShare: 1 },
    });
    expect(comparisons[0].methods[0].accuracy.p95).toBeLessThan(1);
    expect(comparisons[0].worst).toHaveLength(10);
    const printed = await runSextant(...asked, '--json', '-');
    expect(JSON.parse(printed.stdout).comparisons[0].methods[0]).toEqual(comparisons[0].methods[0]);
    const status = await runSextant('status', '--data', service.folder, '--json');
    expect(JSON.parse(status.stdout).reports.stored).toBe(0);
  } finally {
    expect((await service.stop()).code).toBe(0);
  }
});

test('without a service, one of its own learns four fifths of the tracks and locates the rest', async () => {
  const { code, stdout } = await runSextant('evaluate', folder.write('town.jsonl', LINES));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^set +method +tested +answered .*\ntown +sextant +40 +100\.0 % +0\.0 [^\n]*\n$/);
});

test('what makes no sense together is refused with an error message', async () => {
  const scans = folder.write('town.jsonl', LINES);
  const refused: [words: string[], code: number, sentence: string][] = [
    [[], 2, "missing required argument 'files'"],
    [[scans, '--url', 'http://127.0.0.1:1'], 2, '--url and --key belong together'],
    [[scans, '--hidden', 'cells.csv'], 2, "unknown option '--hidden'"],
    [[join(folder.path, 'none.jsonl')], 1, 'none.jsonl does not exist.'],
    [[folder.path], 1, 'is not a file.'],
    [[scans, '--url', 'http://127.0.0.1:1', '--key', 'k'], 1, 'The service at http://127.0.0.1:1 cannot be asked'],
  ];
  for (const [words, code, sentence] of refused) {
    const ended = await runSextant('evaluate', ...words);
    expect(ended.stderr).toContain(sentence);
    expect(ended.code).toBe(code);
  }
});
