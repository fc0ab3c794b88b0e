// Keys in the fields of the head, on routes of Fastify and in the fast lane.

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
