// What contributors earn, by the owner of a data folder: for what others confirm, once, whatever is learned anew or
// forgotten since.

import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { packReports, type Report } from '../../src/tables/observations/report.ts';
import { runOfflineJob } from '../../src/writer/offline_job.ts';
import type { OwnerOptions } from '../../src/writer/owner_options.ts';
import { HOME, report } from '../kits/radio/reports.ts';
import { macKey } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { World } from './world.ts';

const CREDITS = 10;
const context = { folder: '', sync: 'commit' as const, onProgress: () => {} };

let folder: string;
let world: World;

async function open(changes: Partial<OwnerOptions> = {}): Promise<void> {
  world = await World.open(folder, { calibrates: false, rewards: { credits: 1, mostADay: 1_000 }, ...changes });
}

beforeEach(async () => {
  folder = temporaryFolder();
  await open();
  onTestFinished(() => world.owner.close());
});

const key = async (settings: object = {}): Promise<number> =>
  (
    (await world.owner.run(
      { verb: 'keys', action: 'create', settings: { contributor: true, credits: CREDITS, ...settings } },
      context,
    )) as { id: number }
  ).id;
const balance = async (id: number): Promise<number> =>
  ((await world.owner.run({ verb: 'keys', action: 'show', id }, context)) as { credits: number }).credits;
const learn = (action: 'all' | 'rebuild' = 'all') => world.owner.run({ verb: 'aggregate', action }, context);

/** Reports of an account, one for each access point, all at one place. */
const hear = (who: number, macs: readonly number[], changes: Partial<Report> = {}): Report[] =>
  macs.map((mac, i) => report(who, HOME, i, [{ key: macKey(mac), dbm: -60 }], changes));
const contribute = (who: number, macs: readonly number[], changes?: Partial<Report>) =>
  world.owner.contribute(who, packReports(hear(who, macs, changes)));
/**
 * Does something, and then goes on with the station tables as they were before it.
 * @param whileClosed what happens before it goes on
 */
async function setTablesBack(
  action: () => Promise<unknown>,
  whileClosed: () => Promise<unknown> = async () => {},
): Promise<void> {
  const [tables, before] = [join(folder, 'stations'), join(folder, 'before')];
  await world.owner.close();
  cpSync(tables, before, { recursive: true });
  await open();
  await action();
  await world.owner.close();
  rmSync(tables, { recursive: true });
  renameSync(before, tables);
  await whileClosed();
  await open();
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

test('ten thousand invented access points at one place earn nothing', async () => {
  const id = await key();
  for (let n = 0; n < 10_000; n += 1_000) await contribute(id, numbers(0x02_00_00_00_00_00 + 977 * n, 1_000));
  await learn();
  expect(await balance(id)).toBe(CREDITS);
  await learn('rebuild');
  expect(await balance(id)).toBe(CREDITS);
});

test('what a second account confirms earns both, up to the most of a day', async () => {
  const [id, other, plain] = [await key(), await key(), await key({ contributor: false })];
  await contribute(id, numbers(1, 1_500));
  await contribute(other, numbers(1, 700));
  await contribute(plain, numbers(1, 1_500));
  await learn();
  expect([await balance(id), await balance(other), await balance(plain)]).toEqual([
    CREDITS + 1_000,
    CREDITS + 700,
    CREDITS,
  ]);
});

describe('nothing is paid for twice', () => {
  test('when all is learned anew, also by the next owner', async () => {
    const [id, other] = [await key(), await key()];
    await contribute(id, numbers(1, 5));
    await contribute(other, numbers(3, 5));
    await learn();
    const balances = async () => [await balance(id), await balance(other)];
    expect(await balances()).toEqual([CREDITS + 3, CREDITS + 3]);
    await learn('rebuild');
    await contribute(id, numbers(1, 5));
    await learn('rebuild');
    expect(await balances()).toEqual([CREDITS + 3, CREDITS + 3]);
    await world.owner.close();
    await open({ rewards: undefined });
    await learn('rebuild');
    expect(await balances()).toEqual([CREDITS + 3, CREDITS + 3]);
    // What comes then is paid for as the service did.
    await contribute(other, numbers(1, 2));
    await learn('rebuild');
    expect(await balances()).toEqual([CREDITS + 5, CREDITS + 5]);
  });

  test('when the tables are older than the accounts, as after a kill or a power failure, and all of it is', async () => {
    const [id, other] = [await key(), await key()];
    await contribute(id, numbers(1, 5));
    await contribute(other, numbers(1, 3));
    await learn();
    const balances = async () => [await balance(id), await balance(other)];
    await setTablesBack(async () => {
      await contribute(other, numbers(4, 2));
      await learn();
      expect(await balances()).toEqual([CREDITS + 5, CREDITS + 5]);
    });
    await contribute(id, numbers(6, 1));
    await contribute(other, numbers(6, 1));
    await learn();
    expect(await balances()).toEqual([CREDITS + 6, CREDITS + 6]);
  });

  test('when something is forgotten then, before any service starts', async () => {
    const [id, other, gone] = [await key(), await key(), await key()];
    await contribute(gone, numbers(1_000, 50));
    const balances = async () => [await balance(id), await balance(other)];
    const learnBoth = async () => {
      await contribute(id, numbers(1, 5));
      await contribute(other, numbers(1, 5));
      await learn();
      expect(await balances()).toEqual([CREDITS + 5, CREDITS + 5]);
    };
    await setTablesBack(learnBoth, () =>
      runOfflineJob({ verb: 'forget', what: 'contributor', id: gone }, { ...context, folder }),
    );
    await learn();
    expect(await balances()).toEqual([CREDITS + 5, CREDITS + 5]);
  });

  test('when something is forgotten and the log is numbered anew, and what comes then is paid for', async () => {
    const [id, other, gone] = [await key(), await key(), await key()];
    await contribute(gone, numbers(1_000, 50));
    await contribute(id, numbers(1, 5));
    await contribute(other, numbers(1, 5));
    await learn();
    const balances = async () => [await balance(id), await balance(other)];
    expect(await balances()).toEqual([CREDITS + 5, CREDITS + 5]);
    // One report is perhaps learned first by the tables that come then.
    await contribute(other, [100]);
    expect(await world.forget({ what: 'contributor', id: gone })).toMatchObject({ reports: 50 });
    expect(await balances()).toEqual([CREDITS + 5, CREDITS + 5]);
    await contribute(id, [100, 101]);
    await learn();
    expect(await balances()).toEqual([CREDITS + 6, CREDITS + 6]);
    expect(await balance(gone)).toBe(CREDITS);
  });
});

test('an operator who pays nothing pays nothing, and what was learned then earns nothing later', async () => {
  await world.owner.close();
  await open({ rewards: { credits: 0, mostADay: 1_000 } });
  const [id, other] = [await key(), await key()];
  await contribute(id, [1]);
  await contribute(other, [1]);
  await learn();
  world.owner.setLimits({ logMegabytes: 16, keepObservations: 'forever', rewards: { credits: 7, mostADay: 10 } });
  await learn('rebuild');
  expect([await balance(id), await balance(other)]).toEqual([CREDITS, CREDITS]);
  await contribute(id, [2, 3]);
  await contribute(other, [2, 3]);
  await learn();
  expect([await balance(id), await balance(other)]).toEqual([CREDITS + 10, CREDITS + 10]);
});
