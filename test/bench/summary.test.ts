import { expect, test } from 'vitest';
import type { Result } from '../../bench/result.ts';
import { type Results, summaryOf } from '../../bench/summary.ts';
import type { LabResults } from '../../lab/results.ts';

const MACHINE = {
  processor: 'A processor',
  cores: 2,
  memoryGigabytes: 4,
  system: 'linux',
  node: 'v24.0.0',
  packages: {},
  version: '1.2.3',
  commit: 'abcdef0123',
};

const { version, commit, ...OLD_MACHINE } = MACHINE;

function resultOf(
  bench: string,
  tables: [title: string, columns: string[], rows: string[][]][],
  promises: [string, boolean][],
): Result {
  return {
    bench,
    date: '2030-01-02T03:04:05.000Z',
    machine: MACHINE,
    settings: {},
    tables: tables.map(([title, columns, rows]) => ({ title, columns, rows, loss: [] })),
    promises: promises.map(([promise, met]) => ({ promise, figure: '', met })),
    rounds: [],
  };
}

const LATENCY = ['server', 'p50', 'p99', 'p50 to floor', 'p99 to floor'];
const RESULTS: Results = {
  path: resultOf(
    'path',
    [
      [
        'Whole path, closed loop, 1 HTTP thread, 64 connections',
        ['server', 'requests/s', 'to floor'],
        [['inline', '20000', '0.71']],
      ],
    ],
    [['inline sustains at least', true]],
  ),
  load: resultOf(
    'load',
    [['Latency, open loop, 1000 requests/s', LATENCY, [['auto', '200', '1400', '1.25', '2.93']]]],
    [
      ['1000/s: p50 of auto', true],
      ['1000/s: p99 of auto', false],
    ],
  ),
  learn: resultOf(
    'learn',
    [['Learning: 5', ['part', 'observations/s'], [['saturated', '16000']]]],
    [['acknowledged and learned', true]],
  ),
  micro: resultOf(
    'micro',
    [
      ['Reverse geocoding up to 0.002 degrees', ['case', 'ns'], [['Liechtenstein, with address', '10958']]],
      ['Search in Liechtenstein, medians of 7', ['case', 'ns'], [['address', '100505']]],
    ],
    [],
  ),
};

const ACCURACY = {
  tested: 9,
  answered: 9,
  answeredShare: 1,
  p67: 1,
  p90: 1,
  p95: 1,
  inside68Share: null,
  inside95Share: null,
};
const EVALUATION: LabResults = {
  isTrained: true,
  hidden: [],
  comparisons: ['all cells', 'wifi_ariel_scans', 'ilc20_site1_dev'].map((set, i) => ({
    set,
    kind: 'wifi' as const,
    folds: [1],
    worst: [],
    methods: [
      { method: 'sextant', accuracy: { ...ACCURACY, median: 7 + i, insideShare: 0.5 } },
      { method: 'poor', accuracy: { ...ACCURACY, median: 300, insideShare: null } },
      { method: 'good', accuracy: { ...ACCURACY, median: 150, insideShare: null } },
    ],
  })),
};

test('six lines say what was measured, beside the best other method, and which promise was missed', () => {
  const lines = summaryOf(RESULTS, EVALUATION).split('\n');
  expect(lines).toHaveLength(6);
  expect(lines[0]).toContain('20,000 positions a second');
  expect(lines[0]).toContain('we promise 0.7 (kept)');
  expect(lines[1]).toContain('we promise 1.3 (kept) and 1.5 (**missed**)');
  expect(lines[3]).toBe('- Places in Liechtenstein: an address of a point in 11 µs, a place by its address in 101 µs.');
  expect(lines[4]).toContain(
    'median error 7.0 m, where the best simple method on the same scans (good) has 150 m; the radius holds 50.0 %',
  );
  expect(lines[5]).toMatch(/outdoors: median error 8\.0 m.*Indoors: median error 9\.0 m/);
});

test.each([
  ['another commit', { ...MACHINE, commit: '9876543210' }, 'load 2030-01-02, version 1.2.3, commit 9876543210'],
  ['changed files', { ...MACHINE, commit: 'abcdef0123+changes' }, 'commit abcdef0123+changes'],
  ['no commit', OLD_MACHINE, 'load 2030-01-02, commit not recorded'],
])('results of %s are not mixed with others without saying so', (_, machine, said) => {
  const line = summaryOf({ ...RESULTS, load: { ...RESULTS.load, machine } }, EVALUATION).split('\n')[6];
  expect(line).toContain(
    `- The figures of speed were not measured with one commit: path 2030-01-02, version ${version}, commit ${commit}`,
  );
  expect(line).toContain(said);
});

test('figures that are not there are no figures', () => {
  const without = { ...RESULTS, micro: { ...RESULTS.micro, tables: [] } };
  expect(() => summaryOf(without, EVALUATION)).toThrow('The benchmark micro has no table "Reverse geocoding up to".');
  expect(() => summaryOf(RESULTS, { ...EVALUATION, comparisons: [] })).toThrow('The evaluation has no set all cells.');
});
