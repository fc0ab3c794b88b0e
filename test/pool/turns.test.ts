import { expect, test } from 'vitest';
import { Turns } from '../../src/pool/turns.ts';

/** Works for longer than a turn. */
function work(): void {
  const end = performance.now() + 2;
  while (performance.now() < end);
}

test('work is done in its order, and what it throws is thrown', async () => {
  const turns = new Turns();
  const done: number[] = [];
  const all = [1, 2, 3].map(number =>
    turns.add(() => {
      done.push(number);
      if (number === 2) throw new Error('two');
      return number;
    }),
  );
  expect(done).toEqual([]);
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(all[1]).rejects.toThrow('two');
  expect([await all[2], done]).toEqual([3, [1, 2, 3]]);
});

test('behind a millisecond of work others are served', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const one = turns.add(() => {
    work();
    done.push('one');
  });
  const two = turns.add(() => done.push('two'));
  setImmediate(() => done.push('other'));
  await Promise.all([one, two]);
  expect(done).toEqual(['one', 'other', 'two']);
});

test('little may wait', async () => {
  const turns = new Turns();
  const all: Promise<void>[] = [];
  while (!turns.isFull) all.push(turns.add(() => {}));
  expect(all).toHaveLength(32);
  await Promise.all(all);
  expect(turns.isFull).toBe(false);
});
