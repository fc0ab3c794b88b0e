import { expect, test } from 'vitest';
import { trendOf } from '../../../bench/soak/trend.ts';
import { normal, uniform } from '../../kits/random.ts';

const minutes = Array.from({ length: 40 }, (_, minute) => minute / 60);

test('the slope of a line is that of the line, whatever single spikes do', () => {
  const points = minutes.map((hours, i) => ({ hours, value: 100 + 5 * hours + (i === 7 ? 400 : 0) }));
  const { slope, from, to } = trendOf(points);
  expect(slope).toBeCloseTo(0.05, 2);
  expect(from).toBeGreaterThan(0.03);
  expect(to).toBeLessThan(0.07);
});

test('noise without a rise has an interval about nothing, and one with a rise does not', () => {
  const noise = normal(uniform(5));
  const values = minutes.map(hours => ({ hours, value: 500 + noise() }));
  const flat = trendOf(values);
  expect(flat.from).toBeLessThan(0);
  expect(flat.to).toBeGreaterThan(0);
  const rising = trendOf(values.map(({ hours, value }) => ({ hours, value: value + 50 * hours })));
  expect(rising.from).toBeGreaterThan(0.05);
  expect(rising.to).toBeLessThan(0.15);
});
