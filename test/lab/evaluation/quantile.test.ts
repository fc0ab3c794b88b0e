import { expect, test } from 'vitest';
import { quantile } from '../../../lab/evaluation/quantile.ts';
import { uniform } from '../../kits/random.ts';

test('quantiles agree with counting: as large a share of the gaps between values lies below as asked for', () => {
  const random = uniform(3);
  for (let count = 1; count < 40; count++) {
    const values = Array.from({ length: count }, () => Math.floor(random() * 30));
    for (const share of [0, 0.5, 0.67, 0.9, 0.95, 1]) {
      const found = quantile(values, share);
      const below = values.filter(value => value < found).length;
      const upTo = values.filter(value => value <= found).length;
      expect(below).toBeLessThanOrEqual(share * (count - 1) + 1);
      expect(upTo).toBeGreaterThanOrEqual(Math.floor(share * (count - 1)) + 1);
    }
  }
});

test('between two values it goes in proportion', () => {
  expect(quantile([30, 10], 0.5)).toBe(20);
  expect(quantile([10, 20, 40], 0.75)).toBe(30);
  expect(quantile([], 0.5)).toBeNaN();
});
