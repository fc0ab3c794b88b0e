import { expect, test } from 'vitest';
import { describeLabResults } from '../../lab/results.ts';
import { COMPARISON, FIGURES } from './drawn_results.ts';

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

test('the table of scans is aligned, with a dash where a method has no figure', () => {
  expect(describeLabResults({ isTrained: true, comparisons: [COMPARISON], hidden: [] })).toBe(
    [
      'set  method        tested  answered  median m  p67 m  p90 m  p95 m  inside   in 68    in 95',
      'a    sextant        1,978    95.1 %       189   99.9      -    5.0  50.0 %  68.1 %  100.0 %',
      '     serving cell   1,978    95.1 %       189   99.9      -    5.0       -       -        -',
      '',
    ].join('\n'),
  );
});

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
