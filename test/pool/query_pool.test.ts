// The query workers of a process with several HTTP threads. One Compute stands for each thread.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CacheMemory } from '../../src/core/cache_memory.ts';
import { Compute } from '../../src/pool/compute.ts';
import { QueryPool } from '../../src/pool/query_pool.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { RunQueue } from '../../src/pool/run_queue.ts';
import { LOCATE_FAILED, LOCATE_FOUND } from '../../src/radio/query/layout.ts';
import { QueryMemory } from '../../src/radio/query/memory.ts';
import { QueryWriter } from '../../src/radio/query/writer.ts';
import { createRevision } from '../../src/tables/environment/revision.ts';
import { createLayerShare } from '../../src/tables/places/layer_share.ts';
import type { WorkerTasks } from '../../src/tasks/tasks.ts';
import { QUERY_FILE, WORKER_FILE } from '../../src/tasks/worker_files.ts';
import { Asked, makeDemoFolder, randomBodies } from '../kits/radio/demo_queries.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';
import { PATIENCE_MILLISECONDS, POISON, SLOW } from './poison.ts';
import type { TEST_TASKS } from './test_tasks.ts';

const POISONED = new URL('./poisoned_worker.ts', import.meta.url);
const BROKEN = new URL('./broken_worker.ts', import.meta.url);
const folder = folderOfFile();
const layers = createLayerShare();
const revision = createRevision();
let cache: CacheMemory;
let errors: string[];
let pool: QueryPool;
const open: Compute<WorkerTasks>[] = [];

beforeAll(async () => {
  cache = await makeDemoFolder(folder);
});
beforeEach(() => {
  errors = [];
  for (const name of ['met', 'go']) rmSync(join(folder, name), { force: true });
});
afterEach(async () => {
  for (const compute of open.splice(0)) await compute.close();
  await pool.close();
});

const onError = (message: string) => void errors.push(message);

function start(workers: number, httpThreads: number, workerFile: URL, limits?: { hangMilliseconds: number }): void {
  pool = new QueryPool({
    workerFile,
    workers,
    httpThreads,
    ringBytes: RING_BYTES,
    folder,
    cache,
    revision,
    layers,
    onError,
    ...limits,
  }).start();
}

async function httpThread(index: number): Promise<Compute<WorkerTasks>> {
  const queries = pool.channel(index);
  const compute = await Compute.open({
    mode: 'pool',
    queries,
    workers: 1,
    workerFile: WORKER_FILE,
    folder,
    cache,
    revision,
    layers,
    onError,
  });
  open.push(compute);
  return compute;
}

const fix = (latitude: number) => new Asked({ gps: { latitude, longitude: 1, accuracy: 10 } });

test('each HTTP thread gets its own answers, and none waits for the backlog of another', async () => {
  start(1, 3, QUERY_FILE);
  const [busy, ...others] = await Promise.all([httpThread(0), httpThread(1), httpThread(2)]);
  const inline = await Compute.open<WorkerTasks>({
    mode: 'inline',
    queries: undefined,
    workers: 1,
    workerFile: WORKER_FILE,
    folder,
    cache,
    revision,
    layers,
    onError,
  });
  open.push(inline);
  const asked = others.map((other, i) => ({ other, bodies: randomBodies(30, 12, i) }));
  const expected = asked.map(({ bodies }) => bodies.map(body => inline.submit(new Asked(body))));
  // Large ones, so that there are many runs. All questions are on their way before the first answer can come.
  const large = randomBodies(400, 900, 21);
  const ended: string[] = [];
  const backlog = Promise.all(large.map(body => busy.submit(new Asked(body))!)).then(() => ended.push('backlog'));
  const answers = await Promise.all(
    asked.map(async ({ other, bodies }) => {
      const own = await Promise.all(bodies.map(body => other.submit(new Asked(body))!));
      ended.push('other');
      return own;
    }),
  );
  expect(answers).toEqual(expected);
  await backlog;
  expect(ended).toEqual(['other', 'other', 'backlog']);
  expect(errors).toEqual([]);
});

test('slow queries in one run are not taken for a hang, however long the run', async () => {
  start(1, 1, POISONED, { hangMilliseconds: PATIENCE_MILLISECONDS });
  const compute = await httpThread(0);
  const first = compute.submit(fix(10))!;
  // Written while the first is under way, so they travel together.
  const answers = await Promise.all([first, ...[SLOW, SLOW, SLOW].map(latitude => compute.submit(fix(latitude))!)]);
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(LOCATE_FOUND));
  expect(errors).toEqual([]);
});

test('a query does not wait for a task', async () => {
  start(1, 1, POISONED);
  const compute = await Compute.open<typeof TEST_TASKS>({
    mode: 'pool',
    queries: pool.channel(0),
    workers: 1,
    workerFile: POISONED,
    folder,
    cache,
    revision,
    layers,
    onError,
  });
  const ended: string[] = [];
  const task = compute.run('searches', 1, 'blocking', { folder, answer: 1 }, 1000)!.then(() => ended.push('task'));
  await compute.submit(fix(10));
  ended.push('query');
  writeFileSync(join(folder, 'go'), '');
  await task;
  await compute.close();
  expect(ended).toEqual(['query', 'task']);
});

test('the queries of an HTTP thread that has ended are withdrawn, and the next thread finds its memory free', async () => {
  start(1, 2, POISONED);
  // What a thread leaves that ends without a word: queries posted, answered and in work.
  const { ring, runs } = pool.channel(0);
  const left = new RunQueue(runs);
  const memory = new QueryMemory(ring);
  for (const offset of [0, 1024, 2048]) {
    fix(offset === 1024 ? POISON.hang : 10).write(new QueryWriter(memory), offset);
    left.post(offset, 1);
  }
  const other = await httpThread(1);
  expect(await other.submit(fix(10))).toMatchObject({ status: LOCATE_FOUND });
  await pool.withdraw(0);
  const next = await httpThread(0);
  const answers = await Promise.all(Array.from({ length: 50 }, () => next.submit(fix(10))!));
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(LOCATE_FOUND));
});

test('without a worker that can start, queries fail instead of waiting', async () => {
  start(2, 1, BROKEN);
  const compute = await httpThread(0);
  const answers = await Promise.all([10, 20, 30].map(latitude => compute.submit(fix(latitude))!));
  expect(answers).toEqual(Array(3).fill({ status: LOCATE_FAILED }));
  expect(errors.join('\n')).toContain('A compute worker was lost: no tables here');
});
