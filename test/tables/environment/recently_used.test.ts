import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentlyUsed } from '../../../src/tables/environment/recently_used.ts';

test('as many are kept as fit, those that were used last', () => {
  const kept = new RecentlyUsed<string>(10);
  kept.set(1, 'one', 4);
  kept.set(2, 'two', 4);
  expect(kept.get(1)).toBe('one');
  kept.set(3, 'three', 2);
  expect([1, 2, 3].map(id => kept.get(id))).toEqual(['one', 'two', 'three']);
  kept.set(4, 'four', 1);
  expect([1, 2, 3, 4].map(id => kept.get(id))).toEqual([undefined, 'two', 'three', 'four']);
});

test('one that is larger than all may be is kept alone', () => {
  const kept = new RecentlyUsed<string>(10);
  kept.set(1, 'one', 4);
  kept.set(2, 'large', 11);
  expect([kept.get(1), kept.get(2)]).toEqual([undefined, 'large']);
  kept.set(3, 'three', 1);
  expect([kept.get(2), kept.get(3)]).toEqual([undefined, 'three']);
});

test('one that is set again counts once', () => {
  const kept = new RecentlyUsed<string>(10);
  for (let i = 0; i < 5; i++) kept.set(1, `${i}`, 6);
  kept.set(2, 'two', 4);
  expect([kept.get(1), kept.get(2)]).toEqual(['4', 'two']);
});

test('what is kept is what a list in the order of use would keep', () => {
  const step = fc.record({
    id: fc.integer({ min: 0, max: 6 }),
    bytes: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const kept = new RecentlyUsed<number>(20);
      let list: { id: number; value: number; bytes: number }[] = [];
      for (const [value, { id, bytes }] of steps.entries()) {
        const known = list.find(each => each.id === id);
        list = list.filter(each => each !== known);
        if (bytes === undefined) {
          expect(kept.get(id)).toBe(known?.value);
          if (known !== undefined) list.push(known);
        } else {
          kept.set(id, value, bytes);
          while (list.length > 0 && list.reduce((sum, each) => sum + each.bytes, bytes) > 20) list.shift();
          list.push({ id, value, bytes });
        }
      }
      for (const { id, value } of list) expect(kept.get(id)).toBe(value);
      for (let id = 0; id <= 6; id++) if (!list.some(each => each.id === id)) expect(kept.get(id)).toBeUndefined();
    }),
    { seed: 1, numRuns: 300 },
  );
});
