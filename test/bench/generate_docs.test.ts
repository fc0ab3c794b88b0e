import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  DOCUMENTS,
  renderAccuracy,
  renderEvaluation,
  renderFallbacks,
  renderIndoors,
  renderResult,
  renderShort,
  replaceBetweenMarkers,
  withResults,
} from '../../bench/generate_docs.ts';
import type { Result } from '../../bench/result.ts';
import type { LabResults } from '../../lab/results.ts';

const result: Result = {
  bench: 'path',
  date: '2030-01-02T03:04:05.000Z',
  machine: {
    processor: 'A processor',
    cores: 2,
    memoryGigabytes: 4,
    system: 'linux',
    node: 'v24.0.0',
    packages: { fastify: '5.0.0' },
    version: '1.2.3',
    commit: 'abcdef0123',
  },
  settings: {},
  tables: [
    {
      title: 'A title',
      columns: ['server', 'requests/s'],
      rows: [['floor', '40000']],
      loss: [{ threads: 1, lostShare: 0.012, gaps: 3, longestGapMilliseconds: 2.5 }],
    },
  ],
  promises: [{ promise: 'as fast as light', figure: '0.1', met: false }],
  rounds: [],
};

test('a result becomes a Markdown table with its loss, its promises and its machine', () => {
  expect(renderResult(result)).toBe(`A title.

| server | requests/s |
| --- | ---: |
| floor | 40000 |

Steal time: one core busy 1.2 % (3 gaps, longest 2.5 ms).

- **missed**: as fast as light: 0.1

2030-01-02, A processor, 2 cores, 4 GiB, linux, Node v24.0.0, fastify 5.0.0; version 1.2.3, commit abcdef0123.`);
});

test('in short a result has fewer columns and tables, the largest steal time, and only the promises that were missed', () => {
  const [table] = result.tables;
  const tables = [
    { ...table, columns: ['server', 'range', 'requests/s'], rows: [['floor', '1..2', '40000']] },
    { ...table, title: 'Handing over one request', loss: [{ ...table.loss[0], lostShare: 0.034 }] },
  ];
  const promises = [...result.promises, { promise: 'slower than light', figure: '2', met: true }];
  expect(renderShort({ ...result, tables, promises })).toBe(`A title.

| server | requests/s |
| --- | ---: |
| floor | 40000 |

1 of 2 promises are kept:

- **missed**: as fast as light: 0.1

Steal time: at most 3.4 %. 2030-01-02, A processor, 2 cores, 4 GiB, linux, Node v24.0.0; version 1.2.3, commit abcdef0123.`);
  expect(renderShort({ ...result, promises: promises.slice(1) })).toContain('\n1 of 1 promises are kept.\n');
});

test('a result from before commits were recorded says so', () => {
  const { version, commit, ...machine } = result.machine;
  expect(renderResult({ ...result, machine })).toContain('fastify 5.0.0; commit not recorded.');
});

test('only what stands between a benchmark and its end is replaced', () => {
  const document =
    'a\n<!-- bench path -->\nold\n<!-- bench end -->\nb\n<!-- bench load -->\nkept\n<!-- bench end -->\n';
  expect(replaceBetweenMarkers(document, 'path', 'new')).toBe(
    'a\n<!-- bench path -->\nnew\n<!-- bench end -->\nb\n<!-- bench load -->\nkept\n<!-- bench end -->\n',
  );
  expect(() => replaceBetweenMarkers(document, 'micro', 'new')).toThrow('<!-- bench micro -->');
});

const FIGURES = {
  tested: 100,
  answered: 90,
  answeredShare: 0.9,
  median: 120,
  p67: 180,
  p90: 300,
  p95: 400,
  insideShare: 0.5,
  inside68Share: 0.67,
  inside95Share: null,
};
const GUESSED = { mcc: 204, ...FIGURES, farShare: 0.01, abroad: 0, named: {} };
const HIDDEN = [
  { ...GUESSED, radio: 'lte' as const, fallback: 'all' },
  { ...GUESSED, radio: 'lte' as const, fallback: 'lacf' },
  { ...GUESSED, radio: 'any' as const, fallback: 'lacf' },
];
const COMPARISON = {
  set: 'town',
  kind: 'wifi' as const,
  folds: [1],
  methods: [{ method: 'sextant', accuracy: FIGURES }],
  worst: [],
};

test('an evaluation becomes a table of scans, and one of hidden cells without the fallbacks of single radio types', () => {
  expect(
    renderEvaluation({ isTrained: true, comparisons: [COMPARISON], hidden: HIDDEN }),
  ).toBe(`| set | method | tested | answered | median m | p67 m | p90 m | p95 m | inside | in 68 | in 95 |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| town | sextant | 100 | 90.0 % | 120 | 180 | 300 | 400 | 50.0 % | 67.0 % | - |

| mcc | radio | fallback | tested | answered | median m | p67 m | p90 m | p95 m | inside | in 68 | in 95 | > 50 km | abroad |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 204 | lte | all | 100 | 90.0 % | 120 | 180 | 300 | 400 | 50.0 % | 67.0 % | - | 1.00 % | 0 |
| 204 | any | lacf | 100 | 90.0 % | 120 | 180 | 300 | 400 | 50.0 % | 67.0 % | - | 1.00 % | 0 |`);
});

test(
  'for users an evaluation becomes a table of the service with the best simple method, and one of fallbacks with ' +
    'the countries side by side',
  () => {
    const simple = [140, 130, 150].map(median => ({ method: `simple ${median}`, accuracy: { ...FIGURES, median } }));
    const comparisons = [{ ...COMPARISON, methods: [...COMPARISON.methods, ...simple] }];
    const hidden = [...HIDDEN, { ...GUESSED, mcc: 206, answeredShare: 1, radio: 'any' as const, fallback: 'lacf' }];
    const results = { isTrained: true, comparisons, hidden };
    expect(
      renderAccuracy(results),
    ).toBe(`| set | tested | answered | median m | p95 m | inside | in 68 | in 95 | best simple method |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| town | 100 | 90.0 % | 120 | 400 | 50.0 % | 67.0 % | - | 130 |`);
    expect(renderFallbacks(results)).toBe(`| fallback | answered | median m | p95 m | inside |
| --- | ---: | ---: | ---: | ---: |
| \`lacf\` | 90.0, 100.0 % | 120, 120 | 400, 400 | 50.0, 50.0 % |`);
  },
);

test('in buildings users see the service alone, without shops', () => {
  const accuracy = {
    tested: 10,
    answered: 9,
    mean: 5,
    median: 4,
    p90: 10,
    p95: 12,
    insideShare: 0.5,
    floorShare: 1,
    buildingShare: 1,
  };
  const figures = { ...accuracy, rooms: 8, roomShare: 0.75, shops: 2, shopShare: 0.5 };
  const methods = ['sextant', 'fingerprints, kNN 7', 'sextant, tracked'].map(method => ({ method, accuracy: figures }));
  const row = '10 | 90.0 % | 5.00 | 4.00 | 10.00 | 12.00 | 50.0 % | 100.00 % | 100.00 % | 8 | 75.0 % |';
  expect(renderIndoors([{ set: 'mall', methods }]).split('\n')).toEqual([
    '| set | method | tested | answered | mean m | median m | p90 m | p95 m | inside | floor | building | ' +
      'rooms | right |',
    `| --- | --- |${' ---: |'.repeat(11)}`,
    `| mall | sextant | ${row}`,
    `|  | sextant, tracked | ${row}`,
  ]);
});

test('the stored evaluation names no tracks', () => {
  const stored = readFileSync(new URL('../../bench/results/evaluate.json', import.meta.url), 'utf8');
  expect((JSON.parse(stored) as LabResults).comparisons.flatMap(({ worst }) => worst)).toEqual([]);
});

test.each([...DOCUMENTS])('%s has the figures of the stored results', (document, parts) => {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8');
  expect(text).toBe(withResults(text, parts));
});
