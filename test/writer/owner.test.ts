import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type BuiltMaps, NOTHING_BUILT } from '../../src/indoor/learning/build_maps.ts';
import { type RunTableJob, runTableJob } from '../../src/jobs/table_jobs.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports } from '../../src/tables/observations/report.ts';
import { AREA_KEY_BYTES } from '../../src/tables/stations/areas.ts';
import { currentGeneration, generationPath, openGeneration } from '../../src/tables/stations/generation.ts';
import { ContributionGate } from '../../src/writer/contributions.ts';
import { Owner } from '../../src/writer/owner.ts';
import type { OwnerOptions } from '../../src/writer/owner_options.ts';
import { createSharedState, type SharedState } from '../../src/writer/shared_memory.ts';
import { HOME, numberedReport, report } from '../kits/radio/reports.ts';
import { macKey } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

function openOwner(shared?: SharedState, changes: Partial<OwnerOptions> = {}): Promise<Owner> {
  const options = {
    folder,
    sync: 'commit' as const,
    logMegabytes: 1,
    keepObservations: 'forever' as const,
    rewards: { credits: 1, mostADay: 1_000 },
    onError: (error: Error) => {
      throw error;
    },
    runTableJob,
    ...changes,
  };
  return Owner.open(options, shared);
}

const context = { folder: '', sync: 'commit' as const, onProgress: () => {} };

test('a block that is being debited when the owner closes is given back', async () => {
  const first = await openOwner();
  const { id } = (await first.run({ verb: 'keys', action: 'create', settings: { credits: 10_000 } }, context)) as {
    id: number;
  };
  const topUp = first.answer({ n: 1, name: 'topUp', ask: { account: id, credits: 1 } });
  await first.close();
  expect(await topUp).toBe(100);
  const second = await openOwner();
  expect(await second.run({ verb: 'keys', action: 'show', id }, context)).toMatchObject({ credits: 10_000 });
  await second.close();
});

test('a cancelled import takes back the measurements of its new source, and no others', async () => {
  const cancel = new AbortController();
  let first = 1;
  // Each import brings two reports and ends as one that was cancelled.
  const endEarly: RunTableJob = async (group, _job, { cancelled }, append) => {
    if (group !== 'measurements') return NOTHING_BUILT as never;
    await append!(packReports([numberedReport(first++), numberedReport(first++)]));
    if (cancelled === undefined) return {} as never;
    cancel.abort();
    throw new Error('The import was cancelled');
  };
  const owner = await openOwner(undefined, { runTableJob: endEarly });
  const bring = (source?: string, cancelled: AbortSignal | undefined = cancel.signal) =>
    owner.run(
      { verb: 'import', kind: 'observations', files: [], ...(source && { source }) },
      { ...context, ...(cancelled && { cancelled }) },
    );
  const stored = () => {
    const log = new ObservationLog(folder, 'commit');
    const names = log.sources.list().map(({ name, reports }) => `${name} ${reports}`);
    void log.close();
    return names;
  };
  await expect(bring('walk')).rejects.toThrow('The import was cancelled');
  expect(stored()).toEqual([]);
  await owner.run({ verb: 'import', kind: 'observations', files: [], source: 'kept' }, context);
  // To what is there already, and without a name, it goes on to its end.
  await bring('kept');
  await bring();
  expect(stored()).toEqual(['kept 4']);
  await owner.close();
});

test('credits are given back before jobs have stopped: the process may not wait for them', async () => {
  const shared = createSharedState(1, 0);
  const job = Promise.withResolvers<BuiltMaps>();
  const owner = await openOwner(shared, { runTableJob: (() => job.promise) as RunTableJob });
  const { id } = (await owner.run({ verb: 'keys', action: 'create', settings: { credits: 10_000 } }, context)) as {
    id: number;
  };
  expect(await owner.answer({ n: 1, name: 'topUp', ask: { account: id, credits: 1 } })).toBe(100);
  const learning = owner.run({ verb: 'fingerprints', action: 'learn' }, context);
  const closing = owner.close();
  const table = new AccountTable(folder, { sync: 'commit' });
  await vi.waitFor(() => expect(table.get(id)).toMatchObject({ credits: 10_000 }), { timeout: 30_000 });
  await table.close();
  job.resolve(NOTHING_BUILT);
  await Promise.all([learning, closing]);
});

describe('contributions', () => {
  const pack = (...numbers: number[]) => packReports(numbers.map(n => numberedReport(n)));
  const contribute = (owner: Owner, account: number, reports: Uint8Array) =>
    owner.answer({ n: 1, name: 'contribute', ask: { account, reports } });

  test('are answered when they are committed, and their room is given free, also after a failure', async () => {
    const shared = createSharedState(1, 0);
    const gate = new ContributionGate(shared.pendingContributions);
    const owner = await openOwner(shared);
    const { id } = (await owner.run(
      { verb: 'keys', action: 'create', settings: { credits: 1, contributor: true } },
      context,
    )) as { id: number };
    const [whole, damaged] = [pack(1, 2, 1), pack(3).subarray(0, 9)];
    for (const { byteLength } of [whole, damaged]) expect(gate.reserve(byteLength)).toBe(true);
    expect(await contribute(owner, id, whole)).toEqual({ accepted: 2, duplicates: 1 });
    await expect(contribute(owner, id, damaged)).rejects.toThrow('Packed reports are damaged');
    expect(new Int32Array(shared.pendingContributions)[0]).toBe(0);
    expect(await owner.contribute(0, pack(4))).toEqual({ accepted: 1, duplicates: 0 });
    expect(await owner.run({ verb: 'aggregate', action: 'all' }, context)).toMatchObject({ progress: 3 });
    await owner.close();
    const log = new ObservationLog(folder, 'commit');
    expect(log.read(1, 10).map(({ report }) => report)).toEqual([1, 2, 4].map(n => numberedReport(n)));
    await log.close();
  });

  test('that are under way when the owner closes are committed, and rewarded once they are learned', async () => {
    const owner = await openOwner();
    const create = async () =>
      (
        (await owner.run({ verb: 'keys', action: 'create', settings: { credits: 1, contributor: true } }, context)) as {
          id: number;
        }
      ).id;
    const ids = [await create(), await create()];
    const contributed = ids.map(id => contribute(owner, id, packReports([report(id, HOME, 0, [{ key: macKey(1) }])])));
    await owner.close();
    expect(await Promise.all(contributed)).toEqual([1, 2].map(() => ({ accepted: 1, duplicates: 0 })));
    const again = await openOwner();
    await again.run({ verb: 'aggregate', action: 'all' }, context);
    for (const id of ids)
      expect(await again.run({ verb: 'keys', action: 'show', id }, context)).toMatchObject({ credits: 2 });
    await again.close();
  });

  test('are dropped by the service when they are old enough and aggregated', async () => {
    const first = await openOwner();
    await first.contribute(0, pack(1, 2));
    await first.run({ verb: 'aggregate', action: 'all' }, { folder, sync: 'commit', onProgress: () => {} });
    // The close that follows at once leaves no time to aggregate this one.
    await first.contribute(0, pack(3));
    await first.close();
    const serving = await openOwner(createSharedState(1, 0), { keepObservations: 'aggregated' });
    serving.startServing();
    await serving.close();
    const log = new ObservationLog(folder, 'commit');
    expect([log.droppedThrough, log.firstSequence, log.count]).toEqual([2, 3, 1]);
    await log.close();
  });
});

/** Areas in the live tables, which nobody has open. */
async function countAreas(): Promise<number> {
  const generation = openGeneration(generationPath(folder, currentGeneration(folder)!));
  const count = [...generation.areas.getKeys()].filter(key => key.length === AREA_KEY_BYTES).length;
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
