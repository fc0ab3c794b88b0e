// Kills the service twenty times while contributors send to it. What was acknowledged is in the observation log,
// nothing is there twice although clients send again whatever was not, and the tables are those that follow from the
// log.

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { LearnedWorld } from '../kits/radio/learned_world.ts';
import { uniform } from '../kits/random.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';
import { type Contributor, makeContributors } from './contributor.ts';
import { holdAgainstLog, holdAgainstSent, readLog, readTables, TABLES } from './stored_reports.ts';

/** Of the prepaid contributor at the start. */
const CREDITS = 1000;
const ROUNDS = 20;
const FLAGS = [...FEW_THREADS, '--contribution-credits', '1'];

const folder = folderOfFile();
let service: ServiceProcess | undefined;

afterAll(async () => {
  await service?.stop();
});

/**
 * Contributes until so many requests are acknowledged and some milliseconds have passed, while the tables are perhaps
 * learned anew; then kills the service.
 */
async function contributeAndKill(
  started: ServiceProcess,
  contributors: Contributor[],
  { requests, milliseconds, rebuilds }: { requests: number; milliseconds: number; rebuilds: boolean },
): Promise<void> {
  let left = requests;
  let reached: () => void;
  const enough = new Promise<void>(resolve => {
    reached = resolve;
  });
  const all = contributors.map(contributor =>
    contributor.contribute(started.url, () => {
      left--;
      if (left === 0) reached();
      return true;
    }),
  );
  await Promise.race([enough, ...all]);
  // The rebuild may end before the kill, or with it.
  if (rebuilds) started.job({ verb: 'aggregate', action: 'rebuild' }).catch(() => undefined);
  await delay(milliseconds);
  expect(await started.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
  await Promise.all(all);
}

test('twenty kills lose no acknowledged report, count none twice, and leave the tables that follow from the log', {
  timeout: 600_000,
}, async () => {
  const random = uniform(3);
  service = await ServiceProcess.start(folder, ...FLAGS);
  const { contributors, prepaid } = await makeContributors(service, CREDITS, 0);
  for (let round = 0; round < ROUNDS; round++) {
    const requests = 1 + Math.floor(random() * 40);
    await contributeAndKill(service, contributors, {
      requests,
      milliseconds: random() * 60,
      rebuilds: round % 4 === 3,
    });
    service = await ServiceProcess.start(folder, ...FLAGS);
  }
  for (const contributor of contributors) await contributor.settle(service.url);
  const { progress } = await service.job<{ progress: number }>({ verb: 'aggregate', action: 'all' });
  const { credits } = await service.job<{ credits: number }>({ verb: 'keys', action: 'show', id: prepaid.id });
  expect(await service.stop()).toMatchObject({ code: 0 });

  // Everything was acknowledged in the end, so the log holds exactly what was ever sent.
  expect(await holdAgainstSent(folder, contributors)).toEqual([]);
  const { rows, lastSequence } = await readLog(folder);
  expect(progress).toBe(lastSequence);
  expect(contributors.map(({ refusals }) => refusals)).toEqual([0, 0, 0, 0, 0]);
  // Each report that confirms something is paid for, and none twice.
  const world = new LearnedWorld();
  for (const { report, receivedMs } of rows) world.fold([report], receivedMs);
  const accounts = new AccountTable(folder, { readOnly: true });
  const { earned } = accounts.get(prepaid.id)!;
  await accounts.close();
  const due = world.earning.filter(({ account, day }) => account === prepaid.id && day === earned!.day).length;
  expect(due).toBeGreaterThan(5);
  expect(earned!.credits).toBe(due);
  // It has paid for some positions, and kills forfeit blocks.
  expect(credits).toBeLessThanOrEqual(CREDITS + earned!.credits);

  // What stands on the disk while nobody serves.
  const checked = await runSextant('check', '--data', folder);
  expect(checked.stdout).toContain('all is sound');
  expect(checked.code).toBe(0);
  const live = await readTables(folder);
  expect(TABLES.filter(table => !live.rows.some(row => row.startsWith(`${table} `)))).toEqual(['stale']);
  expect(await holdAgainstLog(folder)).toEqual([]);
});
