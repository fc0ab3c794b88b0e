// The OwnTracks Recorder: what its reverse geocoding asks and reads (geo.c of 2024).

import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUSE, SEA } from '../../kits/places/extracts.ts';
import { type ServedDialects, SPENT, serveDialects } from './served_dialects.ts';

let served: ServedDialects;
beforeAll(async () => {
  served = await serveDialects();
});
afterAll(() => served.parts.close());

test('a place has its address in village, its locality and its country', async () => {
  const { json } = await served.ask(`/rev?lat=${HOUSE.lat.toFixed(6)}&lon=${HOUSE.lon.toFixed(6)}&app=recorder`);
  expect(json).toEqual({
    address: { village: expect.stringContaining('Äulestrasse'), locality: 'Vaduz', cc: 'LI' },
  });
});

test('whatever is no place must not be kept for ever, so it is not 200', async () => {
  expect(await served.ask(`/rev?lat=${SEA.lat}&lon=${SEA.lon}`)).toMatchObject({
    status: 404,
    json: { error: 'Not found' },
  });
  expect(await served.ask('/rev?lat=x&lon=1')).toMatchObject({ status: 400 });
  expect(await served.ask('/rev?lat=1&lon=1', { key: 'wrong' })).toMatchObject({ status: 400 });
  expect(await served.ask('/rev?lat=1&lon=1', { key: SPENT })).toMatchObject({ status: 403 });
});
