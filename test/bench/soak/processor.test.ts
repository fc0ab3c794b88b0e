// Whose the processor time of a machine was.

import { expect, test } from 'vitest';
import { readMachine, usedBetween } from '../../../bench/soak/processor.ts';

test('reads the ticks of a machine, stolen ones among those in use', () => {
  const text = 'cpu  1000 200 300 5000 100 10 20 370 40 0\ncpu0 500 100 150 2500 50 5 10 185 20 0\nctxt 7\n';
  expect(readMachine(text)).toEqual({ busy: 19, all: 70 });
});

test('others have what neither the service nor the load had', () => {
  const before = { service: 10, others: 4, all: 100 };
  expect(usedBetween(before, { service: 22, others: 6, all: 120 })).toEqual({ service: 12, others: 0.1 });
  expect(usedBetween(before, { service: 22, others: 3.99, all: 120 }).others).toBe(0);
});
