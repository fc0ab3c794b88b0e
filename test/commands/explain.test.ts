// `sextant explain` as a process, beside a running service and its request log.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
const ACCESS_POINTS = [
  { macAddress: '02:00:5e:00:00:d3', signalStrength: -50 },
  { macAddress: '02:00:5e:00:00:d4', signalStrength: -60 },
];

const base = folderOfFile();
const folder = join(base, 'var');
let service: ServiceProcess;

beforeAll(async () => {
  service = await ServiceProcess.start(folder, '--http-threads', '1');
});
afterAll(async () => void (await service.stop()));

const explain = (...words: string[]) => runSextant('explain', ...words, '--data', folder);
const explainAsJson = async (...words: string[]) => JSON.parse((await explain(...words, '--json')).stdout);

test('a body is explained as text and as JSON', async () => {
  const file = join(base, 'body.json');
  writeFileSync(file, JSON.stringify({ wifiAccessPoints: ACCESS_POINTS }));
  const { stdout, code } = await explain('--body', file);
  expect(code).toBe(0);
  expect(stdout).toContain(
    '02:00:5e:00:00:d3 (wifiAccessPoints[0], -50 dBm)\n    used for the estimate by access points, weight ',
  );
  expect(stdout).toMatch(/^Answer: 1\.25\d+, -2\.49\d+, radius 15 m$/m);
  const { stations, estimates, answer } = await explainAsJson('--body', file);
  expect(stations[0].known).toEqual({
    source: 'imported',
    latitude: 1.2502487,
    longitude: -2.4997969,
    r50Metres: 25,
    r95Metres: 50,
    samples: 16,
  });
  expect(estimates).toMatchObject([{ strategy: 'wifi', stations: 2, joined: true, weight: 1 }]);
  expect(answer.radius.metres).toBe(15);
});

test('a body that cannot be used is refused with the reason', async () => {
  const file = join(base, 'bad.json');
  writeFileSync(file, '{"wifiAccessPoints":{}}');
  const { stderr, code } = await explain('--body', file);
  expect([code, stderr]).toEqual([1, 'wifiAccessPoints must be an array.\n']);
  expect((await explain('--body', base)).stderr).toBe(`The file ${base} cannot be used: it is no file.\n`);
});

test.each([[[]], [['1234', '--body', 'x.json']]])('exactly one question is named: %j', async words => {
  const { stderr, code } = await explain(...words);
  expect([code, stderr]).toEqual([2, 'error: name one question: a logId, or one of --body, --search, --reverse\n']);
});

test('a logged request is explained for its key, beside what was answered', async () => {
  const { key } = await service.key({ speedFilter: true, speedLimit: 10 });
  const lastLocation = { lat: 1.3, lng: -2.5, timestamp: NOON - 10_000 };
  const body = { wifiAccessPoints: ACCESS_POINTS, lastLocation, timestamp: NOON };
  const { status, json } = await service.request({ path: `/?key=${key}`, body });
  const { logId } = json;
  expect(status).toBe(404);
  const { logged, answer, refused } = await explainAsJson(String(logId));
  expect(logged).toMatchObject({ logId, status: 404 });
  expect(answer.radius.metres).toBe(15);
  expect(refused).toEqual({ speed: expect.closeTo(553, -1), speedLimit: 10 });
  expect((await explain(String(logId))).stdout).toContain('Refused: it needs 55');
});

test('a device is followed by its state, as it was', async () => {
  const { key } = await service.key({ tracking: true });
  const ask = (timestamp: number, level: number, state?: string) => {
    const wifiAccessPoints = ACCESS_POINTS.map((each, i) => ({
      ...each,
      signalStrength: i === 0 ? level : -120 - level,
    }));
    return service.request({ path: `/?key=${key}&id=bus`, body: { wifiAccessPoints, timestamp, state } });
  };
  const first = await ask(NOON, -50);
  const second = await ask(NOON + 8_000, -70, first.json.state);
  const { logged, track, answer } = await explainAsJson(String(second.json.logId));
  expect(track.radiusFactor).toBeGreaterThan(0);
  expect(answer.latitude).toBeCloseTo(second.json.location.lat, 6);
  expect(answer.longitude).toBeCloseTo(second.json.location.lng, 6);
  expect(logged.response.accuracy).toBe(answer.radius.metres);
  expect(answer.radius.trackMetres).not.toBe(0);
});

test('what is no position and no place is not explained by its logId', async () => {
  const { key } = await service.key();
  const { headers } = await service.request({ path: `/v2/geosubmit?key=${key}`, body: { items: [] } });
  const logId = headers['x-log-id'];
  const { stderr, code } = await explain(String(logId));
  expect([code, stderr]).toEqual([
    1,
    `The request ${logId} asks for no position and no place, but by the route submit.\n`,
  ]);
});

test('a logged search and a logged point are explained again', async () => {
  const { key } = await service.key();
  const search = await service.request({ method: 'GET', path: `/search?q=Vadzu&countrycodes=li&key=${key}` });
  const [place] = search.json;
  const { logged, candidates } = await explainAsJson(String(search.headers['x-log-id']));
  expect(logged).toMatchObject({ status: 200, response: search.json });
  expect(candidates[0]).toMatchObject({
    placeId: place.place_id,
    words: [{ words: 'vadzu', as: 'vaduz', reading: 'edited' }],
  });

  const point = await service.request({ method: 'GET', path: `/k/${key}/reverse?lat=47.141&lon=9.521&zoom=4` });
  const { stdout } = await explain(String(point.headers['x-log-id']));
  expect(stdout).toMatch(/^Request \d+ of \S+, \/k\/\/reverse\?lat=47.141&lon=9.521&zoom=4, answered 200$/m);
  expect(stdout).toContain('\nAnswer: Liechtenstein (gazetteer), ');
});

test('a logged list of points is refused with advice', async () => {
  const { key } = await service.key();
  const { headers } = await service.request({ path: `/reverse?key=${key}`, body: [{ lat: 47, lon: 9 }] });
  const { stderr, code } = await explain(String(headers['x-log-id']));
  expect([code, stderr]).toEqual([
    1,
    `The request ${headers['x-log-id']} asks for many points; name one with --reverse.\n`,
  ]);
});

test('the imports are named that list a station', async () => {
  const file = join(base, 'own.csv');
  writeFileSync(file, 'mac,lat,lon,r50,samples\n02:00:5e:20:00:01,1.25,-2.5,30,5\n');
  await service.job({ verb: 'import', kind: 'wifi', files: [file], source: 'own' });
  const body = join(base, 'listed.json');
  writeFileSync(body, JSON.stringify({ wifiAccessPoints: [{ macAddress: '02:00:5e:20:00:01' }, ACCESS_POINTS[0]] }));
  const { stations } = await explainAsJson('--body', body);
  expect(stations.map(({ known }: { known: { sources?: string[] } }) => known.sources)).toEqual([['own'], undefined]);
});
