// Health and readiness: what they answer through a socket, and what each trouble is called.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { answerAlive, type HealthSources, Readiness, readyRoute } from '../../src/api/health.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let served: ServedParts;
beforeAll(async () => {
  served = await serveParts({ mode: 'inline', workers: 1, ringBytes: RING_BYTES });
});
afterAll(() => served.close());

const writerThat = (ask: () => Promise<unknown>) => ({ ask }) as HealthSources['writer'];
const answers = writerThat(async () => true);
const listens = () => true;

test.each([
  ['/health', 'alive'],
  ['/__lbheartbeat__', 'alive'],
  ['/ready', 'ready'],
  ['/__heartbeat__', 'ready'],
])('%s says %s without a key, for nothing, and no cache keeps it', async (path, status) => {
  const before = served.accountWriter.get(1)!.credits;
  const { status: code, json, headers } = await served.get(path);
  expect([code, json]).toEqual([200, { status }]);
  expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  expectError(await served.get(path, { method: 'POST' }), 405, 'methodNotAllowed', 'global');
  expect(served.accountWriter.get(1)!.credits).toBe(before);
});

test('a writer that fails or is late, and a folder that is gone, are named', async () => {
  const folder = temporaryFolder();
  expect(await new Readiness({ folder, writer: answers, listens }).problems()).toEqual([]);
  const failing = writerThat(() => Promise.reject(new Error('The thread has ended.')));
  expect(await new Readiness({ folder, writer: failing, listens }).problems()).toEqual([
    'The writer failed: The thread has ended.',
  ]);
  const gone = new Readiness({ folder: join(folder, 'gone'), writer: answers, listens });
  expect(await gone.problems()).toEqual(['The data folder cannot be read (ENOENT).']);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const late = new Readiness({ folder, writer: writerThat(() => new Promise(() => {})), listens }).problems();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await late).toEqual(['The writer has not answered for 2 s.']);
  } finally {
    vi.useRealTimers();
  }
});

test('a question that cannot even be put fails whoever asks, and nobody else', async () => {
  const gone: HealthSources['writer'] = {
    ask: () => {
      throw new Error('The port is closed.');
    },
  };
  const readiness = new Readiness({ folder: temporaryFolder(), writer: gone, listens });
  await expect(readiness.problems()).rejects.toThrow('The port is closed.');
});

test('a disk that is nearly full is named', async context => {
  const folder = join(temporaryFolder(), 'small');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', folder], { stdio: 'ignore' });
  } catch {
    return context.skip('Mounting a small disk needs the rights of root.');
  }
  try {
    expect(await new Readiness({ folder, writer: answers, listens }).problems()).toEqual([
      'The disk of the data folder has 8 MB left, of 256 needed.',
    ]);
  } finally {
    execFileSync('umount', [folder]);
  }
});

test('however many ask, the writer is asked once a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const ask = vi.fn(async () => true);
    const readiness = new Readiness({ folder: temporaryFolder(), writer: writerThat(ask), listens });
    await Promise.all(Array.from({ length: 50 }, () => readiness.problems()));
    expect(ask).toHaveBeenCalledTimes(1);
    await readiness.problems();
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await readiness.problems();
    expect(ask).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a service that is not ready answers 503 and why', async () => {
  const scope = Fastify();
  scope.get('/health', answerAlive);
  scope.get('/ready', readyRoute(new Readiness({ folder: '/nowhere', writer: answers, listens })));
  const answer = await scope.inject('/ready');
  expect([answer.statusCode, answer.json()]).toEqual([
    503,
    { status: 'notReady', problems: ['The data folder cannot be read (ENOENT).'] },
  ]);
  expect((await scope.inject('/health')).statusCode).toBe(200);
});
