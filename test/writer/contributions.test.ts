import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AccountWriter } from '../../src/accounts/account_writer.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { Tally } from '../../src/intake/tally.ts';
import { StationSet } from '../../src/radio/query/station_set.ts';
import { CREDITS_MAX } from '../../src/tables/accounts/account_record.ts';
import { AccountTable, type NewAccount } from '../../src/tables/accounts/accounts.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports } from '../../src/tables/observations/report.ts';
import { ContributionGate, ContributionWriter, createContributionMemory } from '../../src/writer/contributions.ts';
import { numberedReport, report } from '../kits/radio/reports.ts';
import { macKey } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const MB = 1_048_576;
const pack = (...numbers: number[]) => packReports(numbers.map(n => numberedReport(n)));

describe('the gate', () => {
  test('holds 64 MB over all threads and takes them back', () => {
    const memory = createContributionMemory();
    const [one, other, writer] = [new ContributionGate(memory), new ContributionGate(memory), new ContributionGate(memory)];
    expect(one.reserve(40 * MB)).toBe(true);
    expect(other.reserve(24 * MB)).toBe(true);
    expect(one.reserve(1)).toBe(false);
    expect(other.reserve(24 * MB)).toBe(false);
    writer.release(24 * MB);
    expect(other.reserve(24 * MB + 1)).toBe(false);
    expect(other.reserve(24 * MB)).toBe(true);
  });

  test('lets in more than it holds where nothing else waits', () => {
    const gate = new ContributionGate(createContributionMemory());
    expect(gate.reserve(100 * MB)).toBe(true);
    expect(gate.reserve(1)).toBe(false);
    gate.release(100 * MB);
    expect(gate.reserve(1)).toBe(true);
    expect(gate.reserve(100 * MB)).toBe(false);
  });
});

describe('a contribution', () => {
  let accounts: AccountTable;
  let log: ObservationLog;
  let counters: AccountCounters;
  let accountWriter: AccountWriter;
  let contributions: ContributionWriter;
  let heard: number[];
  let floors: number;
  let errors: string[];
  let tally: Tally;

  beforeEach(() => {
    const folder = temporaryFolder();
    accounts = new AccountTable(folder);
    log = new ObservationLog(folder, 'commit');
    counters = new AccountCounters(allocateCounters());
    accountWriter = new AccountWriter(accounts, counters, new Int32Array(new SharedArrayBuffer(4)), 0);
    heard = [];
    floors = 0;
    errors = [];
    tally = new Tally();
    contributions = new ContributionWriter({
      log,
      accountWriter,
      tally,
      contributionCredits: 3,
      onAppended: sequence => heard.push(sequence),
      onFloors: () => floors++,
      onError: error => errors.push(error.message),
    });
  });
  afterEach(async () => {
    await log.close();
    await accounts.close();
  });

  async function key(settings: Partial<NewAccount>): Promise<number> {
    const keyHash = String(accounts.list().length).padStart(64, '0');
    return (await accountWriter.create({ keyHash, createdMs: 0, ...settings })).id;
  }

  test('with a floor is told once it is in the log, and only when it is new', async () => {
    const onFloor = packReports([numberedReport(1), numberedReport(2, { floor: 0 })]);
    await contributions.contribute(0, pack(1));
    expect(floors).toBe(0);
    await contributions.contribute(0, onFloor);
    await contributions.contribute(0, onFloor);
    expect(floors).toBe(1);
  });

  test('counts what was sent of stations that opted out, but not what a file of the operator had of them', async () => {
    log.optedOut = new StationSet([macKey(1), macKey(2)]);
    const heard = (...macs: number[]) =>
      packReports([
        report(
          3,
          [50, 4],
          macs[0],
          macs.map(mac => ({ key: macKey(mac), dbm: -60 })),
        ),
      ]);
    expect(await contributions.contribute(await key({}), heard(1, 2, 3))).toEqual({ accepted: 1, duplicates: 0, optedOut: 2, credits: 0 });
    expect(await contributions.contribute(await key({}), heard(4))).not.toHaveProperty('optedOut');
    expect(await contributions.contribute(0, heard(2, 5))).toMatchObject({ accepted: 1, optedOut: 1 });
    expect(tally.toJSON().refusedByRule).toEqual({ 'opted out': 2 });
  });

  test('is in the log when it is answered, and earns for what is new', async () => {
    const id = await key({ contributor: true, credits: 10 });
    expect(await contributions.contribute(id, pack(1, 2, 1))).toEqual({ accepted: 2, duplicates: 1, credits: 6 });
    expect(log.count).toBe(2);
    expect(await contributions.contribute(id, pack(1, 2, 3))).toEqual({ accepted: 1, duplicates: 2, credits: 3 });
    expect(await contributions.contribute(id, pack(1, 2, 3))).toEqual({ accepted: 0, duplicates: 3, credits: 0 });
    expect([accounts.get(id)!.credits, counters.total(id)]).toEqual([19, 19]);
    expect(heard).toEqual([2, 3]);
  });

  test('has the time of its arrival', async () => {
    const before = Date.now();
    await contributions.contribute(0, pack(1));
    const [{ receivedMs }] = log.read(1, 1);
    expect(receivedMs).toBeGreaterThanOrEqual(before);
    expect(receivedMs).toBeLessThanOrEqual(Date.now());
  });

  test.each<[string, Partial<NewAccount>]>([
    ['a key that is no contributor', { credits: 10 }],
    ['a contributor that does not pay in advance', { contributor: true }],
    ['a contributor whose balance is full', { contributor: true, credits: CREDITS_MAX - 2 }],
  ])('of %s is taken and earns nothing', async (_, settings) => {
    const id = await key(settings);
    expect(await contributions.contribute(id, pack(1))).toEqual({ accepted: 1, duplicates: 0, credits: 0 });
    expect(accounts.get(id)!.credits).toBe(settings.credits);
    expect(errors).toEqual([]);
  });

  test('of a revoked key, of a file and of no account earns nothing', async () => {
    const id = await key({ contributor: true, credits: 10 });
    await accountWriter.revoke(id);
    expect(await contributions.contribute(id, pack(1))).toMatchObject({ accepted: 1, credits: 0 });
    expect(await contributions.contribute(0, pack(2))).toMatchObject({ accepted: 1, credits: 0 });
    expect(await contributions.contribute(99, pack(3))).toMatchObject({ accepted: 1, credits: 0 });
    expect(accounts.get(id)!.credits).toBe(10);
  });

  test('that comes together with others of its account is rewarded with them', async () => {
    const id = await key({ contributor: true, credits: 0 });
    const other = await key({ contributor: true, credits: 0 });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(n => contributions.contribute(n === 3 ? other : id, pack(n, n + 1))));
    expect(answers.map(({ credits }) => credits)).toEqual([6, 3, 3, 3, 3]);
    expect([accounts.get(id)!.credits, accounts.get(other)!.credits]).toEqual([15, 3]);
    expect(heard).toEqual([2, 3, 4, 5, 6]);
  });

  test('that is damaged is an error, and nobody hears of it', async () => {
    await expect(contributions.contribute(1, pack(1).subarray(0, 30))).rejects.toThrow('Packed reports are damaged at byte 0 of 30.');
    expect(heard).toEqual([]);
    expect(log.count).toBe(0);
  });

  test('stands when its credits cannot be granted', async () => {
    const id = await key({ contributor: true, credits: 10 });
    await accounts.close();
    expect(await contributions.contribute(id, pack(1))).toEqual({ accepted: 1, duplicates: 0, credits: 0 });
    expect(errors).toHaveLength(1);
    expect(log.count).toBe(1);
    accounts = new AccountTable(temporaryFolder());
  });
});
