import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { watchWaitedCharges } from '../../src/accounts/waited_charges.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the count is told after a second in which it rose, and at the end', () => {
  const counters = new AccountCounters(allocateCounters());
  const told: string[] = [];
  const end = watchWaitedCharges(counters, message => told.push(message));
  vi.advanceTimersByTime(5000);
  expect(told).toEqual([]);
  for (let i = 0; i < 3; i++) counters.countWaitedCharge();
  vi.advanceTimersByTime(5000);
  expect(told).toEqual(['Charges that waited for the writer since the start: 3.']);
  counters.countWaitedCharge();
  end();
  expect(told.slice(1)).toEqual(['Charges that waited for the writer since the start: 4.']);
  counters.countWaitedCharge();
  vi.advanceTimersByTime(5000);
  expect(told).toHaveLength(2);
});
