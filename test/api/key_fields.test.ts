// Keys wherever clients can put them, on routes of Fastify and in the fast lane.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError, send } from '../kits/service_process.ts';

const BEARER_KEY = 'sx_0123456789abcdefghjkmnpqrs';
const SPENT_KEY = 'sx_spent';

let served: ServedParts;
let plainPort: number;
beforeAll(async () => {
  served = await serveParts({ mode: 'inline', workers: 1, ringBytes: 65_536 });
  await served.accountWriter.create({ keyHash: hashKey(BEARER_KEY), createdMs: 0 });
  await served.accountWriter.create({ keyHash: hashKey(SPENT_KEY), createdMs: 0, credits: 0 });
  const plain = await served.serveBeside(['--no-fast-lane']);
  plainPort = (plain.address() as { port: number }).port;
});
afterAll(() => served.close());

describe.each(['the fast lane', 'Fastify'])('through %s', way => {
  const ask = (headers: Record<string, string>, path = '/', method = 'POST') => {
    const port = way === 'Fastify' ? plainPort : served.port;
    return send(`http://127.0.0.1:${port}`, { method, path, headers, body: method === 'POST' ? {} : undefined });
  };

  test('a key may stand in X-API-Key, or as a bearer token', async () => {
    for (const headers of [
      { 'x-api-key': BEARER_KEY },
      { authorization: `Bearer ${BEARER_KEY}` },
      { authorization: `bearer  ${BEARER_KEY}` },
      { 'x-api-key': BEARER_KEY, authorization: 'Basic abc' },
      { 'ocp-apim-subscription-key': BEARER_KEY },
      { authorization: `Token ${BEARER_KEY}` },
      { authorization: BEARER_KEY },
    ])
      expect((await ask(headers)).status, JSON.stringify(headers)).toBe(404);
  });

  test('the parameter goes before X-API-Key, and that before a bearer token', async () => {
    const valid = encodeURIComponent(BEARER_KEY);
    expect((await ask({ 'x-api-key': SPENT_KEY, authorization: `Bearer ${SPENT_KEY}` }, `/?key=${valid}`)).status).toBe(
      404,
    );
    expectError(await ask({ 'x-api-key': BEARER_KEY }, `/?key=${SPENT_KEY}`), 403, 'creditsExceeded', 'usageLimits');
    expectError(
      await ask({ 'x-api-key': SPENT_KEY, authorization: `Bearer ${BEARER_KEY}` }),
      403,
      'creditsExceeded',
      'usageLimits',
    );
    for (const none of ['', '?key=', '?key=null'])
      expect((await ask({ 'x-api-key': BEARER_KEY }, `/${none}`)).status).toBe(404);
    for (const none of ['', 'null'])
      expect((await ask({ 'x-api-key': none, authorization: `Bearer ${BEARER_KEY}` })).status).toBe(
        none === '' ? 404 : 400,
      );
  });

  test('a key may stand in the parameters key, apiKey and token, in this order', async () => {
    for (const name of ['key', 'apiKey', 'apikey', 'token']) {
      expect((await ask({}, `/?${name}=${BEARER_KEY}`)).status, name).toBe(404);
      expectError(
        await ask({ 'x-api-key': BEARER_KEY }, `/?${name}=${SPENT_KEY}`),
        403,
        'creditsExceeded',
        'usageLimits',
      );
    }
    expect((await ask({}, `/?token=${SPENT_KEY}&apiKey=${BEARER_KEY}`)).status).toBe(404);
    expect((await ask({}, `/?apiKey=${SPENT_KEY}&key=${BEARER_KEY}`)).status).toBe(404);
    expect((await ask({}, `/?apiKey=&key=null&token=${BEARER_KEY}`)).status).toBe(404);
  });

  test('a key may stand before the path of every route, and goes before all others', async () => {
    const before = `/k/${BEARER_KEY}`;
    for (const path of ['', '/', '/v1/geolocate', '/geolocation/v1/geolocate', `/?key=${SPENT_KEY}`, '/v1/country'])
      expectError(await ask({ 'x-api-key': SPENT_KEY }, before + path), 404, 'notFound', 'geolocation', 'Not found');
    for (const path of ['/v2/geosubmit', '/v1/geosubmit', '/v1/submit'])
      expectError(await ask({}, before + path), 400, 'parseError', 'global', 'items is missing.');
    expectError(await ask({}, `${before}/v1/geolocate/batch`), 400, 'parseError', 'global');
    expectError(await ask({}, `${before}/trail?mac=020000000001`, 'GET'), 400, 'settingsKeyInvalid', 'usageLimits');
    expect((await ask({}, `${before}?wifi=02005e0000d3`, 'GET')).text).toBe('status=1');
    for (const path of ['/status', '/health', '/ready']) expect((await ask({}, before + path, 'GET')).status).toBe(200);
    expectError(await ask({}, `/k/${SPENT_KEY}/v1/geolocate`), 403, 'creditsExceeded', 'usageLimits');
    expect((await ask({}, `${before}/v1/geolocate`, 'GET')).headers.allow).toBe('OPTIONS, POST');
    expect((await ask({}, `${before}/v1/geolocate`, 'OPTIONS')).status).toBe(204);
  });

  test('what is no key is refused, and what is for a proxy is ignored', async () => {
    expectError(await ask({ 'x-api-key': 'wrong' }), 400, 'keyInvalid', 'usageLimits');
    expectError(await ask({ authorization: 'Bearer sx_wrong' }), 400, 'keyInvalid', 'usageLimits');
    expectError(await ask({ authorization: 'Bearer of.a.proxy' }), 400, 'keyInvalid', 'usageLimits');
    expect((await ask({ authorization: 'Bearer of.a.proxy' }, `/?key=${BEARER_KEY}`)).status).toBe(404);
  });

  test('every route takes them', async () => {
    expect((await ask({ 'x-api-key': BEARER_KEY }, '/?wifi=02005e0000d3', 'GET')).text).toContain('status=');
    expectError(await ask({ 'x-api-key': SPENT_KEY }, '/search?q=Vaduz', 'GET'), 403, 'creditsExceeded', 'usageLimits');
    expectError(
      await ask({ authorization: `Bearer ${SPENT_KEY}` }, '/reverse?lat=1&lon=1', 'GET'),
      403,
      'creditsExceeded',
      'usageLimits',
    );
  });
});
