import { expect, test } from 'vitest';
import { describeLabResults } from '../../lab/results.ts';

const SHARES = { insideShare: null, inside68Share: null, inside95Share: null };
const FIGURES = {
  tested: 1978,
  answered: 1881,
  answeredShare: 0.951,
  median: 188.5,
  p67: 99.94,
  p90: null,
  p95: 5,
  ...SHARES,
};
const COMPARISON = {
  set: 'a',
  kind: 'cells' as const,
  folds: [1],
  methods: [
    { method: 'sextant', accuracy: { ...FIGURES, insideShare: 0.5, inside68Share: 0.681, inside95Share: 1 } },
    { method: 'serving cell', accuracy: FIGURES },
  ],
  worst: [],
};
const GUESSED = {
  mcc: 204,
  radio: 'lte' as const,
  fallback: 'all',
  ...FIGURES,
  farShare: 0.0021,
  abroad: 3,
  named: {},
};
const UNANSWERED = { ...FIGURES, answered: 0, answeredShare: 0, median: null, p67: null, p95: null };
const SILENT = { mcc: 204, fallback: 'rncidf', ...UNANSWERED, farShare: null, abroad: 0, named: {} };

test('hidden cells follow in the same columns; a single fallback that answered nothing has no row', () => {
  const hidden = [GUESSED, { ...SILENT, radio: 'lte' as const }, { ...SILENT, radio: 'nr' as const, fallback: 'all' }];
  const text = describeLabResults({ isTrained: true, comparisons: [COMPARISON], hidden });
  const [scans, cells] = text.split('\n\n');
  expect(scans).toMatch(/^set .*\na .*\n .*$/);
  expect(cells).toBe(
    [
      'mcc  radio  fallback  tested  answered  median m  p67 m  p90 m  p95 m  inside  in 68  in 95  > 50 km  abroad',
      '204  lte    all        1,978    95.1 %       189   99.9      -    5.0       -      -      -   0.21 %       3',
      '204  nr     all        1,978     0.0 %         -      -      -      -       -      -      -        -       0',
      '',
    ].join('\n'),
  );
  expect(describeLabResults({ isTrained: true, comparisons: [], hidden })).toBe(cells);
});
