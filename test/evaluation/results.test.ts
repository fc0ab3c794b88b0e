import { expect, test } from 'vitest';
import { describeResults } from '../../src/evaluation/results.ts';
import { COMPARISON } from './drawn_results.ts';

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
