import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { garbageCollector } from '../../src/pool/collect_idle.ts';

test('an idle thread gives back what it no longer uses, and keeps the rest', async () => {
  const thread = new Worker(new URL('./idle_thread.ts', import.meta.url));
  const { before, after, kept } = await new Promise<Record<'before' | 'after' | 'kept', number>>((resolve, reject) =>
    thread.once('message', resolve).once('error', reject),
  );
  expect(kept).toBe(1);
  expect(before).toBeGreaterThanOrEqual(40);
  expect(after).toBeLessThan(before / 2);
});

test('shared memory that is no longer used counts as garbage until it is collected', () => {
  const shared = { bytes: 0 };
  const collect = garbageCollector(shared);
  shared.bytes = 1_048_576;
  collect();
  expect(shared.bytes).toBe(1_048_576);
  shared.bytes = 1_048_576_000;
  collect();
  expect(shared.bytes).toBe(0);
});

test('threads that collect at the same time do not fail', async () => {
  const threads = Array.from({ length: 4 }, () => new Worker(new URL('./collecting_thread.ts', import.meta.url)));
  const ends = threads.map(thread => new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject)));
  expect(await Promise.all(ends)).toEqual(Array(4).fill('ended'));
});
