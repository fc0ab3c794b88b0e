import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { AccountWriter } from '../../src/accounts/account_writer.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { AccountDirectory } from '../../src/accounts/directory.ts';
import type { KeysJob } from '../../src/jobs/job.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports } from '../../src/tables/observations/report.ts';
import { RequestLog } from '../../src/tables/requests/request_log.ts';
import { runKeysJob } from '../../src/writer/key_jobs.ts';
import { numberedReport } from '../kits/radio/reports.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let table: AccountTable;
let writer: AccountWriter;
let log: RequestLog;
let observations: ObservationLog;

beforeEach(() => {
  observations = new ObservationLog(temporaryFolder(), 'commit');
  onTestFinished(() => observations.close());
  table = new AccountTable(temporaryFolder());
  onTestFinished(() => table.close());
  log = RequestLog.open(temporaryFolder(), 1, () => {});
  onTestFinished(() => log.close());
  writer = new AccountWriter(table, new AccountCounters(allocateCounters()), new Int32Array(4), 0);
});

const run = (job: KeysJob) => runKeysJob(writer, log.usage, observations, job);

test('credits for a key without a limit make it prepaid only by force', async () => {
  await run({ verb: 'keys', action: 'create', settings: {} });
  await expect(run({ verb: 'keys', action: 'credit', id: 1, credits: 5 })).rejects.toThrow(
    'Key 1 has no limit of credits, and this would make it prepaid; add --force if you mean that.',
  );
  expect(await run({ verb: 'keys', action: 'show', id: 1 })).not.toHaveProperty('credits');
  expect(await run({ verb: 'keys', action: 'credit', id: 1, credits: 5, force: true })).toMatchObject({ credits: 5 });
  expect(await run({ verb: 'keys', action: 'credit', id: 1, credits: 5 })).toMatchObject({ credits: 10 });
});

test('a key that is shown says what its reports take of the disk', async () => {
  await run({ verb: 'keys', action: 'create', settings: { storageMegabytes: 5 } });
  const shown = (await run({ verb: 'keys', action: 'show', id: 1 })) as object;
  expect(shown).toMatchObject({ storageMb: 5 });
  expect(shown).not.toHaveProperty('storedBytes');
  await observations.append(packReports([numberedReport(1, { contributor: 1 })]), Date.now());
  expect(await run({ verb: 'keys', action: 'show', id: 1 })).toMatchObject({
    storedBytes: observations.storedBytes(1),
  });
  expect(observations.storedBytes(1)).toBeGreaterThan(0);
});

test('a revoked key is changed only by force', async () => {
  await run({ verb: 'keys', action: 'create', settings: { credits: 5 } });
  await run({ verb: 'keys', action: 'revoke', id: 1 });
  const why = 'Key 1 is revoked, so this would have no effect; add --force to change it all the same.';
  await expect(run({ verb: 'keys', action: 'credit', id: 1, credits: 5 })).rejects.toThrow(why);
  await expect(run({ verb: 'keys', action: 'update', id: 1, settings: { name: 'a' } })).rejects.toThrow(why);
  expect(await run({ verb: 'keys', action: 'update', id: 1, settings: { name: 'a' }, force: true })).toMatchObject({
    name: 'a',
  });
});

test.each<KeysJob>([
  { verb: 'keys', action: 'show', id: 9 },
  { verb: 'keys', action: 'update', id: 9, settings: {} },
  { verb: 'keys', action: 'revoke', id: 9 },
  { verb: 'keys', action: 'credit', id: 9, credits: 1 },
  { verb: 'keys', action: 'rotate', id: 9, overlapSeconds: 0 },
])('an unknown id is told of in the same words: $action', async job => {
  await expect(run(job)).rejects.toThrow('There is no key with id 9.');
});

test('a rotated key works beside the new one for a while, with the same account', async () => {
  const { key: first } = (await run({ verb: 'keys', action: 'create', settings: { name: 'fleet', credits: 5 } })) as {
    key: string;
  };
  const rotated = (await run({ verb: 'keys', action: 'rotate', id: 1, overlapSeconds: 3600 })) as {
    key: string;
    previousKeyUntil: string;
  };
  const untilMs = Date.parse(rotated.previousKeyUntil);
  expect(rotated).toMatchObject({ id: 1, name: 'fleet', credits: 5, key: expect.stringMatching(/^sx_/) });
  expect(rotated.key).not.toBe(first);
  expect(Math.abs(untilMs - Date.now() - 3_600_000)).toBeLessThan(60_000);
  const directory = new AccountDirectory(table, new Int32Array(4), 0);
  expect([first, rotated.key].map(key => directory.find(key, false, untilMs - 1))).toMatchObject([
    { id: 1 },
    { id: 1 },
  ]);
  expect(directory.find(first, false, untilMs)).toBe('expired');
  expect(directory.find(rotated.key, false, untilMs)).toMatchObject({ id: 1 });
  expect(await run({ verb: 'keys', action: 'show', id: 1 })).toMatchObject({
    previousKeyUntil: rotated.previousKeyUntil,
  });
});

test('an earlier key is ended only by force, and without an overlap the old one at once', async () => {
  const { key: first } = (await run({ verb: 'keys', action: 'create', settings: {} })) as { key: string };
  const { key: second } = (await run({ verb: 'keys', action: 'rotate', id: 1, overlapSeconds: 3600 })) as {
    key: string;
  };
  await expect(run({ verb: 'keys', action: 'rotate', id: 1, overlapSeconds: 60 })).rejects.toThrow(
    'add --force to end that one now.',
  );
  const { key: third } = (await run({ verb: 'keys', action: 'rotate', id: 1, overlapSeconds: 3600, force: true })) as {
    key: string;
  };
  const keys = () => {
    const directory = new AccountDirectory(table, new Int32Array(4), 0);
    return [first, second, third].map(key => typeof directory.find(key, false, Date.now()));
  };
  expect(keys()).toEqual(['string', 'object', 'object']);
  await run({ verb: 'keys', action: 'rotate', id: 1, overlapSeconds: 0, force: true });
  expect(keys()).toEqual(['string', 'string', 'string']);
  expect(await run({ verb: 'keys', action: 'show', id: 1 })).not.toHaveProperty('previousKeyUntil');
});

test('a revoked key cannot be rotated, not even by force', async () => {
  await run({ verb: 'keys', action: 'create', settings: {} });
  await run({ verb: 'keys', action: 'revoke', id: 1 });
  await expect(run({ verb: 'keys', action: 'rotate', id: 1, overlapSeconds: 0, force: true })).rejects.toThrow(
    'is revoked for good',
  );
});
