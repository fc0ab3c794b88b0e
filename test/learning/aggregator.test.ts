import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packReports, type Report } from '../../src/tables/observations/report.ts';
import { removeLeftovers } from '../../src/tables/stations/generation.ts';
import { loadStations } from '../../src/tables/stations/load.ts';
import { STATE_ACTIVE, type Station, stationAt } from '../../src/tables/stations/station.ts';
import { drawnLog } from '../kits/radio/drawn_log.ts';
import { metresTo, moved } from '../kits/radio/ground.ts';
import { LearnedWorld } from '../kits/radio/learned_world.ts';
import { cell, HOME, report, TRUSTED } from '../kits/radio/reports.ts';
import { sortedRecords, wifiHex } from '../kits/radio/sorted_records.ts';
import { macKey, stationOf } from '../kits/radio/stations.ts';
import { uniform } from '../kits/random.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { LearningFolder } from './learning_folder.ts';

const AP = macKey(0x0102030405);

async function open(path = temporaryFolder(), calibrates = true): Promise<LearningFolder> {
  const folder = await LearningFolder.open(path, calibrates);
  onTestFinished(() => folder.close());
  return folder;
}

/** What the log of a folder leads to without tables and without batches. */
function expected(folder: LearningFolder): string[] {
  const world = new LearnedWorld();
  for (const { report: each, receivedMs } of folder.log.read(1, 1_000_000)) world.fold([each], receivedMs);
  return world
    .dump()
    .split('\n')
    .filter(line => !line.startsWith('track'))
    .map(line => line.replace(/^station /, 'stations '));
}

function tablesOf(folder: LearningFolder): string[] {
  return folder.dumpOf('stations', 'learned').sort();
}

function active(folder: LearningFolder, key: Buffer): Station | undefined {
  const record = folder.generation.stations.getBinary(key);
  const found = record && stationOf(record);
  return found?.state === STATE_ACTIVE ? found : undefined;
}

/** Waits for something that the aggregation does by itself. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}

/** Imports an access point as another thread does, while the aggregation is held. */
async function importOver(folder: LearningFolder, mac: number, imported: Station): Promise<void> {
  await folder.aggregator.hold();
  const key = wifiHex(mac);
  const { generation } = await loadStations(
    folder.folder,
    sortedRecords(8, new Map([[key, imported]])),
    () => undefined,
  );
  await folder.writer.adopt(generation, undefined);
  folder.aggregator.release();
}

const seen = (who: number, second: number, at = HOME, key = AP): Report => report(who, at, second, [{ key, dbm: -60 }]);

describe('the aggregation', () => {
  test('begins when something was appended, and leads to what the log says', async () => {
    const folder = await open();
    for (const n of [0, 1, 2]) await folder.contribute(drawnLog(5, 900).slice(n * 300, (n + 1) * 300));
    await until(() => folder.aggregator.counts.reports === 900);
    expect(folder.aggregator.progress).toBe(900);
    expect(folder.errors).toEqual([]);
    expect(tablesOf(folder)).toEqual(expected(folder));
  });

  test('a report that is sent twice counts once', async () => {
    const folder = await open();
    for (let n = 0; n < 4; n++) await folder.contribute([seen(TRUSTED, 0), seen(TRUSTED, 60)]);
    await folder.catchUp();
    expect(active(folder, AP)).toMatchObject({ samples: 2 });
  });

  test('waits while it is held, however often, and then goes on by itself', async () => {
    const folder = await open();
    await folder.aggregator.hold();
    await folder.aggregator.hold();
    await folder.contribute([seen(TRUSTED, 0)]);
    folder.aggregator.release();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(folder.aggregator.progress).toBe(0);
    folder.aggregator.release();
    await until(() => folder.aggregator.progress === 1);
  });

  test('catching up waits for who holds it, and stops for who does so meanwhile', async () => {
    const folder = await open();
    await folder.aggregator.hold();
    await folder.contribute(drawnLog(3, 2_000));
    let isDone = false;
    const caughtUp = folder.catchUp().then(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(folder.aggregator.progress).toBe(0);
    folder.aggregator.release();
    await until(() => folder.aggregator.progress > 0);
    await folder.aggregator.hold();
    const { progress } = folder.aggregator;
    expect(progress).toBeLessThan(2_000);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(folder.aggregator.progress).toBe(progress);
    expect(isDone).toBe(false);
    folder.aggregator.release();
    await caughtUp;
    expect(folder.aggregator.progress).toBe(2_000);
    expect(folder.aggregator.counts.reports).toBe(2_000);
  });

  test('catching up lets other work of the thread go first', async () => {
    const folder = await open();
    await folder.log.append(packReports(drawnLog(3, 1_500)), 0);
    const steps: number[] = [];
    let turns = 0;
    let isDone = false;
    const caughtUp = folder.aggregator
      .catchUp(done => steps.push(done))
      .then(() => {
        isDone = true;
      });
    for (; !isDone; turns++) await nextTurn();
    await caughtUp;
    expect(steps.length).toBeGreaterThan(3);
    expect(turns).toBeGreaterThanOrEqual(steps.length);
  });

  test('what is appended while areas are derived is not forgotten', async () => {
    const folder = await open();
    // So many cells of one network that deriving its areas takes several turns.
    const cells = Array.from({ length: 12_000 }, (_, n) => ({ key: cell(n), dbm: -80 }));
    await folder.contribute(
      Array.from({ length: 24 }, (_, n) =>
        report(TRUSTED, moved(HOME, 0, n * 300), n * 600, cells.slice(n * 500, (n + 1) * 500)),
      ),
    );
    await until(() => folder.aggregator.progress === 24);
    // In each of the next turns, one of which lies within that work.
    for (let n = 0; n < 12; n++) {
      await folder.contribute([seen(TRUSTED, n)]);
      for (let turn = 0; turn < n; turn++) await nextTurn();
    }
    await until(() => folder.aggregator.progress === 36);
    expect(folder.errors).toEqual([]);
  });

  test('areas follow their cells', async () => {
    const folder = await open();
    await folder.contribute(
      [0, 3, 6].map((id, n) => report(TRUSTED, moved(HOME, 0, n * 1_000), n * 60, [{ key: cell(id), dbm: -80 }])),
    );
    await folder.catchUp();
    const [, line] = folder.dumpOf('areas');
    const record = Buffer.from(line.split(' ')[2], 'hex');
    expect(stationOf(record)).toMatchObject({ samples: 3 });
    expect(metresTo(stationOf(record), moved(HOME, 0, 1_000))).toBeLessThan(1);
    expect(folder.dumpOf('stale')).toEqual([]);
  });

  test('a device that jumps is told from where it was, also after a restart', async () => {
    const path = temporaryFolder();
    const first = await LearningFolder.open(path);
    await first.contribute([report(1, HOME, 0, [{ key: AP }], { track: 5 })]);
    await first.catchUp();
    await first.close();
    const folder = await open(path);
    await folder.contribute([report(1, moved(HOME, 0, 90_000), 60, [{ key: AP }], { track: 5 })]);
    await folder.catchUp();
    expect(folder.aggregator.counts).toMatchObject({ jumps: 1, sightings: 0 });
    expect(folder.tally.toJSON().refusedByRule).toEqual({ 'impossible jump': 1 });
  });
});

describe('stations imported over learned ones', () => {
  test('are joined with them', async () => {
    const folder = await open();
    await folder.contribute([seen(1, 0), seen(1, 60), seen(1, 120)]);
    await folder.catchUp();
    expect(active(folder, AP)).toBeUndefined();
    const at = moved(HOME, 0, 40);
    await importOver(folder, 0x0102030405, { ...stationAt(...at, 50, 120), samples: 10 });
    await folder.catchUp();
    const joined = active(folder, AP)!;
    expect(joined).toMatchObject({ samples: 13, isLearned: true });
    expect(metresTo(joined, at)).toBeLessThan(25);
    // Reports go on where they were.
    await folder.contribute([seen(2, 180)]);
    await folder.catchUp();
    expect(active(folder, AP)).toMatchObject({ samples: 14 });
  });

  test('lead to the same tables when everything is learned again', async () => {
    // A rebuild has the imported stations from the first report on, so its tests meet other stations.
    const folder = await open(undefined, false);
    await folder.contribute([seen(1, 0), seen(2, 60), seen(1, 120)]);
    await folder.catchUp();
    await importOver(folder, 0x0102030405, { ...stationAt(...HOME, 50, 120), samples: 10 });
    await importOver(folder, 0x99, { ...stationAt(...HOME, 50, 120), samples: 10 });
    await folder.catchUp();
    const before = folder.dump();
    await folder.rebuild();
    expect(folder.dump()).toBe(before);
  });
});

/**
 * A copy of a folder in which somebody writes. A commit in the middle of the copying tears it, which a kill does not:
 * then it is copied again.
 */
async function openedCopy(path: string): Promise<LearningFolder> {
  for (let attempt = 1; ; attempt++) {
    const copyPath = temporaryFolder();
    for (const name of ['observations', 'stations'])
      cpSync(join(path, name), join(copyPath, name), { recursive: true });
    try {
      return await LearningFolder.open(copyPath);
    } catch (error) {
      if (attempt === 10 || !/its data file is damaged/.test(String(error))) throw error;
    }
  }
}

describe('killed at any moment', () => {
  test('the tables of a copy of the folder lead to the same as the log', { timeout: 120_000 }, async () => {
    const path = temporaryFolder();
    const folder = await open(path);
    const random = uniform(4);
    const log = drawnLog(9, 1_600);
    for (let n = 0; n < log.length; n += 100) {
      await folder.contribute(log.slice(n, n + 100));
      for (let turn = Math.floor(random() * 6); turn > 0; turn--) await nextTurn();
      if (n % 400 !== 0) continue;
      const copy = await openedCopy(path);
      expect(copy.aggregator.progress).toBeLessThanOrEqual(copy.log.lastSequence);
      await copy.catchUp();
      expect(tablesOf(copy)).toEqual(expected(copy));
      await copy.close();
    }
  });

  test('every acknowledged report has taken effect once', { timeout: 120_000 }, async () => {
    const path = temporaryFolder();
    const random = uniform(12);
    let acknowledged = 0;
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, ['test/learning/aggregate_child.ts', path, String(acknowledged)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      const lines = 1 + Math.floor(random() * 25);
      let read = 0;
      for await (const line of createInterface(child.stdout)) {
        acknowledged = Number(line);
        if (++read !== lines) continue;
        for (let turn = Math.floor(random() * 200); turn > 0; turn--) await nextTurn();
        child.kill('SIGKILL');
      }
      expect(await ended).toEqual([null, 'SIGKILL']);
      removeLeftovers(path);
      const folder = await LearningFolder.open(path);
      expect(folder.log.lastSequence).toBeGreaterThanOrEqual(acknowledged);
      await folder.catchUp();
      expect(folder.aggregator.progress).toBe(folder.log.lastSequence);
      expect(tablesOf(folder)).toEqual(expected(folder));
      const live = folder.dump();
      await folder.rebuild();
      expect(folder.dump()).toBe(live);
      await folder.close();
    }
  });
});
