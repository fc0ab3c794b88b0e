// Credits under races, kills and stops: no success unpaid, at most a block lost by a kill, nothing by a clean stop.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Racer, totalBut, totalOf } from '../kits/racer.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const CLIENTS = 8;
/** A block is at least that many credits, and else at most what was spent since the start. */
const BLOCK = 100;
const DEMO_POINTS = JSON.stringify({
  wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }],
});
const FLAGS = ['--http-threads', '2', '--compute', 'inline'];

const base = folderOfFile();
let folder: string;
let service: ServiceProcess;

beforeAll(async () => {
  folder = join(base, 'var');
  service = await ServiceProcess.start(folder, ...FLAGS);
});
afterAll(async () => {
  await service?.stop();
});

function race(key: string, goesOn: (status: number) => boolean): Racer[] {
  return Array.from({ length: CLIENTS }, () => new Racer(service.port, `/?key=${key}`, DEMO_POINTS, goesOn));
}

/**
 * Races until so many were answered with a position, then sends the signal; resolves when the process and all
 * connections have ended.
 */
async function raceUntil(key: string, successes: number, signal: NodeJS.Signals): Promise<Racer[]> {
  let left = successes;
  const racers: Racer[] = [];
  await new Promise<void>(reached => {
    racers.push(
      ...race(key, () => {
        left--;
        if (left === 0) reached();
        return true;
      }),
    );
  });
  const ended = await service.stop(signal);
  expect(ended).toMatchObject(signal === 'SIGKILL' ? { signal } : { code: 0, signal: null });
  await Promise.all(racers.map(({ closed }) => closed));
  return racers;
}

/** The balance as the table has it, while nobody serves. */
async function balanceOf(id: number): Promise<number> {
  const { code, stdout, stderr } = await runSextant('keys', 'show', String(id), '--data', folder);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout).credits;
}

test('clients that race on 1,000 credits over two HTTP threads get exactly 1,000 positions', async () => {
  const { id, key } = await service.key({ credits: 1000 });
  const racers = race(key, status => status === 200);
  await Promise.all(racers.map(({ closed }) => closed));
  expect(totalOf(racers, 200)).toBe(1000);
  expect(totalOf(racers, 403)).toBe(CLIENTS);
  expect(totalBut(racers, 200, 403)).toBe(0);
  expect(JSON.parse(racers[0].last).error.errors[0].reason).toBe('creditsExceeded');
  expect(await service.job({ verb: 'keys', action: 'show', id })).toMatchObject({ credits: 0 });
  // Credits that are added are there at once.
  await service.job({ verb: 'keys', action: 'credit', id, credits: 3 });
  const more = race(key, status => status === 200);
  await Promise.all(more.map(({ closed }) => closed));
  expect([totalOf(more, 200), totalOf(more, 403)]).toEqual([3, CLIENTS]);
});

test('a kill in the middle of a race leaves no success unpaid and costs at most a block', async () => {
  const { id, key } = await service.key({ credits: 100_000 });
  let before = 100_000;
  for (const successes of [1500, 2777, 50]) {
    const racers = await raceUntil(key, successes, 'SIGKILL');
    const after = await balanceOf(id);
    const sum = totalOf(racers, 200) + after;
    expect(totalBut(racers, 200)).toBe(0);
    expect(sum).toBeLessThanOrEqual(before);
    // A request of each client may have been paid and its answer killed.
    expect(sum).toBeGreaterThanOrEqual(before - Math.max(BLOCK, totalOf(racers, 200) + CLIENTS) - CLIENTS);
    expect(sum).toBeGreaterThanOrEqual(before - before / 100 - CLIENTS);
    service = await ServiceProcess.start(folder, ...FLAGS);
    const answer = await service.post(key, `${DEMO_POINTS.slice(0, -1)},"credits":1}`);
    expect(answer.json.credits).toBe(after - 1);
    before = after - 1;
  }
});

test.each([
  ['large', 100_000, [2000, 1234]],
  ['small, so that each credit is a block,', 190, [60, 25, 40]],
])('a clean stop in the middle of a race on a %s balance loses nothing', async (_, credits, rounds) => {
  const { id, key } = await service.key({ credits });
  let before = credits;
  for (const successes of rounds) {
    const racers = await raceUntil(key, successes, 'SIGTERM');
    const after = await balanceOf(id);
    expect(totalOf(racers, 200) + after).toBe(before);
    expect(totalBut(racers, 200)).toBe(0);
    before = after;
    service = await ServiceProcess.start(folder, ...FLAGS);
  }
});
