import { expect, test } from 'vitest';
import { describeResults } from '../../src/evaluation/results.ts';

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

test('the table is aligned, with a dash where a method has no figure', () => {
  expect(describeResults({ isTrained: true, comparisons: [COMPARISON] })).toBe(
    [
      'set  method        tested  answered  median m  p67 m  p90 m  p95 m  inside   in 68    in 95',
      'a    sextant        1,978    95.1 %       189   99.9      -    5.0  50.0 %  68.1 %  100.0 %',
      '     serving cell   1,978    95.1 %       189   99.9      -    5.0       -       -        -',
      '',
    ].join('\n'),
  );
});
