import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mappedInOrder } from '../../../lab/evaluation/in_order.ts';

async function* upTo(count: number): AsyncGenerator<number> {
  for (let i = 0; i < count; i++) yield i;
}

test('results come in the order of the items, however long each takes, and no more are under way than allowed', async () => {
  let underWay = 0;
  let most = 0;
  const work = async (item: number): Promise<number> => {
    most = Math.max(most, ++underWay);
    for (let turn = 0; turn < 1 + ((item * 7) % 5); turn++) await setImmediate();
    underWay--;
    return item;
  };
  const results: number[] = [];
  for await (const result of mappedInOrder(upTo(30), 3, work)) results.push(result);
  expect(results).toEqual(Array.from({ length: 30 }, (_, i) => i));
  expect(most).toBe(3);
});

test('the first failure in order ends it, also with others behind it', async () => {
  const taken: number[] = [];
  const work = async (item: number): Promise<number> => {
    taken.push(item);
    if (item >= 4) throw new Error(`item ${item}`);
    return item;
  };
  const results: number[] = [];
  const all = async () => {
    for await (const result of mappedInOrder(upTo(100), 3, work)) results.push(result);
  };
  await expect(all()).rejects.toThrow('item 4');
  expect(results).toEqual([0, 1, 2, 3]);
  expect(taken.length).toBeLessThan(10);
});
