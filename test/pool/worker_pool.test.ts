import { expect, test } from 'vitest';
import { sharedMemoryOf } from '../../src/core/cache_memory.ts';
import { createTaskMemory } from '../../src/pool/slices.ts';
import { WorkerPool } from '../../src/pool/worker_pool.ts';
import { createRevision } from '../../src/tables/environment/revision.ts';
import { createLayerShare } from '../../src/tables/places/layer_share.ts';

test('timers go off between the tasks of a busy worker', async () => {
  const setup = {
    folder: '',
    cache: sharedMemoryOf(1),
    revision: createRevision(),
    layers: createLayerShare(),
    queries: undefined,
    isBackground: false,
  };
  const onLost = (error: Error) => {
    throw error;
  };
  const pool = new WorkerPool(new URL('./timer_worker.ts', import.meta.url), 1, setup, onLost, () => {});
  const { signal } = new AbortController();
  let ended: unknown = 0;
  for (let i = 0; i < 2000 && ended === 0; i++)
    ended = await pool.run({ task: '', input: i, bytes: 0, state: createTaskMemory() }, signal);
  await pool.close();
  expect(ended).toBeGreaterThan(0);
});
