import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RecordFile, writeRecordFile } from '../../../src/tables/sources/record_file.ts';
import { generationPath, openGeneration, removeLeftovers } from '../../../src/tables/stations/generation.ts';
import { loadStations } from '../../../src/tables/stations/load.ts';
import { type Station, stationAt } from '../../../src/tables/stations/station.ts';
import { readTables } from '../../kits/radio/read_tables.ts';
import { cellHex, sortedRecords, wifiHex } from '../../kits/radio/sorted_records.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const IGNORE = () => {};
const CUT: Record<string, number> = { '01': 14 };

/** The key as it stands in the table. */
function cut(key: string): string {
  return key.slice(0, CUT[key.slice(0, 2)] ?? key.length);
}

function inKeyOrder(stations: ReadonlyMap<string, Station>): [string, Station][] {
  return [...stations]
    .map(([key, station]) => [cut(key), station] as [string, Station])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function load(folder: string, stations: Map<string, Station>) {
  const keyBytes = [...stations.keys()][0].length / 2;
  return loadStations(folder, sortedRecords(keyBytes, stations), IGNORE);
}

function accessPoints(count: number, latitude: number, from = 0): Map<string, Station> {
  return new Map(
    Array.from({ length: count }, (_, i) => [wifiHex(0x88f7c7000000 + from + i * 3), stationAt(latitude, 8, 35, 91)]),
  );
}

/** Random access points or cells out of few, with positions as numbers of this load. */
function randomStations(random: () => number, count: number, latitude: number): Map<string, Station> {
  const cells = random() < 0.5;
  return new Map(
    Array.from({ length: count }, () => {
      const key = cells
        ? cellHex(
            random() < 0.5 ? 8 : 11,
            random() < 0.5 ? 1000 : 210_000,
            Math.floor(random() * 400),
            Math.floor(random() * 5),
          )
        : wifiHex(Math.floor(random() * 256) * 2 ** 40 + Math.floor(random() * 20));
      return [key, stationAt(latitude, Math.floor(random() * 1000) / 10, 1000, 2000)] as const;
    }),
  );
}

test('a series of loads, small and large, leaves what a map would hold', async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const random = uniform(seed);
    const folder = temporaryFolder();
    const model = new Map<string, Station>();
    const ways = new Set<boolean>();
    for (let round = 0; round < 10; round++) {
      const stations = randomStations(random, random() < 0.5 ? 3 : 700, round + 10);
      const before = new Map(model);
      for (const [key, station] of stations) model.set(key, station);
      const replaced = [...stations.keys()].filter(key => before.has(key)).length;
      const result = await load(folder, stations);
      expect(result).toMatchObject({ stations: model.size, added: stations.size - replaced, replaced });
      const changed = [...stations.keys()].sort().join('');
      if (result.changedKeys !== undefined) expect(Buffer.from(result.changedKeys).toString('hex')).toBe(changed);
      ways.add(result.changedKeys !== undefined);
    }
    const tables = await readTables(folder);
    expect([...tables.stations]).toEqual(inKeyOrder(model));
    expect(tables.meta).toMatchObject({ format: 3, count: model.size });

    // The areas are those of one load of everything into an empty folder.
    const cells = new Map([...model].filter(([key]) => !key.startsWith('01')));
    const fresh = temporaryFolder();
    if (cells.size > 0) await load(fresh, cells);
    const expected = cells.size > 0 ? await readTables(fresh) : { areas: new Map(), idDistances: new Map() };
    expect(tables.areas).toEqual(expected.areas);
    expect(tables.idDistances).toEqual(expected.idDistances);
    if (seed === 1) expect(ways).toEqual(new Set([true, false]));
  }
});

test('a large load makes a new generation and leaves the old one whole', async () => {
  const folder = temporaryFolder();
  expect(await load(folder, accessPoints(500, 49))).toEqual({
    generation: 1,
    stations: 500,
    added: 500,
    replaced: 0,
    removed: 0,
  });
  expect(await load(folder, accessPoints(300, 50, 1))).toEqual({
    generation: 2,
    stations: 800,
    added: 300,
    replaced: 0,
    removed: 0,
  });
  const old = openGeneration(generationPath(folder, 1));
  expect(old.stations.getCount()).toBe(500);
  await old.root.close();
});

test('a small load keeps the generation and names the changed keys', async () => {
  const folder = temporaryFolder();
  await load(folder, accessPoints(1000, 49));
  const few = accessPoints(2, 50);
  few.set(wifiHex(0x020000000001), stationAt(51, 8, 35, 91));
  const { changedKeys, ...result } = await load(folder, few);
  expect(result).toEqual({ generation: 1, stations: 1001, added: 1, replaced: 2, removed: 0 });
  expect(Buffer.from(changedKeys!).toString('hex')).toBe([...few.keys()].sort().join(''));
});

test('a small load of cells refreshes their areas only, from all of their cells', async () => {
  const folder = temporaryFolder();
  const cells = new Map<string, Station>();
  for (let i = 0; i < 1000; i++) cells.set(cellHex(11, 210_000, i, i % 4), stationAt(50, 4, 1000, 2000));
  await load(folder, cells);
  await load(folder, new Map([[cellHex(11, 210_000, 5000, 1), stationAt(51, 4, 1000, 2000)]]));
  const { areas } = await readTables(folder);
  expect([...areas.values()].map(area => area.samples)).toEqual([250, 251, 250, 250]);
});

test('progress ends at the number of stations written', async () => {
  const folder = temporaryFolder();
  await load(folder, accessPoints(500, 49));
  const seen: [number, number][] = [];
  await loadStations(folder, sortedRecords(8, accessPoints(300, 50)), (done, total) => seen.push([done, total]));
  expect(seen.at(-1)).toEqual([500, 800]);
});

test('a load that fails half way leaves the tables as they were', async () => {
  const folder = temporaryFolder();
  await load(folder, accessPoints(500, 49));
  const before = await readTables(folder);
  for (const count of [400, 2]) {
    const whole = sortedRecords(8, accessPoints(count, 50), 1);
    const broken = {
      ...whole,
      *batches() {
        yield* [...whole.batches()].slice(0, count / 2);
        throw new Error('the run file has gone');
      },
    };
    await expect(loadStations(folder, broken, IGNORE)).rejects.toThrow(
      'The station tables could not be written: the run file has gone. They are as they were before.',
    );
    expect(await readTables(folder)).toEqual(before);
    expect(readdirSync(join(folder, 'stations')).sort()).toEqual(['1', 'CURRENT']);
  }
});

test('stations that somebody else writes meanwhile are not lost: the load gives up', async () => {
  const folder = temporaryFolder();
  await load(folder, accessPoints(500, 49));
  const other = openGeneration(generationPath(folder, 1));
  const whole = sortedRecords(8, accessPoints(400, 50));
  const meddled = {
    ...whole,
    *batches() {
      yield* whole.batches();
      other.stations.putSync(Buffer.from(cut(wifiHex(5)), 'hex'), Buffer.alloc(24));
    },
  };
  await expect(loadStations(folder, meddled, IGNORE)).rejects.toThrow(
    'they were changed while an import was merged with them',
  );
  await other.root.close();
});

describe.skipIf(process.platform === 'win32')('a full disk', () => {
  test('ends the load with a sentence, and the tables are as they were', async () => {
    const folder = temporaryFolder();
    await load(folder, accessPoints(500, 49));
    const before = await readTables(folder);
    // A limit on the size of files stands in for the disk: 2,048 blocks of 1 KiB hold about 48,000 stations.
    const command = `trap '' XFSZ; ulimit -f 2048; exec "$0" test/tables/stations/load_child.ts "$1" 100000`;
    expect(
      execFileSync('bash', ['-c', command, process.execPath, folder], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ).toMatch(/^The station tables could not be written: .*\. They are as they were before\.\n$/);
    expect(await readTables(folder)).toEqual(before);
    removeLeftovers(folder);
    expect(readdirSync(join(folder, 'stations')).sort()).toEqual(['1', 'CURRENT']);
  });
});

test('a sorted load takes less than 48 bytes of disk a station', async () => {
  const folder = temporaryFolder();
  await load(folder, accessPoints(100_000, 49));
  expect(statSync(join(generationPath(folder, 1), 'data.mdb')).size / 100_000).toBeLessThan(48);
});

test('many records that lie side by side change only what they touch', async () => {
  const folder = temporaryFolder();
  await load(folder, accessPoints(20_000, 49));
  const cells = new Map(
    Array.from({ length: 2_000 }, (_, i) => [cellHex(11, 210_000, i, i % 4), stationAt(50, 4, 1000, 2000)] as const),
  );
  const path = join(temporaryFolder(), 'cells');
  writeRecordFile(path, sortedRecords(12, cells));
  const file = new RecordFile(path, 12);
  expect(await loadStations(folder, file, IGNORE)).toMatchObject({ generation: 1, stations: 22_000, added: 2_000 });
  file.close();
  // The same number all over the table touches nearly every page.
  const scattered = new Map([...accessPoints(20_000, 51)].filter((_, i) => i % 10 === 0));
  const other = join(temporaryFolder(), 'access points');
  writeRecordFile(other, sortedRecords(8, scattered));
  const spread = new RecordFile(other, 8);
  expect(await loadStations(folder, spread, IGNORE)).toMatchObject({
    generation: 2,
    stations: 22_000,
    replaced: 2_000,
  });
  spread.close();
});

test('few records all over the table change full pages in place, and fill half empty ones again', async () => {
  const folder = temporaryFolder();
  await load(folder, accessPoints(20_000, 49));
  // One in twenty of the stations, between them; each on a page of its own or nearly so.
  const between = (n: number, from: number) =>
    new Map(
      Array.from({ length: n }, (_, i) => [wifiHex(0x88f7c7000000 + from + i * 60), stationAt(52, 8, 35, 91)] as const),
    );
  expect(await load(folder, between(1_000, 1))).toMatchObject({ generation: 1, stations: 21_000, added: 1_000 });
  expect(await load(folder, between(1_000, 2))).toMatchObject({ generation: 2, stations: 22_000, added: 1_000 });
  // One more than a twentieth.
  expect(await load(folder, between(1_101, 32))).toMatchObject({ generation: 3, stations: 23_101 });
  expect((await readTables(folder)).stations.size).toBe(23_101);
});
