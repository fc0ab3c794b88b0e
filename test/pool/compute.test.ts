import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CacheMemory } from '../../src/core/cache_memory.ts';
import { Compute, type ComputeMode } from '../../src/pool/compute.ts';
import type { WorkerFile } from '../../src/pool/messages.ts';
import { OWNER_UNKNOWN } from '../../src/pool/overflow_room.ts';
import { QueryPool } from '../../src/pool/query_pool.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import type { PositionBody } from '../../src/protocol/requests/schema.ts';
import { LOCATE_FAILED, LOCATE_FOUND } from '../../src/radio/query/layout.ts';
import { createRevision } from '../../src/tables/environment/revision.ts';
import { createLayerShare } from '../../src/tables/places/layer_share.ts';
import { WORKER_FILE } from '../../src/tasks/worker_files.ts';
import { Asked, makeDemoFolder, type Outcome, randomBodies } from '../kits/radio/demo_queries.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';
import { HANG_MILLISECONDS, PATIENCE_MILLISECONDS, POISON, SLOW } from './poison.ts';
import type { TEST_TASKS } from './test_tasks.ts';

const folder = folderOfFile();
let cache: CacheMemory;
let errors: string[];
const layers = createLayerShare();
const revision = createRevision();
type TestTasks = typeof TEST_TASKS;
const POISONED: WorkerFile<TestTasks> = new URL('./poisoned_worker.ts', import.meta.url);
const open: Compute<TestTasks>[] = [];
const pools: QueryPool[] = [];

beforeAll(async () => {
  cache = await makeDemoFolder(folder);
});

beforeEach(() => {
  errors = [];
  for (const name of ['met', 'go']) rmSync(join(folder, name), { force: true });
});
afterEach(async () => {
  // What waits after a failure.
  writeFileSync(join(folder, 'go'), '');
  for (const compute of open.splice(0)) await compute.close();
  for (const pool of pools.splice(0)) await pool.close();
});

async function compute(
  mode: ComputeMode,
  more: {
    ringBytes?: number;
    workerFile?: WorkerFile<TestTasks>;
    workers?: number;
    hangMilliseconds?: number | undefined;
    searchesIdleMilliseconds?: number;
  } = {},
): Promise<Compute<TestTasks>> {
  const options = {
    workers: more.workers ?? 1,
    folder,
    cache,
    revision,
    layers,
    onError: (message: string) => void errors.push(message),
    // The real one: its tasks are not asked for where none is named.
    workerFile: more.workerFile ?? (WORKER_FILE as URL),
    ...(more.hangMilliseconds !== undefined && { hangMilliseconds: more.hangMilliseconds }),
    ...(more.searchesIdleMilliseconds && { searchesIdleMilliseconds: more.searchesIdleMilliseconds }),
  };
  const pool =
    mode === 'inline'
      ? undefined
      : new QueryPool({ ...options, httpThreads: 1, ringBytes: more.ringBytes ?? RING_BYTES }).start();
  if (pool !== undefined) pools.push(pool);
  const made = await Compute.open<TestTasks>({ ...options, mode, queries: pool?.channel(0) });
  open.push(made);
  return made;
}

/** Submits all in one tick. */
async function ask(where: Compute<TestTasks>, bodies: readonly PositionBody[]): Promise<Outcome[]> {
  const answers = bodies.map(body => where.submit(new Asked(body)));
  expect(answers).not.toContain(undefined);
  return Promise.all(answers as (Outcome | Promise<Outcome>)[]);
}

describe('a query', () => {
  test('has the same answer inline, in the pool, and where auto sends it', async () => {
    // Every tenth is heavy enough for auto to send it to the pool.
    const bodies = randomBodies(300, 12, 1).map((body, i) => (i % 10 === 0 ? randomBodies(1, 600, i)[0] : body));
    const inline = await ask(await compute('inline'), bodies);
    expect(inline.filter(({ status }) => status === LOCATE_FOUND).length).toBeGreaterThan(200);
    expect(new Set(inline.map(({ latitude }) => latitude)).size).toBeGreaterThan(200);
    expect(await ask(await compute('auto', { workers: 2 }), bodies)).toEqual(inline);
    expect(await ask(await compute('pool', { workers: 2 }), bodies)).toEqual(inline);
    expect(errors).toEqual([]);
  });

  test('too large for the ring is answered from memory of its own', async () => {
    const [large] = randomBodies(1, 150_000, 15);
    expect(large.wifiAccessPoints!.length).toBeGreaterThan(30_000);
    const bodies = [large, ...randomBodies(20, 12, 2), large];
    expect(await ask(await compute('pool'), bodies)).toEqual(await ask(await compute('inline'), bodies));
    expect(await ask(await compute('auto'), bodies)).toEqual(await ask(await compute('inline'), bodies));
  });
});

describe('no room', () => {
  test('in the ring is told at once, and there is room again when answers have come', async () => {
    const where = await compute('pool', { ringBytes: 64 * 1024 });
    for (let round = 0; round < 3; round++) {
      const asked = randomBodies(200, 60, round + 1).map(body => new Asked(body));
      const taken = asked.map(query => where.submit(query)).filter(answer => answer !== undefined);
      expect(taken.length).toBeGreaterThan(20);
      expect(taken.length).toBeLessThan(200);
      for (const answer of taken) expect((await answer).status).not.toBe(LOCATE_FAILED);
    }
  });

  test('for queries larger than the ring is told at once, and there is room again when answers have come', async () => {
    const where = await compute('pool');
    const [body] = randomBodies(1, 12, 3);
    for (let round = 0; round < 2; round++) {
      const asked = Array.from({ length: 6 }, () => new Asked(body, 400_000));
      const taken = asked.map(query => where.submit(query)).filter(answer => answer !== undefined);
      expect(taken).toHaveLength(4);
      expect(await Promise.all(taken)).toEqual(await ask(await compute('inline'), [body, body, body, body]));
    }
  });
});

describe('tasks', () => {
  test('are not taken for hanging while they wait for one another', async () => {
    const where = await compute('pool', { workerFile: POISONED, hangMilliseconds: PATIENCE_MILLISECONDS });
    const tasks = [1, 2].map(answer => where.run('searches', 1, 'slow', { folder, answer }, 1000));
    expect(await Promise.all(tasks)).toEqual([1, 2]);
    expect(readFileSync(join(folder, 'met'), 'utf8')).toBe('++');
  });

  test('leave a worker to the queries', async () => {
    const where = await compute('pool', { workers: 2, workerFile: POISONED });
    const ended: string[] = [];
    const tasks = [1, 2].map(answer =>
      where.run('searches', 1, 'blocking', { folder, answer }, 1000)!.then(() => ended.push('task')),
    );
    await ask(where, randomBodies(50, 12, 10));
    ended.push('queries');
    writeFileSync(join(folder, 'go'), '');
    await Promise.all(tasks);
    expect(ended).toEqual(['queries', 'task', 'task']);
  });
});

describe('light work', () => {
  afterEach(() => void vi.useRealTimers());

  test('is done here where no query has come for a while, and else by a worker', async () => {
    const where = await compute('auto');
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(100);
    const isDone = () => where.runHere(() => true);
    expect(await isDone()).toBe(true);
    await ask(where, randomBodies(1, 12, 10));
    expect(isDone()).toBeUndefined();
    vi.advanceTimersByTime(15);
    expect(isDone()).toBeUndefined();
    vi.advanceTimersByTime(10);
    expect(await isDone()).toBe(true);
  });

  test('is done by a worker where all is', async () => {
    expect((await compute('pool')).runHere(() => true)).toBeUndefined();
  });
});

describe('workers for searches', () => {
  test('live from the start, end when they are idle, and are there again for the next', async () => {
    const ends: Promise<unknown>[] = [];
    const onWorker = (worker: Worker) => void ends.push(once(worker, 'exit'));
    process.on('worker', onWorker);
    onTestFinished(() => void process.off('worker', onWorker));
    const where = await compute('auto', { workerFile: POISONED, searchesIdleMilliseconds: 1 });
    const ended = async (n: number): Promise<void> => {
      while (ends.length <= n) await nextTurn();
      await ends[n];
    };
    where.prepare();
    // The first is that for queries.
    await ended(1);
    where.wake();
    await ended(2);
    writeFileSync(join(folder, 'go'), '');
    expect(await where.run('searches', OWNER_UNKNOWN, 'blocking', { folder, answer: 4 }, 100)).toBe(4);
    expect(ends.length).toBe(4);
    expect(errors).toEqual([]);
  });
});

describe('a task', () => {
  const met = () => readFileSync(join(folder, 'met'), 'utf8');
  const go = () => writeFileSync(join(folder, 'go'), '');
  const openOne = (hangMilliseconds?: number) => compute('auto', { workerFile: POISONED, hangMilliseconds });

  test('of one lane is not waited for in another', async () => {
    const where = await openOne();
    const long = where.run('bodies', 1, 'waiting', { folder, answer: 1 }, 1000);
    const behind = where.run('bodies', 1, 'priority', undefined, 1000)!;
    let isBehindDone = false;
    void behind.then(() => {
      isBehindDone = true;
    });
    for (const lane of ['searches', 'submissions', 'batches'] as const)
      await where.run(lane, 1, 'priority', undefined, 1000);
    expect(await ask(where, randomBodies(5, 600, 11))).toHaveLength(5);
    expect(isBehindDone).toBe(false);
    go();
    expect(await long).toBe(1);
    await behind;
  });

  test('has no room when 64 MB of its lane wait, whatever waits in others', async () => {
    const where = await openOne();
    const long = where.run('bodies', 1, 'waiting', { folder, answer: 1 }, 60 * 1_048_576);
    expect(where.run('bodies', 1, 'priority', undefined, 5 * 1_048_576)).toBeUndefined();
    await where.run('submissions', 1, 'priority', undefined, 64 * 1_048_576);
    await where.run('searches', 1, 'priority', undefined, 64 * 1_048_576);
    go();
    expect(await long).toBe(1);
    await where.run('bodies', 1, 'priority', undefined, 5 * 1_048_576);
  });

  test('of one key waits behind those of its own, not behind those of others', async () => {
    const where = await openOne();
    const long = where.run('searches', 1, 'waiting', { folder, answer: 0 }, 1000);
    const ended: string[] = [];
    const wait = (owner: number, name: string) =>
      where.run('searches', owner, 'priority', undefined, 1000)!.then(() => ended.push(name));
    const behind = ['1a', '1b', '1c', '1d', '2a', '2b', '3a'].map(name => wait(Number(name[0]), name));
    go();
    await long;
    // It comes when the first of the others has begun.
    behind.push(wait(4, '4a'));
    await Promise.all(behind);
    expect(ended.toSorted()).toEqual(['1a', '1b', '1c', '1d', '2a', '2b', '3a', '4a']);
    expect(ended.filter(name => name !== '4a')).toEqual(['1a', '2a', '3a', '1b', '2b', '1c', '1d']);
    expect(ended.indexOf('4a')).toBeLessThan(ended.indexOf('1c'));
  });

  test('of one key leaves room to others', async () => {
    const where = await openOne();
    const take = (owner: number) => where.run('searches', owner, 'waiting', { folder, answer: owner }, 5 * 1_048_576);
    const taken = Array.from({ length: 12 }, () => take(1)).filter(task => task !== undefined);
    // Half of what is left by others: 64 MB hold twelve of them.
    expect(taken).toHaveLength(6);
    const others = [2, 2, 2, 2, 3].map(take);
    expect(others.map(task => task !== undefined)).toEqual([true, true, true, false, true]);
    go();
    expect(await Promise.all([...taken, ...others])).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, undefined, 3]);
  });

  test('that hangs fails after a second worker was ended, and others of that worker do not', async () => {
    const where = await openOne(HANG_MILLISECONDS);
    const other = where.run('submissions', 1, 'waiting', { folder, answer: 7 }, 1000)!;
    await expect(where.run('bodies', 1, 'hanging', { folder, answer: 0 }, 1000)).rejects.toThrow();
    go();
    expect(await other).toBe(7);
    expect(await where.run('bodies', 1, 'waiting', { folder, answer: 8 }, 1000)).toBe(8);
  });

  test('that gets no processor time for long is not taken for hanging', async () => {
    const where = await openOne(HANG_MILLISECONDS);
    expect(await where.run('bodies', 1, 'starved', { folder, answer: 3 }, 1000)).toBe(3);
    expect(met()).toBe('+');
  });

  test('that throws is not repeated', async () => {
    const where = await openOne();
    await expect(where.run('bodies', 1, 'failing', { folder, answer: 0 }, 1000)).rejects.toThrow(
      'The table is damaged.',
    );
    expect(met()).toBe('+');
  });

  test('that is a search leaves its garbage to V8, however much it comes to', async () => {
    const where = await openOne();
    for (let i = 0; i < 30; i++) await where.run('searches', 1, 'littering', 100, 65_536);
    expect(await where.run('searches', 1, 'littering', 0, 0)).toBe(0);
  });

  test('with a large body has its garbage collected', async () => {
    const where = await openOne();
    const body = (megabytes: number) => where.run('bodies', 1, 'littering', 0, megabytes * 1_048_576)!;
    expect([await body(1), await body(1), await body(60)]).toEqual([0, 0, 0]);
    let collections = 0;
    for (let tries = 0; tries < 1000 && collections === 0; tries++) collections = await body(0);
    expect(collections).toBe(1);
  });

  test.runIf(process.platform === 'linux')('has a lower priority, and a search half as low', async () => {
    const where = await openOne();
    const priorities = (['searches', 'bodies', 'submissions', 'batches'] as const).map(lane =>
      where.run(lane, 1, 'priority', undefined, 1),
    );
    const own = getPriority();
    expect(await Promise.all(priorities)).toEqual([5, 10, 10, 10].map(one => Math.max(own, one)));
  });
});

test('a query larger than all room is let in alone', async () => {
  const where = await compute('pool');
  const [body] = randomBodies(1, 12, 4);
  const [alone, second] = [new Asked(body, 2_000_000), new Asked(body, 200_000)];
  const answer = where.submit(alone);
  expect(answer).toBeInstanceOf(Promise);
  expect(where.submit(second)).toBeUndefined();
  expect([await answer]).toEqual(await ask(await compute('inline'), [body]));
  expect(await where.submit(second)).toMatchObject({ status: LOCATE_FOUND });
});

describe('a query that ends its worker', () => {
  const poisoned = (latitude: number): PositionBody => ({ gps: { latitude, longitude: 1, accuracy: 10 } });

  /** Poisons a crowd of queries; resolves when all have their right answer. */
  async function askAmongOthers(poison: PositionBody, hangMilliseconds?: number): Promise<void> {
    const where = await compute('pool', { workerFile: POISONED, workers: 2, hangMilliseconds });
    const bodies = [...randomBodies(400, 60, 5), ...randomBodies(2, 600, 6)];
    const expected = await ask(await compute('inline'), bodies);
    bodies.splice(123, 0, poison);
    expected.splice(123, 0, { status: LOCATE_FAILED });
    const first = ask(where, bodies);
    const second = new Promise<void>((resolve, reject) => {
      // While the first are being computed.
      setImmediate(() =>
        ask(where, bodies.slice(200))
          .then(answers => expect(answers).toEqual(expected.slice(200)))
          .then(resolve, reject),
      );
    });
    expect(await first).toEqual(expected);
    await second;
    expect(readFileSync(join(folder, 'met'), 'utf8')).toBe('++');
    expect(errors.filter(message => message.includes('answered 500'))).toHaveLength(1);
    expect(await ask(where, bodies.slice(200))).toEqual(expected.slice(200));
  }

  test('by exit fails alone, after a second worker died', () => askAmongOthers(poisoned(POISON.exit)));
  test('by a trap fails alone, after a second worker died', () => askAmongOthers(poisoned(POISON.trap)));
  test('by hanging fails alone, after a second worker was ended', () =>
    askAmongOthers(poisoned(POISON.hang), HANG_MILLISECONDS));

  test('twice in a row costs each of them its answer only', async () => {
    const where = await compute('pool', { workerFile: POISONED });
    const bodies = [poisoned(POISON.exit), ...randomBodies(50, 12, 8), poisoned(POISON.trap), poisoned(POISON.exit)];
    const answers = await ask(where, bodies);
    expect(answers.map(({ status }, i) => (status === LOCATE_FAILED ? i : -1)).filter(i => i >= 0)).toEqual([
      0, 51, 52,
    ]);
  });

  test('is not taken for one that only waits behind slow ones', async () => {
    const where = await compute('pool', { workerFile: POISONED, hangMilliseconds: PATIENCE_MILLISECONDS });
    const slow: PositionBody = { gps: { latitude: SLOW, longitude: 1, accuracy: 10 } };
    const answers = [where.submit(new Asked(slow, 600)), where.submit(new Asked(slow, 600))];
    for (const answer of answers) expect(await answer).toMatchObject({ status: LOCATE_FOUND });
    // Each was begun once.
    expect(readFileSync(join(folder, 'met'), 'utf8')).toBe('++');
  });

  test('is still answered when the pool is being closed', async () => {
    const where = await compute('pool', { workerFile: POISONED });
    const answers = ask(where, [poisoned(POISON.exit), ...randomBodies(50, 12, 9)]);
    await where.close();
    open.splice(open.indexOf(where), 1);
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses.filter(status => status === LOCATE_FAILED)).toHaveLength(1);
  });
});
