import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { AccountCounters, allocateCounters, blockOf, itemsAtOnce } from '../../src/accounts/counters.ts';

const memory = allocateCounters();
const counters = new AccountCounters(memory);
let id = 0;

// Each test has an account of its own.
beforeEach(() => {
  id++;
});

/**
 * The bucket that the rate limit stands for: `burst` requests of room, filled with the time. All numbers are whole
 * nanoseconds.
 */
class Bucket {
  private readonly interval: bigint;
  private readonly capacity: bigint;
  private level: bigint;
  private lastNs = 0n;

  constructor(interval: bigint, burst: number) {
    this.interval = interval;
    this.capacity = interval * BigInt(burst);
    this.level = this.capacity;
  }

  /** Whole seconds to wait, 0 when admitted. */
  admit(nowNs: bigint, requests = 1): number {
    this.level += nowNs - this.lastNs;
    if (this.level > this.capacity) this.level = this.capacity;
    this.lastNs = nowNs;
    const cost = this.interval * BigInt(requests);
    if (this.level >= cost) {
      this.level -= cost;
      return 0;
    }
    return Math.ceil(Number(cost - this.level) / 1e9);
  }
}

test('a block is what was spent lately, at least 100 credits, at most one percent of the balance, at least 1', () => {
  const balances = [0, 1, 99, 100, 199, 200, 5050, 9999, 10_000, 2_147_483_647];
  expect(balances.map(balance => blockOf(balance, 0))).toEqual([1, 1, 1, 1, 1, 2, 50, 99, 100, 100]);
  expect(balances.map(balance => blockOf(balance, 3_000))).toEqual([1, 1, 1, 1, 1, 2, 50, 99, 100, 3_000]);
  expect([99, 100, 101, 20_000, 21_000].map(recent => blockOf(2_000_000, recent))).toEqual([
    100, 100, 101, 20_000, 20_000,
  ]);
});

/** Makes credits spendable and spends them, and tells the next block then. */
function spendAt(nowMs: number, credits: number): number {
  counters.settle(id, counters.reserve(id) - credits, credits);
  counters.spend(id, credits);
  return counters.nextBlock(id, nowMs);
}

test('what was spent at once counts whole, half after 0.7 seconds, and not at all after a minute', () => {
  counters.reset(id, 100_000_000);
  expect(counters.nextBlock(id, 10_000)).toBe(100);
  expect(spendAt(10_000, 8_000)).toBe(8_000);
  expect(counters.nextBlock(id, 10_693)).toBeCloseTo(4_000, -1);
  expect(counters.nextBlock(id, 70_000)).toBe(100);
});

test('what was spent over a minute counts as much as a second of it', () => {
  counters.reset(id, 100_000_000);
  counters.nextBlock(id, 10_000);
  expect(spendAt(70_000, 60_000)).toBe(1_000);
});

test('a steady rate counts what is spent in a second, however often it is counted', () => {
  for (const stepMs of [1, 40, 500, 3_000]) {
    id++;
    counters.reset(id, 1_000_000_000);
    counters.nextBlock(id, 0);
    let block = 0;
    for (let nowMs = stepMs; nowMs <= 12_000; nowMs += stepMs) block = spendAt(nowMs, 2 * stepMs);
    expect(block).toBeLessThanOrEqual(2_000);
    expect(block).toBeGreaterThan(1_950);
  }
});

test('the spendable part is never overdrawn', () => {
  counters.settle(id, 0, 5);
  expect(counters.spend(id, 3)).toBe(true);
  expect(counters.spend(id, 3)).toBe(false);
  expect(counters.spend(id, 2)).toBe(true);
  expect(counters.spend(id, 1)).toBe(false);
  expect(counters.spendable(id)).toBe(0);
});

test('accounts do not touch each other, the last id has its slot', () => {
  counters.reset(1_048_575, 7);
  counters.reset(1_048_574, 9);
  expect([counters.total(1_048_574), counters.total(1_048_575)]).toEqual([9, 7]);
  expect(counters.admit(1_048_575, 1, 1e12)).toBe(0);
  expect([counters.total(1_048_574), counters.total(1_048_575), counters.isPrepaid(1_048_573)]).toEqual([9, 7, false]);
});

test('nodes of a cluster divide the rate of an account among them', () => {
  const admitted = (): number => {
    let count = 0;
    for (let nowMs = 0; nowMs < 10_000; nowMs += 10) if (counters.admit(id, 12, 1e12 + nowMs) === 0) count++;
    return count;
  };
  expect(admitted()).toBe(12 * 10 + 12 - 1);
  counters.divideAmong(3);
  counters.admit(id, 12, 2e12);
  expect(4 * 10 + 4 - admitted()).toBeLessThanOrEqual(4);
  counters.divideAmong(0);
});

test('a limit of no account is that of one node, which borrows nothing for it', () => {
  const ofCluster = new AccountCounters(allocateCounters());
  ofCluster.divideAmong(4);
  const asked: number[] = [];
  ofCluster.onShort = account => asked.push(account);
  const admitted = Array.from({ length: 12 }, () => ofCluster.admitHere(10, 5_000)).filter(wait => wait === 0);
  expect([admitted.length, asked]).toEqual([10, []]);
});

test('the balance is reserve and spendable part, and a reset drops the latter', () => {
  counters.reset(id, 100);
  counters.settle(id, counters.reserve(id) - 10, 10);
  counters.spend(id, 4);
  expect([counters.reserve(id), counters.spendable(id), counters.total(id), counters.isPrepaid(id)]).toEqual([
    90,
    6,
    96,
    true,
  ]);
  expect(counters.takeBack(id)).toBe(6);
  expect([counters.reserve(id), counters.spendable(id)]).toEqual([96, 0]);
  counters.reset(id, undefined);
  expect([counters.total(id), counters.isPrepaid(id)]).toEqual([0, false]);
});

test('a balance is read whole while credits move between its parts', async () => {
  counters.reset(id, 1000);
  const stop = new Int32Array(new SharedArrayBuffer(8));
  const mover = new Worker(new URL('./counters_mover.ts', import.meta.url), { workerData: { memory, id, stop } });
  Atomics.wait(stop, 1, 0);
  const seen = new Set<number>();
  for (let i = 0; i < 300_000; i++) seen.add(counters.total(id));
  Atomics.store(stop, 0, 1);
  await new Promise(resolve => mover.once('exit', resolve));
  expect([...seen]).toEqual([1000]);
});

test('an early top-up is wanted with half a block left, while the table holds more, and claimed once', () => {
  counters.reset(id, 20_000);
  expect(counters.needsTopUp(id)).toBe(true);
  counters.settle(id, counters.reserve(id) - 51, 51);
  expect(counters.needsTopUp(id)).toBe(false);
  counters.spend(id, 1);
  expect(counters.needsTopUp(id)).toBe(true);
  expect([counters.beginTopUp(id), counters.beginTopUp(id), counters.needsTopUp(id)]).toEqual([true, false, false]);
  counters.endTopUp(id);
  expect(counters.beginTopUp(id)).toBe(true);
});

test('an account without reserve wants no top-up', () => {
  counters.reset(id, 10);
  counters.settle(id, counters.reserve(id) - 10, 1);
  counters.spend(id, 1);
  expect(counters.needsTopUp(id)).toBe(false);
});

test('five a second: five at once, then one each 200 ms', () => {
  const at = (ms: number) => counters.admit(id, 5, 1_700_000_000_000 + ms);
  expect([at(0), at(0), at(0), at(0), at(0), at(0), at(199)]).toEqual([0, 0, 0, 0, 0, 1, 1]);
  expect([at(200), at(200), at(400), at(599), at(600)]).toEqual([0, 1, 0, 1, 0]);
});

test('one in a hundred seconds: the wait is told in whole seconds, rounded up', () => {
  const at = (seconds: number) => counters.admit(id, 0.01, 1_700_000_000_000 + seconds * 1000);
  expect([at(0), at(0), at(0.5), at(99), at(99.001), at(100)]).toEqual([0, 100, 100, 1, 1, 0]);
});

test('keys without a limit are always admitted', () => {
  for (let i = 0; i < 10; i++) expect(counters.admit(id, undefined, 5)).toBe(0);
});

test('an idle time of any length counts as one full burst', () => {
  let now = 1_700_000_000_000;
  for (const idleMs of [2 ** 31, 2 ** 31 + 1, 2 ** 32 - 500, 2 ** 32, 4_294_967.5, 2_147_483.7, 1e11]) {
    now += idleMs;
    expect([1, 2, 3].map(() => counters.admit(id, 2, now))).toEqual([0, 0, 1]);
  }
});

test('a raised rate holds at once, a lowered one after what was admitted', () => {
  const now = 1_700_000_000_000;
  expect(counters.admit(id, 0.01, now)).toBe(0);
  expect(counters.admit(id, 0.01, now)).toBe(100);
  expect([1, 2, 3, 4].map(() => counters.admit(id, 3, now + 1))).toEqual([0, 0, 0, 1]);
  expect(counters.admit(id, 0.5, now + 1)).toBe(1);
});

test('a clock set back by an hour does not lock the key', () => {
  expect([1, 2].map(() => counters.admit(id, 1, 1_700_000_000_000))).toEqual([0, 1]);
  expect([1, 2].map(() => counters.admit(id, 1, 1_700_000_000_000 - 3_600_000))).toEqual([0, 1]);
});

test('clocks that differ by less than a second share one limit', () => {
  expect([0, -500].map(ms => counters.admit(id, 1, 1_700_000_000_000 + ms))).toEqual([0, 2]);
});

test('the rate limit equals a bucket filled with the time', () => {
  const rate = fc.oneof(
    fc.double({ min: 0.01, max: 20, noNaN: true }),
    fc.integer({ min: 1, max: 1000 }),
    fc.constantFrom(1e6, 0.01, 0.5, 1.5),
  );
  const gapMs = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 2500 }),
    fc.integer({ min: 0, max: 200_000 }),
  );
  fc.assert(
    fc.property(
      rate,
      fc.array(fc.record({ gapMs, requests: fc.integer({ min: 1, max: 30 }) }), { minLength: 1, maxLength: 40 }),
      (ratePerSecond, steps) => {
        id++;
        const bucket = new Bucket(BigInt(Math.round(1e9 / ratePerSecond)), Math.max(1, Math.floor(ratePerSecond)));
        let nowMs = 1_700_000_000_000;
        for (const step of steps) {
          nowMs += step.gapMs;
          for (let i = 0; i < step.requests; i++)
            expect(counters.admit(id, ratePerSecond, nowMs)).toBe(bucket.admit(BigInt(nowMs) * 1_000_000n));
        }
      },
    ),
  );
});

test(
  'of items, an hour of the rate is admitted at once, at least a thousand, and then as many a second as the rate ' +
    'says',
  () => {
    expect([0.01, 0.27, 0.28, 1, 1.5, 50, 1e6].map(itemsAtOnce)).toEqual([
      1000, 1000, 1008, 3600, 5400, 180_000, 3_600_000_000,
    ]);
    const at = (seconds: number, items: number) =>
      counters.admitItems(id, 2, items, 1_700_000_000_000 + seconds * 1000);
    expect([at(0, 7000), at(0, 201), at(0, 200), at(0, 1), at(0, 999)]).toEqual([0, 1, 0, 1, 500]);
    expect([at(499, 999), at(499.5, 999), at(499.5, 1)]).toEqual([1, 0, 1]);
    expect([at(10_000, 7200), at(10_000, 7200), at(13_600, 7200)]).toEqual([0, 3600, 0]);
  },
);

test('items and requests do not use up what is left of each other', () => {
  const now = 1_700_000_000_000;
  expect(counters.admitItems(id, 1, 3600, now)).toBe(0);
  expect([counters.admit(id, 1, now), counters.admit(id, 1, now), counters.admitItems(id, 1, 1, now)]).toEqual([
    0, 1, 1,
  ]);
  counters.reset(id, 1_000_000);
  expect(counters.nextBlock(id, 1_000)).toBe(100);
  expect(counters.admitItems(id, 1, 1, now)).toBe(1);
  // The last account has its own too, and the first nobody's.
  expect([1_048_575, 1].map(each => counters.admitItems(each, 1, 3600, now))).toEqual([0, 0]);
});

test('items of keys without a limit are always admitted', () => {
  expect(counters.admitItems(id, undefined, 1_000_000, 5)).toBe(0);
});

test('the limit of items equals a bucket filled with the time', () => {
  const rate = fc.oneof(fc.double({ min: 0.01, max: 20, noNaN: true }), fc.integer({ min: 1, max: 1_000_000 }));
  const step = fc.record({
    gapMs: fc.integer({ min: 0, max: 4_000_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(rate, fc.array(step, { minLength: 1, maxLength: 40 }), (ratePerSecond, steps) => {
      id++;
      const most = itemsAtOnce(ratePerSecond);
      const bucket = new Bucket(BigInt(Math.round(1e9 / ratePerSecond)), most);
      let nowMs = 1_700_000_000_000;
      for (const { gapMs, share } of steps) {
        nowMs += gapMs;
        const items = Math.max(1, Math.floor(most * share));
        expect(counters.admitItems(id, ratePerSecond, items, nowMs)).toBe(
          bucket.admit(BigInt(nowMs) * 1_000_000n, items),
        );
      }
    }),
  );
});

test('three threads together are admitted as often as one', async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { memory, id, nowMs: 1_700_000_000_000, ratePerSecond: 200_000, tries: 150_000, gate, threads: 3 };
  const threads = [1, 2, 3].map(() => new Worker(new URL('./counters_admitter.ts', import.meta.url), { workerData }));
  const admitted = await Promise.all(
    threads.map(
      thread => new Promise<number>((resolve, reject) => thread.once('message', resolve).once('error', reject)),
    ),
  );
  expect(admitted.reduce((sum, count) => sum + count)).toBe(200_000);
});
