// Every answer names its request in the log: in its text, or in a header where the text has no room.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { serve } from '../kits/served_service.ts';
import type { RequestOptions } from '../kits/service_process.ts';

const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
const WIFI = 'wifi=02:00:5e:00:00:d3,a,-50;02:00:5e:00:00:d4,b,-60';

test('every request can be looked up in the log by what its answer says', async () => {
  const service = await serve();
  const key = (await service.key()).key;
  const get = (path: string): RequestOptions => ({ method: 'GET', path });
  const cases: [route: string, request: RequestOptions, place: 'text' | 'header'][] = [
    ['position', { path: `/?key=${key}`, body: POINTS }, 'text'],
    ['position', { path: `/?key=${key}`, body: {} }, 'text'],
    ['position', { path: `/v1/geolocate/batch?key=${key}`, body: [POINTS] }, 'header'],
    ['compact', get(`/?key=${key}&${WIFI}`), 'header'],
    ['compact', get(`/?key=nobody&${WIFI}`), 'header'],
    ['reverse', get(`/reverse?key=${key}&lat=48.85&lon=2.35`), 'header'],
    ['reverse', get(`/reverse?key=nobody&lat=48.85&lon=2.35`), 'text'],
    ['reverse', { path: `/reverse?key=${key}`, body: [{ lat: 48.85, lon: 2.35 }] }, 'header'],
    ['search', get(`/search?key=${key}&q=Paris`), 'header'],
    ['lookup', get(`/lookup?key=${key}&osm_ids=N1`), 'header'],
    ['status', get('/status'), 'header'],
    ['trail', get(`/trail?key=${key}&mac=02:00:5e:00:00:d3`), 'text'],
    ['country', { path: `/v1/country?key=${key}`, body: { cellTowers: [{ mobileCountryCode: 262 }] } }, 'header'],
    ['submit', { path: `/v2/geosubmit?key=${key}`, body: { items: [] } }, 'header'],
    ['submit', { path: `/v1/submit?key=${key}`, body: { items: [] } }, 'header'],
    ['other', get('/nowhere'), 'text'],
    ['other', { method: 'PUT', path: '/' }, 'text'],
  ];
  for (const [route, request, place] of cases) {
    const { headers, json, status } = await service.request(request);
    const inText = Array.isArray(json) ? undefined : json?.logId;
    const inHeader = headers['x-log-id'];
    expect([request.path, inText === undefined, inHeader === undefined]).toEqual([
      request.path,
      place === 'header',
      place === 'text',
    ]);
    const logged = await service.logged(Number(inText ?? inHeader));
    expect([logged.route, logged.status]).toEqual([route, status]);
  }
});

test('a body that ends in its middle is one request in the log, that of its answer', async () => {
  const service = await serve('--access-log', 'json');
  const { key } = await service.key();
  const head = (path: string, more: string): string =>
    `POST ${path}?key=${key} HTTP/1.1\r\nhost: x\r\nx-other: 1\r\n${more}\r\n\r\n`;
  const cases: [path: string, text: string][] = [
    ['/', `${head('/', 'content-length: 100')}{"wifi`],
    ['/v2/geosubmit', `${head('/v2/geosubmit', 'content-length: 100')}{"items`],
    ['/reverse', `${head('/reverse', 'transfer-encoding: chunked')}2\r\n[]\r\n`],
    ['/', `${head('/', 'transfer-encoding: chunked')}2\r\n{}\r\nxyz\r\n`],
  ];
  for (const [path, text] of cases) {
    const socket = connect(service.port, '127.0.0.1').setEncoding('utf8');
    const answered = socket.toArray();
    socket.end(text);
    const answer = (await answered).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*connection: close/is);
    const { error, logId } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect([path, error.message]).toEqual([path, 'The request is not valid HTTP.']);
    expect(await service.logged(logId)).toMatchObject({ route: 'other', status: 400 });
  }
  // One whose client is gone altogether gets no answer.
  const gone = connect(service.port, '127.0.0.1');
  gone.write(`${head('/', 'content-length: 100')}{`);
  await once(gone, 'connect');
  await service.post(key, {});
  gone.resetAndDestroy();
  await expect.poll(() => service.printed).toMatch(/"status":404,.*\n.*"status":400,/);
  await service.post(key, {});
  expect((await service.stop()).code).toBe(0);
  // Each of them once, the one that is gone, and the two whole ones.
  expect(service.printed.match(/"logId":/g)).toHaveLength(cases.length + 3);
});
