// Figures of an evaluation, as its table shows them.

const SHARES = { insideShare: null, inside68Share: null, inside95Share: null };
export const FIGURES = {
  tested: 1978,
  answered: 1881,
  answeredShare: 0.951,
  median: 188.5,
  p67: 99.94,
  p90: null,
  p95: 5,
  ...SHARES,
};
export const COMPARISON = {
  set: 'a',
  kind: 'cells' as const,
  folds: [1],
  methods: [
    { method: 'sextant', accuracy: { ...FIGURES, insideShare: 0.5, inside68Share: 0.681, inside95Share: 1 } },
    { method: 'serving cell', accuracy: FIGURES },
  ],
  worst: [],
};
