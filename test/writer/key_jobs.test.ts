import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { AccountWriter } from '../../src/accounts/account_writer.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import type { KeysJob } from '../../src/jobs/job.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { runKeysJob } from '../../src/writer/key_jobs.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let writer: AccountWriter;

beforeEach(() => {
  const table = new AccountTable(temporaryFolder());
  onTestFinished(() => table.close());
  writer = new AccountWriter(table, new AccountCounters(allocateCounters()), new Int32Array(4), 0);
});

const run = (job: KeysJob) => runKeysJob(writer, job);

test('credits for a key without a limit make it prepaid only by force', async () => {
  await run({ verb: 'keys', action: 'create', settings: {} });
  await expect(run({ verb: 'keys', action: 'credit', id: 1, credits: 5 })).rejects.toThrow(
    'Key 1 has no limit of credits, and this would make it prepaid; add --force if you mean that.',
  );
  expect(await run({ verb: 'keys', action: 'show', id: 1 })).not.toHaveProperty('credits');
  expect(await run({ verb: 'keys', action: 'credit', id: 1, credits: 5, force: true })).toMatchObject({ credits: 5 });
  expect(await run({ verb: 'keys', action: 'credit', id: 1, credits: 5 })).toMatchObject({ credits: 10 });
});

test('a revoked key is changed only by force', async () => {
  await run({ verb: 'keys', action: 'create', settings: { credits: 5 } });
  await run({ verb: 'keys', action: 'revoke', id: 1 });
  const why = 'Key 1 is revoked, so this would have no effect; add --force to change it all the same.';
  await expect(run({ verb: 'keys', action: 'credit', id: 1, credits: 5 })).rejects.toThrow(why);
  await expect(run({ verb: 'keys', action: 'update', id: 1, settings: { name: 'a' } })).rejects.toThrow(why);
  expect(await run({ verb: 'keys', action: 'update', id: 1, settings: { name: 'a' }, force: true })).toMatchObject({ name: 'a' });
});

test.each<KeysJob>([
  { verb: 'keys', action: 'show', id: 9 },
  { verb: 'keys', action: 'update', id: 9, settings: {} },
  { verb: 'keys', action: 'revoke', id: 9 },
  { verb: 'keys', action: 'credit', id: 9, credits: 1 },
])('an unknown id is told of in the same words: $action', async job => {
  await expect(run(job)).rejects.toThrow('There is no key with id 9.');
});
