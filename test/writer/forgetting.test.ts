import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { checkFolder } from '../../src/check/check_folder.ts';
import { writeCheckpoint } from '../../src/learning/rebuild.ts';
import { formatMac } from '../../src/radio/mac.ts';
import { StationSet } from '../../src/radio/query/station_set.ts';
import { StoredObservations } from '../../src/radio/query/stored.ts';
import { formatStation } from '../../src/radio/station_name.ts';
import { withoutStations } from '../../src/tables/observations/log_row.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports, type Report, reportIdentity, trackOf } from '../../src/tables/observations/report.ts';
import { currentGeneration, generationPath, openGeneration } from '../../src/tables/stations/generation.ts';
import { StationWriter } from '../../src/tables/stations/writer.ts';
import { drawnLog } from '../kits/radio/drawn_log.ts';
import { cell } from '../kits/radio/reports.ts';
import { deviceMac, macKey } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { dumpFolder, World } from './world.ts';

const REPORTS = 1_500;
/** Accounts of the drawn devices, which name theirs by a number. */
const SUBJECT = 5;
const LOG = drawn(41, REPORTS);
const CELL = formatStation(cell(3));

/** Drawn reports without the null address, which no intake lets pass. */
function drawn(seed: number, count: number): Report[] {
  const nobody = new StationSet([macKey(0)]);
  return drawnLog(seed, count)
    .map(report => withoutStations(report, nobody))
    .filter(({ observations }) => observations.length > 0);
}

/** Compares dumps, of which only what differs is shown. */
function expectSame(dump: string[], expected: string[]): void {
  const [is, should] = [new Set(dump), new Set(expected)];
  const differing = (lines: string[], others: Set<string>) =>
    lines.filter(line => !others.has(line)).map(line => line.slice(0, 400));
  expect(differing(dump, should).slice(0, 5)).toEqual(differing(expected, is).slice(0, 5));
  expect(dump.length).toBe(expected.length);
}

/** What the tables are in a world that only ever had some reports. */
async function worldOf(reports: readonly Report[], imports: Record<string, string[]> = {}): Promise<string[]> {
  const world = await World.open(temporaryFolder());
  for (const [source, macs] of Object.entries(imports)) await world.import(source, macs);
  await world.teach(reports);
  return world.close();
}

async function expectSound(folder: string): Promise<void> {
  expect((await checkFolder(folder, false, () => {})).findings).toEqual([]);
}

describe('a contributor is forgotten', () => {
  test('so that all tables are those of a world without its reports, and learning goes on from them', async () => {
    const folder = temporaryFolder();
    const world = await World.open(folder);
    await world.teach(LOG);
    const rest = LOG.filter(({ contributor }) => contributor !== SUBJECT);
    expect(rest.length).toBeLessThan(LOG.length - 50);
    const summary = await world.forget({ what: 'contributor', id: SUBJECT });
    expect(summary).toMatchObject({
      reports: LOG.length - rest.length,
      changedReports: 0,
      requests: 0,
      droppedThrough: 0,
    });
    const more = drawn(42, 200).filter(({ contributor }) => contributor !== SUBJECT);
    await world.teach(more);
    expectSame(await world.close(), await worldOf([...rest, ...more]));
    await expectSound(folder);
  });

  test('with the reports that come while the log is rewritten', async () => {
    const world = await World.open(temporaryFolder());
    await world.teach(LOG.slice(0, 1_000));
    let late: Promise<void> | undefined;
    await world.forget({ what: 'contributor', id: SUBJECT }, () => {
      late ??= world.teach(LOG.slice(1_000));
    });
    await late;
    expect(late).toBeDefined();
    // Reports that were stored before the end of the job are forgotten, later ones are not: the key was not revoked.
    const dump = await world.close();
    const others = LOG.filter(({ contributor }) => contributor !== SUBJECT).length;
    const stored = dump.filter(line => line.startsWith('report '));
    expect(stored.filter(line => !line.includes(`"contributor":${SUBJECT},`))).toHaveLength(others);
    await expectSound(world.folder);
  });

  test('twice, of which the second finds nothing', async () => {
    const world = await World.open(temporaryFolder());
    await world.teach(LOG.slice(0, 300));
    await world.forget({ what: 'contributor', id: SUBJECT });
    expect(await world.forget({ what: 'contributor', id: SUBJECT })).toMatchObject({ reports: 0, changedReports: 0 });
    await world.close();
  });
});

test('a device is forgotten under all accounts, or under one', async () => {
  const named = LOG.slice(0, 600).map((report, n) => ({
    ...report,
    track: trackOf(report.contributor, n % 4 === 0 ? 'van-1' : 'van-2'),
  }));
  const isOf = (report: Report, who?: number) =>
    report.track === trackOf(report.contributor, 'van-1') && (who === undefined || report.contributor === who);
  for (const account of [undefined, 3]) {
    const world = await World.open(temporaryFolder());
    for (let id = 1; id <= 12; id++)
      await world.owner.run({ verb: 'keys', action: 'create', settings: {} }, { ...never, folder: '' });
    await world.teach(named);
    await world.forget({ what: 'device', device: 'van-1', ...(account && { account }) });
    expectSame(await world.close(), await worldOf(named.filter(report => !isOf(report, account))));
  }
});

const never = { sync: 'commit' as const, onProgress: () => {} };

test('a report is forgotten by its identity', async () => {
  const world = await World.open(temporaryFolder());
  await world.teach(LOG.slice(0, 300));
  const identity = Buffer.from(reportIdentity(LOG[100])).toString('hex');
  expect(await world.forget({ what: 'report', logId: 1, identities: [identity] })).toMatchObject({ reports: 1 });
  expectSame(await world.close(), await worldOf(LOG.slice(0, 300).filter((_, n) => n !== 100)));
});

describe('stations are forgotten', () => {
  const routers = [7, 11].map(n => macKey(deviceMac(n)));
  const names = [...routers.map(formatStation), CELL];
  const set = new StationSet([...routers, cell(3)]);
  const without = (reports: readonly Report[]) =>
    reports.map(report => withoutStations(report, set)).filter(({ observations }) => observations.length > 0);
  const address = (n: number) => formatMac(deviceMac(n));

  test('so that all tables are those of a world that never had them, and imports too', async () => {
    const folder = temporaryFolder();
    const world = await World.open(folder);
    await world.import('old', [7, 8, 500].map(address));
    await world.import('new', [7, 9, 600].map(address));
    await world.teach(LOG);
    const summary = await world.forget({ what: 'stations', names });
    expect(summary.imported).toBe(2);
    expect(summary.changedReports).toBeGreaterThan(100);
    const others = { old: [8, 500].map(address), new: [9, 600].map(address) };
    expectSame(await world.close(), await worldOf(without(LOG), others));
    await expectSound(folder);
  });

  test('and what comes later of them is kept out, until they may return', async () => {
    const folder = temporaryFolder();
    const first = await World.open(folder);
    await first.teach(LOG.slice(0, 300));
    await first.forget({ what: 'stations', names });
    expect(readFileSync(join(folder, 'opted_out'), 'utf8')).toBe(`${names.join('\n')}\n`);
    await first.owner.close();
    const world = await World.open(folder);
    await world.teach(LOG.slice(300, 700));
    expect((await world.import('list', [7, 8].map(address))).refusedByRule).toEqual({ 'opted out': 1 });
    await world.owner.close();
    const kept = await dumpFolder(folder);
    const expected = await worldOf(without(LOG.slice(0, 700)));
    const ofLog = (dump: string[]) => dump.filter(line => line.startsWith('report '));
    expect(ofLog(kept)).toEqual(ofLog(expected));
    const again = await World.open(folder);
    await again.forget({ what: 'stations', names, mayReturn: true });
    await again.teach(LOG.slice(700));
    const dump = await again.close();
    expect(dump.some(line => line.startsWith(`learned ${routers[0].toString('hex')} `))).toBe(true);
    expect(readFileSync(join(folder, 'opted_out'), 'utf8')).toBe('');
  });

  test('also where the log is not whole: then what its dropped reports taught of others stays', async () => {
    const folder = temporaryFolder();
    const first = await World.open(folder, { keepObservations: 'aggregated' });
    await first.import('list', [7, 8].map(address));
    await first.teach(LOG.slice(0, 900));
    await first.owner.close();
    const log = new ObservationLog(folder, 'commit');
    await log.prune('aggregated', 600, Date.now());
    await log.close();
    const before = await dumpFolder(folder);
    const generation = openGeneration(generationPath(folder, currentGeneration(folder)!));
    await writeCheckpoint(folder, generation);
    await generation.root.close();
    const world = await World.open(folder);
    const summary = await world.forget({ what: 'stations', names });
    expect(summary.droppedThrough).toBe(600);
    const dump = await world.close();
    const of = (table: string, lines: string[]) => lines.filter(line => line.startsWith(`${table} `));
    const isGone = (line: string) => set.has(Buffer.from(line.split(' ')[1], 'hex'));
    for (const table of ['stations', 'learned']) {
      expect(of(table, dump)).toEqual(of(table, before).filter(line => !isGone(line)));
      expect(of(table, before).filter(isGone).length).toBeGreaterThan(0);
    }
    for (const line of of('report', dump)) {
      const observations = new StoredObservations(Buffer.from(line.split(' ').at(-1)!, 'hex'));
      for (let i = 0; i < observations.count; i++) expect(set.hasObserved(observations, i)).toBe(false);
    }
    await expectSound(folder);
    // The checkpoint is one of the new log, so the tables can be learned again from it.
    const again = await World.open(folder);
    await again.owner.run({ verb: 'aggregate', action: 'rebuild' }, { ...never, folder });
    expect(of('learned', await again.close())).toEqual(of('learned', dump));
  });
});

test('nothing changes when forgetting fails', async () => {
  const folder = temporaryFolder();
  const world = await World.open(folder);
  await world.teach(LOG.slice(0, 600));
  let calls = 0;
  const stop = () => {
    if (++calls === 3) throw new Error('no more');
  };
  await expect(world.forget({ what: 'contributor', id: SUBJECT }, stop)).rejects.toThrow(
    'Nothing was forgotten but 0 logged requests: no more.',
  );
  expectSame(await world.close(), await worldOf(LOG.slice(0, 600)));
  await expectSound(folder);
});

describe('when forgetting fails', () => {
  const router = macKey(deviceMac(7));
  const job = { what: 'stations' as const, names: [formatStation(router)] };
  const stored = (world: World) => world.teach(LOG.slice(600, 700));

  test('before the tables are live, the list of stations and the sources are restored too', async () => {
    const folder = temporaryFolder();
    const world = await World.open(folder);
    await world.import(
      'list',
      [7, 8].map(n => formatMac(deviceMac(n))),
    );
    await world.teach(LOG.slice(0, 600));
    // A folder that takes the name of the new tables, once they are begun.
    const next = join(folder, 'stations', `${currentGeneration(folder)! + 1}`);
    const forget = world.forget(job, ({ phase }) => {
      if (phase === 'aggregating') mkdirSync(join(next, 'taken'), { recursive: true });
    });
    await expect(forget).rejects.toThrow(/^Nothing was forgotten but 0 logged requests: ENOTEMPTY/);
    expect(readdirSync(join(folder, 'sources'))).toEqual(['1.records']);
    expect(readFileSync(join(folder, 'opted_out'), 'utf8')).toBe('');
    rmSync(next, { recursive: true });
    await stored(world);
    expectSame(
      await world.close(),
      await worldOf(LOG.slice(0, 700), { list: [7, 8].map(n => formatMac(deviceMac(n))) }),
    );
    await expectSound(folder);
  });

  test('once the tables are live, nothing is stored until the next owner puts the log in force', async () => {
    const folder = temporaryFolder();
    const world = await World.open(folder);
    await world.teach(LOG.slice(0, 600));
    vi.spyOn(StationWriter.prototype, 'adopt').mockRejectedValueOnce(new Error('too many open files'));
    await expect(world.forget({ what: 'contributor', id: SUBJECT })).rejects.toThrow(
      'Forgotten, but the observation log is not in force: too many open files. Restart the service; until ' +
        'then it takes no reports.',
    );
    await expect(world.owner.contribute(0, packReports(LOG.slice(600, 700)))).rejects.toThrow(
      'the service must be restarted',
    );
    await world.owner.close();
    const next = await World.open(folder);
    await stored(next);
    const rest = LOG.slice(0, 600).filter(({ contributor }) => contributor !== SUBJECT);
    expectSame(await next.close(), await worldOf([...rest, ...LOG.slice(600, 700)]));
    await expectSound(folder);
  });

  test('at what stood before, all is forgotten, and learning goes on', async () => {
    const folder = temporaryFolder();
    const errors: string[] = [];
    const world = await World.open(folder, { onError: ({ message }) => void errors.push(message) });
    await world.teach(LOG.slice(0, 600));
    mkdirSync(join(folder, 'stations', `${currentGeneration(folder)}.partial`, 'taken'), { recursive: true });
    vi.spyOn(ObservationLog.prototype, 'clearRest')
      .mockRejectedValueOnce(new Error('The disk is full'))
      .mockRejectedValueOnce(new Error('still full'));
    await expect(world.forget({ what: 'contributor', id: SUBJECT })).rejects.toThrow(
      /^Forgotten, but what stood before could not all be removed: ENOTEMPTY.* The disk is full\. Restart the service, and forget once more\.$/,
    );
    expect(errors).toEqual(['still full']);
    await stored(world);
    const rest = LOG.slice(0, 600).filter(({ contributor }) => contributor !== SUBJECT);
    expectSame(await world.close(), await worldOf([...rest, ...LOG.slice(600, 700)]));
    await (await World.open(folder)).owner.close();
    await expectSound(folder);
  });
});
