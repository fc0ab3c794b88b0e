import { expect, test } from 'vitest';
import { IdTable } from '../../../../src/geocoding/import/osm/id_table.ts';
import { uniform } from '../../../kits/random.ts';

test('numbers come back by their ids, the last of each, as from a map', () => {
  const random = uniform(11);
  const table = new IdTable();
  const model = new Map<number, number>();
  for (let i = 0; i < 20_000; i++) {
    // Ids of today, below zero, and some that differ only above the 32nd bit.
    const id = (Math.floor(random() * 4_000) - 1_000) * (random() < 0.5 ? 1 : 2 ** 33);
    const value = random() < 0.1 ? 0 : Math.floor(random() * (2 ** 32 - 2));
    table.set(id, value);
    model.set(id, value);
  }
  expect(table.size).toBe(model.size);
  expect([...model.keys()].map(id => table.get(id))).toEqual([...model.values()]);
  expect([0.5, 5_000, 2 ** 52].map(id => [table.has(id), table.get(id)])).toEqual(Array(3).fill([false, -1]));
});
