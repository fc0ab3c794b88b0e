import { expect, test } from 'vitest';
import { isFlooded, kneeOf } from '../../../bench/capacity/knee.ts';

const flood = (answers: number, writer = 10) => ({ answers, answeredShare: answers / 15_000, writer });

test('what a flooded service answers is its knee, the median of the rounds', () => {
  expect(kneeOf([flood(9800), flood(6000), flood(10_000)])).toEqual({ rounds: [9800, 6000, 10_000], rate: 9800 });
});

test('a rate with which the service kept pace says nothing about its knee', () => {
  expect(kneeOf([flood(14_900), flood(10_000)])).toEqual({ rounds: [10_000], rate: 10_000 });
  expect(kneeOf([flood(15_000)])).toEqual({ rounds: [] });
  expect(kneeOf([])).toEqual({ rounds: [] });
});

test('a writer that learns for longer than the flood lasts is full before', () => {
  expect(kneeOf([flood(8000, 200)])).toEqual({ rounds: [5000], rate: 5000 });
  expect(kneeOf([flood(8000, 0)]).rate).toBe(8000);
});

test('a few answers that come after the last arrival are no flood', () => {
  expect(isFlooded({ answeredShare: 0.96 })).toBe(false);
  expect(isFlooded({ answeredShare: 0.94 })).toBe(true);
});
