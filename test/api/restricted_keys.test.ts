// Keys that are limited to routes, pages and networks, over HTTP: in the fast lane and in Fastify, and behind a proxy.

import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError, send } from '../kits/service_process.ts';

const DEMO_POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
/** A plain position takes the fast lane, and one with a doubled slash does not. */
const WAYS = ['/', '//'];

let served: ServedParts;
/** Servers beside it that trust a proxy: on this machine, and elsewhere. */
let behindProxy: string;
let behindOther: string;

beforeAll(async () => {
  served = await serveParts({ mode: 'inline', workers: 1, ringBytes: RING_BYTES });
  const limited = (key: string, settings: object) =>
    served.accountWriter.create({ keyHash: hashKey(key), createdMs: 0, ...settings });
  await limited('search', { routes: ['search', 'reverse'] });
  await limited('position', { routes: ['position'] });
  await limited('page', { origins: ['https://shop.example'] });
  await limited('office', { networks: ['192.0.2.0/24', '2001:db8::/32'] });
  await limited('here', { networks: ['127.0.0.0/8'] });
  const urlOf = async (...flags: string[]) =>
    `http://127.0.0.1:${((await served.serveBeside(flags)).address() as AddressInfo).port}`;
  behindProxy = await urlOf('--trust-proxy', '127.0.0.1');
  behindOther = await urlOf('--trust-proxy', '10.0.0.0/8');
});
afterAll(() => served.close());

function ask(key: string, headers: Record<string, string> = {}, path = '/', url = `http://127.0.0.1:${served.port}`) {
  return send(url, { path: `${path}?key=${key}`, body: DEMO_POINTS, headers });
}

test.each(WAYS)('a key is refused for other routes than its own, by %s', async path => {
  expectError(await ask('search', {}, path), 403, 'accessNotConfigured', 'usageLimits');
  expect((await ask('position', {}, path)).status).toBe(200);
  expect((await ask('position', {}, '/v1/geolocate/batch')).status).not.toBe(403);
  expect((await served.get('/reverse?lat=1&lon=2&format=json&key=search')).status).toBe(200);
  expectError(await served.get('/search?q=Bonn&key=position'), 403, 'accessNotConfigured', 'usageLimits');
  const compact = await served.get('/?wifi=02005e0000d3;02005e0000d4&key=position');
  expect(compact.text).toBe('status=2');
  expectError(await ask('search', {}, '/v2/geosubmit'), 403, 'accessNotConfigured', 'usageLimits');
});

test.each(WAYS)('a key of a page is refused to other pages and to programs, by %s', async path => {
  const answered = await ask('page', { origin: 'https://shop.example' }, path);
  expect([answered.status, answered.headers['access-control-allow-origin']]).toEqual([200, '*']);
  expect((await ask('page', { referer: 'https://shop.example/finder?x=1' }, path)).status).toBe(200);
  for (const headers of [
    {},
    { origin: 'https://other.example' },
    { origin: 'https://other.example', referer: 'https://shop.example/' },
    { referer: 'https://other.example/https://shop.example' },
    { referer: 'shop' },
  ]) {
    const refused = await ask('page', headers as Record<string, string>, path);
    expectError(refused, 403, 'ipRefererBlocked', 'usageLimits');
  }
});

test.each(WAYS)('a key of a network is refused to clients elsewhere, by %s', async path => {
  expect((await ask('here', {}, path)).status).toBe(200);
  expectError(await ask('office', {}, path), 403, 'ipRefererBlocked', 'usageLimits');
  // Whoever is no proxy may claim anything.
  const claim = { 'x-forwarded-for': '192.0.2.7' };
  expectError(await ask('office', claim, path), 403, 'ipRefererBlocked', 'usageLimits');
  expectError(await ask('office', claim, path, behindOther), 403, 'ipRefererBlocked', 'usageLimits');
});

test.each(WAYS)('behind a proxy the client counts whom the proxy names, by %s', async path => {
  for (const forwarded of ['192.0.2.7', '2001:db8::9', '10.9.9.9, 192.0.2.7'])
    expect((await ask('office', { 'x-forwarded-for': forwarded }, path, behindProxy)).status, forwarded).toBe(200);
  for (const forwarded of ['198.51.100.7', '192.0.2.7, 198.51.100.7', 'unknown', ''])
    expectError(
      await ask('office', { 'x-forwarded-for': forwarded }, path, behindProxy),
      403,
      'ipRefererBlocked',
      'usageLimits',
    );
});
