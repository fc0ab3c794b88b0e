import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentGeneration, generationPath, openGeneration } from '../../src/tables/generation.ts';
import { Owner } from '../../src/writer/owner.ts';
import { createSharedState } from '../../src/writer/shared.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'owner-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function openOwner(): Promise<Owner> {
  const options = {
    folder,
    sync: 'commit' as const,
    logMegabytes: 1,
    keepObservations: 'forever' as const,
    contributionCredits: 1,
    aggregatedThrough: () => 0,
    onAppended: () => {},
    onError: (error: Error) => {
      throw error;
    },
    runImport: () => Promise.reject(new Error('This test imports nothing.')),
  };
  return Owner.open(options, createSharedState(1, 0), false);
}

const context = { folder: '', sync: 'commit' as const, onProgress: () => {} };

test('a block that is being debited when the owner closes is given back', async () => {
  const first = await openOwner();
  const { id } = (await first.run({ verb: 'keys', action: 'create', settings: { credits: 10_000 } }, context)) as { id: number };
  const topUp = first.answer({ n: 1, name: 'topUp', ask: { account: id, credits: 1 } });
  await first.close();
  expect(await topUp).toBe(100);
  const second = await openOwner();
  expect(await second.run({ verb: 'keys', action: 'show', id }, context)).toMatchObject({ credits: 10_000 });
  await second.close();
});

/** Areas in the live tables, which nobody has open. */
async function countAreas(): Promise<number> {
  const generation = openGeneration(generationPath(folder, currentGeneration(folder)!));
  const count = [...generation.areas.getKeys()].length;
  await generation.root.close();
  return count;
}

test('the areas of the demo town come and go with it', async () => {
  const first = await openOwner();
  await first.createDemo();
  await first.run({ verb: 'aggregate', action: 'all' }, context);
  await first.close();
  expect(await countAreas()).toBe(1);
  const second = await openOwner();
  await second.run({ verb: 'demo-remove' }, context);
  await second.run({ verb: 'aggregate', action: 'all' }, context);
  await second.close();
  expect(await countAreas()).toBe(0);
});
