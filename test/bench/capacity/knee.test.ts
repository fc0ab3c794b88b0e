import { expect, test } from 'vitest';
import { findKnee, isOverKnee, KNEE_FACTOR, type SweptRate } from '../../../bench/capacity/knee.ts';

/** A sweep whose median follows a drawn curve. */
function sweep(rates: readonly number[], p50: (rate: number) => number): SweptRate[] {
  return rates.map(rate => ({ rate, p50: p50(rate), answeredShare: 1 }));
}

const RATES = [1000, 3000, 5000, 7000, 8000, 9000, 10_000, 11_000];

test('the knee of a drawn queue is found between the rates', () => {
  // Median 100 / (1 - rate / 10,000), about: five times its lowest value at 8,200.
  const knee = findKnee(sweep(RATES, rate => (rate < 10_000 ? 100 / (1 - rate / 10_000) : 1e6)))!;
  expect(knee).toBeGreaterThan(8000);
  expect(knee).toBeLessThan(8400);
});

test('a straight line on the logarithmic scale is met exactly', () => {
  const growth = Math.log(KNEE_FACTOR) / 4000;
  expect(findKnee(sweep([1000, 2000, 7000, 9000], rate => 50 * Math.exp(growth * (rate - 1000))))).toBeCloseTo(5000, 6);
});

test('the order of the rates does not matter', () => {
  const points = sweep(RATES, rate => 100 + (rate > 8500 ? 10_000 : 0));
  expect(findKnee([...points].reverse())).toBe(findKnee(points));
});

test('a slow rate below good ones is an accident', () => {
  const points = sweep(RATES, rate => (rate === 3000 || rate >= 9000 ? 5000 : 100));
  const knee = findKnee(points)!;
  expect(knee).toBeGreaterThan(8000);
  expect(knee).toBeLessThan(9000);
});

test('a lightly loaded service may be slower than a warm one', () => {
  const points = sweep(RATES, rate => (rate === 1000 ? 300 : rate < 9000 ? 100 : 1000));
  expect(findKnee(points)).toBeGreaterThan(8000);
});

test('missing answers are a knee too, however quick the others were', () => {
  const points = RATES.map(rate => ({ rate, p50: 100, answeredShare: rate >= 10_000 ? 0.8 : 1 }));
  expect(findKnee(points)).toBe(9500);
});

test('a service that always or never keeps pace has no knee in the sweep', () => {
  expect(findKnee(sweep(RATES, () => 100))).toBeUndefined();
  expect(findKnee(RATES.map(rate => ({ rate, p50: 100, answeredShare: 0.5 })))).toBeUndefined();
  expect(() => findKnee([])).toThrow('without rates');
});

test('the limit itself still keeps pace', () => {
  const at = (p50: number) => isOverKnee({ rate: 1, p50, answeredShare: 1 }, 100);
  expect(at(100 * KNEE_FACTOR)).toBe(false);
  expect(at(100 * KNEE_FACTOR + 1)).toBe(true);
});
