// What takes long over the admin interface: removals, which are jobs.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { administered, BYTES, CELLS, ended } from './administered.ts';

test('sources and buildings are listed and taken out, and a job tells how far it is', async () => {
  const { service, ask } = await administered();
  const accessPoints = 'bssid,latitude,longitude\n02:00:5e:00:00:01,49.1,8.4\n';
  await ended(ask, '/imports', (await ask('POST', '/imports?kind=cells&source=cells', CELLS, BYTES)).json.id);
  await ended(
    ask,
    '/imports',
    (await ask('POST', '/imports?kind=wifi&source=walls/floors', accessPoints, BYTES)).json.id,
  );
  const office = readFileSync('docs/examples/office.geojson');
  const imported = await ask('POST', '/imports?kind=buildings&source=office', office, BYTES);
  expect(await ended(ask, '/imports', imported.json.id)).toMatchObject({ state: 'done', result: { source: 'office' } });
  expect((await ask('GET', '/sources')).json.sources).toMatchObject([
    { name: 'cells', kind: 'cells', rows: 1 },
    { name: 'walls/floors', kind: 'wifi', rows: 1 },
  ]);
  expect((await ask('GET', '/buildings')).json.buildings).toMatchObject([{ name: 'office', buildings: 1 }]);

  const begun = await ask('POST', '/sources/remove', { name: 'walls/floors' });
  expect(begun).toMatchObject({ status: 202, json: { id: 1, verb: 'sources', state: 'running' } });
  expect(await ended(ask, '/jobs', 1)).toMatchObject({ state: 'done', result: { removed: 1 } });
  await ask('POST', '/buildings/remove', { name: 'office' });
  expect(await ended(ask, '/jobs', 2)).toMatchObject({
    verb: 'buildings',
    state: 'done',
    result: { removed: 1, buildings: 0 },
  });
  await ask('POST', '/sources/remove', { name: 'nothing' });
  expect(await ended(ask, '/jobs', 3)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('There is no source "nothing"'),
  });
  expect((await ask('GET', '/sources')).json.sources).toMatchObject([{ name: 'cells' }]);
  expect((await ask('GET', '/buildings')).json).toEqual({ buildings: [] });
  expect((await ask('GET', '/jobs')).json.jobs.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
  expect(await ask('GET', '/jobs/4')).toMatchObject({ status: 404, json: { error: 'There is no job 4.' } });

  // Where a station was heard on each day, from all reports.
  const street = readFileSync('docs/examples/sets/street.jsonl');
  await ended(ask, '/imports', (await ask('POST', '/imports?kind=observations', street, BYTES)).json.id);
  const asked = await ask('POST', '/stations/lte-295-5-2101-1280257/days');
  expect(asked).toMatchObject({ status: 202, json: { id: 4, verb: 'days' } });
  const { state, result } = await ended(ask, '/jobs', 4);
  expect([state, result.stations[0].station]).toEqual(['done', 'lte-295-5-2101-1280257']);
  expect(result.stations[0].days[0]).toMatchObject({
    day: '2026-03-01',
    reports: expect.any(Number),
    contributors: 1,
    latitude: expect.closeTo(47.14, 1),
    spreadMetres: expect.any(Number),
  });
  expect((await ask('POST', '/stations/nothing/days')).status).toBe(400);
  expect((await service.stop()).code).toBe(0);
});

test('fingerprints are imported, found, listed as a source and taken out', async () => {
  const { service, ask } = await administered();
  const send = async (kind: string, source: string, file: string): Promise<unknown> =>
    ended(
      ask,
      '/imports',
      (await ask('POST', `/imports?kind=${kind}&source=${source}`, readFileSync(file), BYTES)).json.id,
    );
  await send('buildings', 'office', 'docs/examples/office.geojson');
  const survey = { imported: { fingerprints: 30, buildings: 1, floors: 2 }, leftOut: {}, source: 'walk' };
  expect(await send('fingerprints', 'walk', 'docs/examples/office_survey.csv')).toMatchObject({
    state: 'done',
    result: { ...survey, removed: 0 },
  });
  expect(await send('fingerprints', 'walk', 'docs/examples/office_survey.csv')).toMatchObject({
    state: 'done',
    result: { ...survey, removed: 30 },
  });
  expect(await send('fingerprints', 'plan', 'docs/examples/office.geojson')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('The file'),
  });
  expect((await ask('GET', '/sources')).json.sources).toMatchObject([{ name: 'walk', kind: 'fingerprints', rows: 30 }]);
  const heard = { '02:00:5e:1c:e0:01': -54, '02:00:5e:1c:e0:02': -86, '02:00:5e:1c:e0:03': -79 };
  const wifiAccessPoints = Object.entries(heard).map(([macAddress, signalStrength]) => ({
    macAddress,
    signalStrength,
  }));
  const { key } = await service.key({});
  const located = async () =>
    (await service.request({ path: `/?key=${key}`, body: { indoor: 1, wifiAccessPoints } })).json;
  expect((await located()).indoor).toMatchObject({ building: 'Harbour Office', floorIndex: 0, room: 'Lobby' });
  await ask('POST', '/sources/remove', { name: 'walk' });
  expect(await ended(ask, '/jobs', 1)).toMatchObject({ state: 'done', result: { removed: 30 } });
  expect((await located()).location).toBeUndefined();
  expect((await ask('GET', '/sources')).json).toEqual({ sources: [] });
  expect((await service.stop()).code).toBe(0);
});

test('what people ask to have forgotten is forgotten, by the jobs of the command', async () => {
  const { service, ask } = await administered();
  const { id, key } = await service.key({ contributor: true, trusted: true });
  const contribute = async (query: string, mac: number): Promise<number> => {
    const wifiAccessPoints = [1, 2].map(n => ({ macAddress: `02:00:5e:00:0${mac}:0${n}`, signalStrength: -60 }));
    const body = {
      items: [
        {
          timestamp: 1_772_359_200_000 + mac,
          position: { latitude: 49.1, longitude: 8.4 + mac / 100 },
          wifiAccessPoints,
        },
      ],
    };
    const { headers } = await service.request({ path: `/v2/geosubmit?key=${key}${query}`, body });
    return Number(headers['x-log-id']);
  };
  const logId = await contribute('', 1);
  await contribute('&id=bicycle', 2);
  await contribute('&id=bus', 3);
  await contribute('', 4);
  await expect.poll(() => service.logged(logId)).not.toBeNull();
  await service.job({ verb: 'aggregate', action: 'all' });
  const forget = async (body: object) => ended(ask, '/jobs', (await ask('POST', '/forget', body)).json.id);
  expect(await forget({ stations: ['02:00:5e:00:04:01'] })).toMatchObject({
    state: 'done',
    result: { changedReports: 1 },
  });
  expect((await ask('GET', '/forget')).json).toEqual({ stations: ['02:00:5e:00:04:01'] });
  expect(await forget({ stations: ['02:00:5e:00:04:01'], mayReturn: true })).toMatchObject({ state: 'done' });
  expect((await ask('GET', '/forget')).json).toEqual({ stations: [] });
  expect(await forget({ report: logId })).toMatchObject({ state: 'done', result: { reports: 1, requests: 1 } });
  expect(await forget({ device: 'bus', account: id })).toMatchObject({
    state: 'done',
    result: { reports: 1, requests: 1 },
  });
  expect(await forget({ device: 'bicycle' })).toMatchObject({ state: 'done', result: { reports: 1, requests: 1 } });
  expect(await forget({ contributor: id })).toMatchObject({ state: 'done', result: { reports: 1 } });
  expect(await ask('POST', '/forget', { report: 12_345 })).toMatchObject({
    status: 409,
    json: { error: 'There is no logged request 12345; requests are kept at most 7 days.' },
  });
  expect(await ask('POST', '/forget', { stations: ['here'] })).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining('"here" names no station') },
  });
});

test('the secret is rotated, and an old one that still opens tokens ends only by force', async () => {
  const { ask } = await administered();
  const rotated = await ask('POST', '/secret/rotate', { overlapSeconds: 3_600 });
  expect(Date.parse(rotated.json.oldUntil)).toBeGreaterThan(Date.now());
  expect(await ask('POST', '/secret/rotate', { overlapSeconds: 0 })).toMatchObject({
    status: 409,
    json: { error: expect.stringContaining('still opens state tokens') },
  });
  expect(await ask('POST', '/secret/rotate?force=true', { overlapSeconds: 0 })).toMatchObject({
    status: 200,
    json: {},
  });
});
