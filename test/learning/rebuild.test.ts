import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeCheckpoint } from '../../src/learning/rebuild.ts';
import { currentGeneration } from '../../src/tables/stations/generation.ts';
import { loadStations } from '../../src/tables/stations/load.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { drawnLog } from '../kits/radio/drawn_log.ts';
import { metresTo, moved } from '../kits/radio/ground.ts';
import { cell, HOME, report } from '../kits/radio/reports.ts';
import { sortedRecords, wifiHex } from '../kits/radio/sorted_records.ts';
import { macKey, stationOf } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { LearningFolder } from './learning_folder.ts';

const imported = { ...stationAt(...HOME, 80, 200), samples: 12 };

/** A folder with some imported stations. */
async function openWithImport(): Promise<LearningFolder> {
  const path = temporaryFolder();
  const stations = [3, 7, 5_000_000].map(mac => [wifiHex(mac), imported] as const);
  await loadStations(path, sortedRecords(8, new Map(stations)), () => undefined);
  await loadStations(
    path,
    sortedRecords(12, new Map([2, 9, 900].map(id => [cell(id).toString('hex'), imported]))),
    () => undefined,
  );
  const folder = await LearningFolder.open(path);
  onTestFinished(() => folder.close());
  return folder;
}

async function importOver(folder: LearningFolder, mac: number): Promise<void> {
  await folder.aggregator.hold();
  const records = sortedRecords(8, new Map([[wifiHex(mac), imported]]));
  const { generation } = await loadStations(folder.folder, records, () => undefined);
  await folder.writer.adopt(generation, undefined);
  folder.aggregator.release();
  await folder.catchUp();
}

describe('learning again from the start', () => {
  test('gives the live tables, byte for byte', async () => {
    const folder = await openWithImport();
    const log = drawnLog(31, 2_000);
    for (let n = 0; n < log.length; n += 170) await folder.contribute(log.slice(n, n + 170));
    await folder.catchUp();
    const live = folder.dump();
    expect(live.split('\n').length).toBeGreaterThan(300);
    expect(await folder.rebuild()).toBe(2_000);
    expect(folder.dump()).toBe(live);
    // And goes on as the live ones would have gone.
    await folder.contribute(drawnLog(32, 200));
    await folder.catchUp();
    expect(folder.errors).toEqual([]);
    const further = folder.dump();
    await folder.rebuild();
    expect(folder.dump()).toBe(further);
  });

  test('takes in what was appended, and not yet learned', async () => {
    const folder = await openWithImport();
    await folder.aggregator.hold();
    await folder.contribute(drawnLog(31, 300));
    expect(await folder.rebuild()).toBe(300);
    expect(folder.aggregator.progress).toBe(300);
    folder.aggregator.release();
  });

  test('pays for the reports that it learns first, and for no others', async () => {
    const folder = await openWithImport();
    const heard = (who: number, mac: number, seconds: number) => report(who, HOME, seconds, [{ key: macKey(mac) }]);
    await folder.contribute([heard(7, 1, 0), heard(8, 1, 10), heard(7, 2, 20)]);
    await folder.catchUp();
    const paid = () => folder.paid.map(({ account, sequence }) => `${account} by ${sequence}`);
    expect(paid()).toEqual(['7 by 2', '8 by 2']);
    await folder.aggregator.hold();
    await folder.contribute([heard(9, 2, 30), heard(9, 3, 40)]);
    await folder.rebuild();
    expect(paid().slice(2)).toEqual(['7 by 4', '9 by 4']);
    folder.aggregator.release();
    await folder.catchUp();
    await folder.rebuild();
    expect(paid()).toHaveLength(4);
  });

  test('changes nothing when it is stopped', async () => {
    const folder = await openWithImport();
    await folder.contribute(drawnLog(31, 300));
    await folder.catchUp();
    const live = folder.dump();
    const n = currentGeneration(folder.folder);
    let calls = 0;
    const stop = () => {
      if (++calls === 2) throw new Error('stopped');
    };
    await expect(folder.rebuild(stop)).rejects.toThrow('stopped');
    expect(currentGeneration(folder.folder)).toBe(n);
    expect(readdirSync(join(folder.folder, 'stations')).filter(name => name.endsWith('.partial'))).toEqual([]);
    expect(folder.dump()).toBe(live);
  });
});

describe('a checkpoint', () => {
  test('stands for reports that were dropped since', async () => {
    const folder = await openWithImport();
    const log = drawnLog(31, 1_200);
    await folder.contribute(log.slice(0, 700));
    await folder.catchUp();
    expect(await writeCheckpoint(folder.folder, folder.generation)).toBe(700);
    await folder.log.prune('aggregated', 700, Date.now());
    expect(folder.log.count).toBe(0);
    await folder.contribute(log.slice(700));
    await folder.catchUp();
    const live = folder.dump();
    expect(await folder.rebuild()).toBe(500);
    expect(folder.dump()).toBe(live);
  });

  test('is needed then, and must reach far enough', async () => {
    const folder = await openWithImport();
    const log = drawnLog(31, 300);
    await folder.contribute(log.slice(0, 100));
    await folder.catchUp();
    await folder.log.prune('aggregated', 50, Date.now());
    await expect(folder.rebuild()).rejects.toThrow(
      'the reports up to 50 were dropped from the observation log, and there is no checkpoint',
    );
    await writeCheckpoint(folder.folder, folder.generation);
    await folder.contribute(log.slice(100));
    await folder.catchUp();
    await folder.log.prune('aggregated', 200, Date.now());
    await expect(folder.rebuild()).rejects.toThrow('the checkpoint holds the reports up to 100 only');
  });

  test('is replaced by the next', async () => {
    const folder = await openWithImport();
    for (const upTo of [100, 200]) {
      await folder.contribute(drawnLog(31, upTo));
      await folder.catchUp();
      expect(await writeCheckpoint(folder.folder, folder.generation)).toBe(upTo);
    }
    expect(readdirSync(folder.folder).filter(name => name.startsWith('checkpoint'))).toEqual(['checkpoint']);
  });

  test('counts when it was being replaced, and the process killed', async () => {
    const folder = await openWithImport();
    await folder.contribute(drawnLog(31, 100));
    await folder.catchUp();
    const live = folder.dump();
    await writeCheckpoint(folder.folder, folder.generation);
    await folder.log.prune('aggregated', 100, Date.now());
    // As a kill leaves it: the old one has lost its name, the new one has none yet.
    renameSync(join(folder.folder, 'checkpoint'), join(folder.folder, 'checkpoint.replaced'));
    mkdirSync(join(folder.folder, 'checkpoint.partial'));
    expect(await folder.rebuild()).toBe(0);
    expect(folder.dump()).toBe(live);
    expect(await writeCheckpoint(folder.folder, folder.generation)).toBe(100);
    expect(existsSync(join(folder.folder, 'checkpoint.replaced'))).toBe(false);
  });

  test('is joined with what was imported since: no import is lost over what one account had claimed', async () => {
    const folder = await openWithImport();
    const key = macKey(444);
    await folder.contribute([report(1, moved(HOME, 0, 20), 0, [{ key }])]);
    await folder.catchUp();
    await writeCheckpoint(folder.folder, folder.generation);
    await importOver(folder, 444);
    const live = folder.dump();
    await folder.rebuild();
    expect(metresTo(stationOf(folder.generation.stations.getBinary(key)!), HOME)).toBeLessThan(30);
    expect(folder.dump()).toBe(live);
  });
});
