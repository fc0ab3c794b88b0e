import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { Garbage } from '../../src/pool/garbage.ts';

const MEGABYTE = 1_048_576;

test('an idle thread gives back what it no longer uses, and keeps the rest', async () => {
  const thread = new Worker(new URL('./idle_thread.ts', import.meta.url));
  const { before, after, kept } = await new Promise<Record<'before' | 'after' | 'kept', number>>((resolve, reject) =>
    thread.once('message', resolve).once('error', reject),
  );
  expect(kept).toBe(1);
  expect(before).toBeGreaterThanOrEqual(40);
  expect(after).toBeLessThan(before / 2);
});

test('a query worker gives back what its start left before it sleeps, however little', async () => {
  const thread = new Worker(new URL('./sleeping_thread.ts', import.meta.url));
  expect(await new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject))).not.toBe(0);
});

test('shared memory that is no longer used is collected when it is much', async () => {
  const collected = vi.fn();
  const registry = new FinalizationRegistry(collected);
  (() => registry.register(new SharedArrayBuffer(MEGABYTE), 'shared'))();
  const garbage = new Garbage(false);
  garbage.drop(31 * MEGABYTE);
  garbage.collectBuffers();
  expect(garbage.droppedBytes).toBe(31 * MEGABYTE);
  garbage.drop(MEGABYTE);
  garbage.collectBuffers();
  expect(garbage.droppedBytes).toBe(0);
  await vi.waitFor(() => expect(collected).toHaveBeenCalledWith('shared'), { timeout: 30_000 });
});

test('threads that collect at the same time do not fail', async () => {
  const threads = Array.from({ length: 4 }, () => new Worker(new URL('./collecting_thread.ts', import.meta.url)));
  const ends = threads.map(
    thread => new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject)),
  );
  expect(await Promise.all(ends)).toEqual(Array(4).fill('ended'));
});
