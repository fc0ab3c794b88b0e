// Web pages of any origin: the question of a browser before a request, and the headers of answers.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { RING_BYTES } from '../../../src/pool/ring.ts';
import { type ServedParts, serveParts } from '../../kits/served_parts.ts';

const ORIGIN = { origin: 'https://example.org' };
const READABLE = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after, x-log-id' };
const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
const POSITION_PATHS = ['/', '/v1/geolocate', '/geolocation/v1/geolocate'];

let served: ServedParts;
beforeAll(async () => {
  served = await serveParts({ mode: 'inline', workers: 1, ringBytes: RING_BYTES });
});
afterAll(() => served.close());

test.each([
  ...POSITION_PATHS.map(path => [path, path === '/' ? 'GET, OPTIONS, POST' : 'OPTIONS, POST']),
  ...['/v1/geolocate/batch', '/v2/geosubmit', '/v1/geosubmit', '/v1/submit'].map(path => [path, 'OPTIONS, POST']),
])('a browser that asks whether it may post to %s hears that it may', async (path, methods) => {
  const headers = {
    ...ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  const { status, headers: answered, text } = await served.get(path, { method: 'OPTIONS', headers });
  expect([status, text]).toEqual([204, '']);
  expect(answered).toMatchObject({
    ...READABLE,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '86400',
  });
  const refused = await served.get(path, { method: 'DELETE' });
  expect([refused.status, refused.headers.allow]).toEqual([405, methods]);
});

test('a page may read positions and their errors; who names no origin pays for no header', async () => {
  const bodies: [body: unknown, status: number][] = [
    [POINTS, 200],
    [{}, 404],
    ['{', 400],
  ];
  for (const [body, status] of bodies) {
    for (const path of POSITION_PATHS) {
      const toPage = await served.post(body, path, { headers: ORIGIN });
      expect(toPage.status).toBe(status);
      expect(toPage.headers).toMatchObject(READABLE);
      const toDevice = await served.post(body, path);
      expect(toDevice.status).toBe(status);
      expect(Object.keys(toDevice.headers).filter(name => name.startsWith('access-control-'))).toEqual([]);
    }
  }
  expect((await served.post([POINTS], '/v1/geolocate/batch', { headers: ORIGIN })).headers).toMatchObject(READABLE);
  expect((await served.post([POINTS], '/v1/geolocate/batch')).headers['access-control-allow-origin']).toBeUndefined();
  const compact = await served.get('/?key=nobody&wifi=', { headers: ORIGIN });
  expect(compact.headers).toMatchObject(READABLE);
});

test('the asterisk of OPTIONS names no route', async () => {
  const answer = await served.get('*', { method: 'OPTIONS', headers: ORIGIN });
  expect([answer.status, answer.json.error.errors[0].reason]).toEqual([404, 'notFound']);
});

test('the fast lane and Fastify write the same bytes for a page', async () => {
  const other = await served.serveBeside(['--no-fast-lane']);
  const { port } = other.address() as { port: number };
  const heads = await Promise.all(
    [served.port, port].map(async at => {
      const response = await fetch(`http://127.0.0.1:${at}/?key=a%20key`, {
        method: 'POST',
        body: JSON.stringify(POINTS),
        headers: ORIGIN,
      });
      await response.text();
      return [...response.headers].filter(([name]) => !['date', 'content-length'].includes(name));
    }),
  );
  expect(heads[0]).toEqual(heads[1]);
  expect(Object.fromEntries(heads[0])).toMatchObject(READABLE);
});
