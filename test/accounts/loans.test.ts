// Nodes of a cluster that share the rate of an account, on a clock of their own.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';

const ID = 1;
/** On their way to another node and back, and until the next loan. */
const WAY_MS = 3;
const PAUSE_MS = 20;

/**
 * Sends requests to nodes for some seconds, one each millisecond or less.
 * @param demand requests a second at each node
 * @param loses tells of each loan whether its answer is lost
 * @returns requests that each node has admitted, by millisecond
 */
function admitted(rate: number, seconds: number, demand: readonly number[], loses: () => boolean): number[][] {
  const nodes = demand.map(() => new AccountCounters(allocateCounters()));
  const loanAtMs = demand.map(() => Number.POSITIVE_INFINITY);
  const endAtMs = demand.map(() => Number.POSITIVE_INFINITY);
  const turns = demand.map(() => 0);
  const owed = demand.map(() => 0);
  let nowMs = 1_000_000;
  for (const [i, node] of nodes.entries()) {
    node.divideAmong(nodes.length);
    node.onShort = () => {
      loanAtMs[i] = nowMs + WAY_MS;
    };
  }
  const borrow = (i: number): void => {
    const others = nodes.filter((_, other) => other !== i);
    const most = nodes[i].used(ID, rate, nowMs);
    const lent = most > 0 ? others[turns[i]++ % others.length].lend(ID, rate, most, nowMs) : 0;
    if (!loses()) nodes[i].borrow(ID, rate, lent);
    loanAtMs[i] = Number.POSITIVE_INFINITY;
    endAtMs[i] = nowMs + PAUSE_MS;
  };
  return Array.from({ length: seconds * 1_000 }, () => {
    nowMs++;
    return nodes.map((node, i) => {
      if (loanAtMs[i] <= nowMs) borrow(i);
      if (endAtMs[i] <= nowMs) {
        endAtMs[i] = Number.POSITIVE_INFINITY;
        node.endLoan(ID);
      }
      owed[i] += demand[i] / 1_000;
      let count = 0;
      for (; owed[i] >= 1; owed[i]--) if (node.admit(ID, rate, nowMs) === 0) count++;
      return count;
    });
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

test.each([
  [30, 0.95],
  [300, 0.95],
  // A node that admits one request at once has no room for one that it has borrowed and a part of its own.
  [3, 0.6],
])('a key whose requests all come to one node has its rate of %i there, at least %d of it', (rate, part) => {
  const all = sum(admitted(rate, 60, [2 * rate, 0, 0], () => false).map(sum));
  expect(all).toBeGreaterThan(part * 60 * rate);
  expect(all).toBeLessThanOrEqual(61 * rate);
});

test('where all nodes are asked as much, each admits its share', () => {
  const moments = admitted(30, 60, [60, 60, 60], () => false);
  for (const node of [0, 1, 2]) {
    const all = sum(moments.map(moment => moment[node]));
    expect(all).toBeGreaterThan(0.8 * 600);
    expect(all).toBeLessThan(1.2 * 600);
  }
});

test('all nodes together admit no more than the rate and a burst of each, whatever is asked and lost', () => {
  const demands = fc.array(fc.constantFrom(0, 1, 20, 400), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom(0.5, 3, 40), demands, fc.integer(), (rate, demand, seed) => {
      let state = seed >>> 0;
      const loses = (): boolean => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state < 2 ** 30;
      };
      const moments = admitted(rate, 8, demand, loses).map(sum);
      const bursts = demand.length * Math.max(1, Math.floor(rate / demand.length));
      let window = 0;
      for (const [ms, count] of moments.entries()) {
        window += count - (ms >= 1_000 ? moments[ms - 1_000] : 0);
        expect(window).toBeLessThanOrEqual(bursts + rate + 1);
      }
      expect(sum(moments)).toBeLessThanOrEqual(bursts + 8 * rate);
    }),
    { numRuns: 15, seed: 7 },
  );
});
