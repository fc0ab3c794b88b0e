// What a service has learned, carried to another one: by its observations, which must give the same answers, and by its
// station lists.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { METRES_A_DEGREE, moved } from '../kits/radio/ground.ts';
import { uniform } from '../kits/random.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess, send } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const base = folderOfFile();

const QUERIES = 1_000;
const STATIONS = 300;
const ORIGIN = [50.85, 4.35] as const;
const START_MS = Date.UTC(2026, 4, 1);

const next = uniform(5);
const stations = Array.from({ length: STATIONS }, (_, i) => ({
  macAddress: `00:16:3e:${[i >> 8, (i & 255) ^ 90, (i * 37) & 255].map(octet => octet.toString(16).padStart(2, '0')).join(':')}`,
  east: next() * 2_000,
  north: next() * 2_000,
}));
const cells = Array.from({ length: 12 }, (_, i) => ({
  cellId: 26_000_000 + i * 257,
  east: (i % 4) * 600,
  north: Math.floor(i / 4) * 900,
}));

/** What is heard at a place. */
function hear(east: number, north: number): { wifiAccessPoints: object[]; cellTowers: object[] } {
  const level = (away: number) => Math.round(-35 - 30 * Math.log10(Math.max(away, 1)) + (next() - 0.5) * 12);
  const wifiAccessPoints = stations.flatMap(({ macAddress, ...at }) => {
    const away = Math.hypot(at.east - east, at.north - north);
    return away > 150 ? [] : [{ macAddress, signalStrength: Math.max(-99, level(away)), frequency: 2_437 }];
  });
  const heard = cells.map(({ cellId, ...at }) => ({ cellId, away: Math.hypot(at.east - east, at.north - north) }));
  const cellTowers = heard
    .filter(({ away }) => away < 700)
    .sort((a, b) => a.away - b.away)
    .map(({ cellId, away }) => ({
      radioType: 'lte',
      mobileCountryCode: 206,
      mobileNetworkCode: 1,
      locationAreaCode: 3_000,
      cellId,
      signalStrength: Math.max(-139, level(away) - 20),
      primaryScramblingCode: cellId % 504,
    }));
  return { wifiAccessPoints, cellTowers };
}

function placeOf(east: number, north: number) {
  const [latitude, longitude] = moved(ORIGIN, east, north);
  return { latitude, longitude };
}

/** Answers to all queries: status, and position with accuracy. */
async function ask(
  service: ServiceProcess,
  key: string,
  queries: readonly object[],
): Promise<[status: number, ...unknown[]][]> {
  const answers: [status: number, ...unknown[]][] = [];
  for (const query of queries) {
    const { status, json } = await service.post(key, query);
    answers.push([status, json.location, json.accuracy]);
  }
  return answers;
}

test('exported observations give a new service the same answers, and exported lists the same stations', async () => {
  const first = await ServiceProcess.start(`${base}/first`, ...FEW_THREADS);
  const keys = await Promise.all([first.key(), first.key(), first.key({ trusted: true })]);
  // Three contributors walk; what only the first of them saw does not count yet, and stays so.
  for (let walk = 0; walk < 60; walk++) {
    const { key } = keys[walk % 3];
    let [east, north] = [next() * 2_000, next() * 2_000];
    const items = Array.from({ length: 12 }, (_, i) => {
      east += (next() - 0.4) * 30;
      north += (next() - 0.4) * 30;
      return {
        timestamp: START_MS + (walk * 100 + i) * 20_000,
        position: { ...placeOf(east, north), accuracy: 5 + next() * 20 },
        ...hear(east, north),
      };
    });
    expect((await send(first.url, { path: `/v2/geosubmit?key=${key}`, body: { items } })).status).toBe(200);
  }
  await first.job({ verb: 'aggregate', action: 'all' });
  const queries = Array.from({ length: QUERIES }, () => hear(next() * 2_000, next() * 2_000));
  const expected = await ask(first, keys[0].key, queries);
  const lines = `${base}/observations.jsonl`;
  expect(await runSextant('export', 'observations', '--data', `${base}/first`, '-o', lines)).toMatchObject({ code: 0 });
  for (const kind of ['cells', 'wifi'])
    expect(
      await runSextant('export', 'stations', '--kind', kind, '--data', `${base}/first`, '-o', `${base}/${kind}.csv`),
    ).toMatchObject({ code: 0 });
  expect((await first.stop()).code).toBe(0);

  expect(await runSextant('import', 'observations', lines, '--data', `${base}/second`)).toMatchObject({ code: 0 });
  const second = await ServiceProcess.start(`${base}/second`, ...FEW_THREADS);
  expect(await ask(second, (await second.key()).key, queries)).toEqual(expected);
  expect((await second.stop()).code).toBe(0);
  // Not all of them alike: known and unknown places, and positions all over the town.
  expect(expected.filter(([status]) => status === 200).length).toBeGreaterThan(QUERIES / 4);
  expect(new Set(expected.map(answer => JSON.stringify(answer))).size).toBeGreaterThan(QUERIES / 4);

  for (const kind of ['cells', 'wifi']) {
    expect(await runSextant('import', kind, `${base}/${kind}.csv`, '--data', `${base}/lists`)).toMatchObject({
      code: 0,
    });
    const again = `${base}/${kind}.again.csv`;
    expect(
      await runSextant('export', 'stations', '--kind', kind, '--data', `${base}/lists`, '-o', again),
    ).toMatchObject({ code: 0 });
    const [before, after] = [`${base}/${kind}.csv`, again].map(path => rowsOf(path));
    expect(before.size).toBeGreaterThan(kind === 'cells' ? 8 : 30);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, { latitude, longitude, radius }] of before) {
      const other = after.get(name)!;
      expect(Math.hypot(other.latitude - latitude, other.longitude - longitude) * METRES_A_DEGREE).toBeLessThan(1);
      expect(Math.abs(other.radius - radius)).toBeLessThanOrEqual(0.02 * radius);
    }
  }
});

/** Rows of a station list by what identifies them. */
function rowsOf(path: string): Map<string, { latitude: number; longitude: number; radius: number }> {
  const [header, ...rows] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => line.split(','));
  const column = (...names: string[]) => header.findIndex(name => names.includes(name));
  const isCells = header[0] === 'radio';
  return new Map(
    rows.map(row => [
      row.slice(0, isCells ? 5 : 1).join(),
      {
        latitude: Number(row[column('lat', 'latitude')]),
        longitude: Number(row[column('lon', 'longitude')]),
        radius: Number(row[column('range', 'radius')]),
      },
    ]),
  );
}
