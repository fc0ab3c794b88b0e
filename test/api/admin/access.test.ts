// Who may do what over the admin interface: tokens, sessions of browsers, and requests that are not of our own page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { neededBy } from '../../../src/api/admin/access.ts';
import { OPERATIONS } from '../../../src/api/admin/operations.ts';
import { type Answer, send } from '../../kits/service_process.ts';
import { administered, BYTES, CELLS, ended, sharedAdministered } from './administered.ts';

/** Fields that the page of the console sends. */
const MARKED = { 'sec-fetch-site': 'same-origin', 'x-sextant-console': '1' };
const OURS = { ...MARKED, 'content-type': 'application/json' };

/** A service in which there is only the demo. */
const demo = sharedAdministered();
const used = sharedAdministered('--admin-read-token');
let made: Promise<unknown> | undefined;

/** A service with a key of somebody, so that nothing is read without a token. */
async function inUse() {
  const { service, url } = await used();
  made ??= service.key({ name: 'fleet' });
  await made;
  const keys = async () => (await service.job<object[]>({ verb: 'keys', action: 'list' })).length;
  return { keys, url, token: (file: string) => readFileSync(join(service.folder, file), 'utf8').trim() };
}

/** Logs in. @returns the field `Cookie` of the session */
async function logIn(url: string, token: string): Promise<string> {
  const answer = await send(url, { path: '/console/session', headers: OURS, body: { token } });
  expect(answer.status).toBe(200);
  const [cookie] = answer.headers['set-cookie']!;
  expect(cookie).toMatch(/^sextant_console=[\w-]{48}; Path=\/; HttpOnly; SameSite=Strict$/);
  return cookie.split(';')[0];
}

function get(url: string, path: string, headers: Record<string, string>): Promise<Answer> {
  return send(url, { method: 'GET', path, headers });
}

test('a session does what its token does, until it is ended', async () => {
  const { url, token, keys } = await inUse();
  expect((await get(url, '/keys', {})).status).toBe(401);
  const cookie = await logIn(url, token('admin.token'));
  expect((await get(url, '/keys', { cookie })).json.keys).toHaveLength(await keys());
  expect((await get(url, '/console/session', { cookie })).json).toMatchObject({ access: 'all', isLoggedIn: true });
  const made = await send(url, { path: '/keys', headers: { ...OURS, cookie }, body: { name: 'new' } });
  expect(made.status).toBe(201);
  const ended = await send(url, { method: 'DELETE', path: '/console/session', headers: { ...MARKED, cookie } });
  expect(ended).toMatchObject({ status: 200, json: { access: 'none', isLoggedIn: false } });
  expect(ended.headers['set-cookie']![0]).toContain('Max-Age=0');
  expect((await get(url, '/keys', { cookie })).status).toBe(401);
});

test('behind HTTPS the cookie is sent over HTTPS only', async () => {
  const { url, token } = await inUse();
  const headers = { ...OURS, 'x-forwarded-proto': 'https' };
  const answer = await send(url, { path: '/console/session', headers, body: { token: token('admin.token') } });
  expect(answer.headers['set-cookie']![0]).toContain('; Secure');
});

test('a wrong token begins no session', async () => {
  const { url, token } = await inUse();
  for (const wrong of ['x', `${token('admin.token')}x`, 'Bearer x'])
    expect(await send(url, { path: '/console/session', headers: OURS, body: { token: wrong } })).toMatchObject({
      status: 401,
      json: { error: 'This is not the token of this service.' },
    });
});

/** What is no GET and reads all the same; everything else that is none changes or begins something. */
const READING = ['explain'];
/** Groups of routes that tell what somebody did or asked: they take a token also where there is only the demo. */
const OF_SOMEBODY = /^\/(?:explain|tables|jobs|imports|devices|log|walks)(?:\/|$)/;

/** Asks all routes that are not open. @returns their statuses */
async function statuses(
  url: string,
  ...ways: Record<string, string>[]
): Promise<[(typeof OPERATIONS)[number], number][]> {
  const found: [(typeof OPERATIONS)[number], number][] = [];
  for (const operation of OPERATIONS.filter(({ isOpen }) => !isOpen))
    for (const headers of ways) {
      const { method } = operation;
      const path = operation.path.replaceAll(/\{\w+\}/g, '1');
      const sent = { 'content-type': operation.isUpload ? 'application/octet-stream' : 'application/json', ...headers };
      const body = method === 'GET' ? {} : { body: operation.isUpload ? CELLS : {} };
      found.push([operation, (await send(url, { method, path, headers: sent, ...body })).status]);
    }
  return found;
}

test('the token that only reads reads everything, and changes and begins nothing, also in a session', async () => {
  const { url, token, keys } = await inUse();
  const before = await keys();
  const read = token('admin_read.token');
  expect(read).not.toBe(token('admin.token'));
  const cookie = await logIn(url, read);
  const { 'content-type': _, ...marked } = OURS;
  for (const [{ method, path, name }, status] of await statuses(
    url,
    { authorization: `Bearer ${read}` },
    { ...marked, cookie },
  )) {
    const isRead = method === 'GET' || READING.includes(name);
    if (!isRead) expect(status, `${method} ${path}`).toBe(403);
    else expect([200, 400, 404, 409], `${method} ${path}: ${status}`).toContain(status);
  }
  const all = { authorization: `Bearer ${token('admin.token')}` };
  expect((await get(url, '/jobs', all)).json.jobs).toEqual([]);
  expect((await get(url, '/tables', all)).json.tables).toEqual([]);
  expect(await keys()).toBe(before);
});

test('a route that does not say that it reads takes the token for everything', () => {
  expect(neededBy({ method: 'POST' })).toBe('all');
  expect(neededBy({ method: 'PATCH' })).toBe('all');
  expect(neededBy({ method: 'DELETE', needsToken: true })).toBe('all');
  expect(neededBy({ method: 'POST', isReading: true })).toBe('read');
  expect(neededBy({ method: 'GET', needsToken: true })).toBe('read');
});

test('where there is only the demo, jobs, tables, explanations and what somebody asked take a token', async () => {
  const { url } = await demo();
  for (const [{ method, path }, status] of await statuses(url, MARKED)) {
    const isClosed = method !== 'GET' || OF_SOMEBODY.test(path);
    if (isClosed) expect(status, `${method} ${path}`).toBe(401);
    else expect([200, 400, 404], `${method} ${path}: ${status}`).toContain(status);
  }
});

test('without the flag there is no token that only reads', async () => {
  const { service } = await demo();
  expect(() => readFileSync(join(service.folder, 'admin_read.token'))).toThrow('ENOENT');
});

test('a request with the cookie that is not of our own page changes nothing', async () => {
  const { url, token, keys } = await inUse();
  const before = await keys();
  const cookie = await logIn(url, token('admin.token'));
  const others: [what: string, headers: Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site', 'x-sextant-console': '1' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site', 'x-sextant-console': '1' }],
    ['a form, which sets no fields', { 'sec-fetch-site': 'same-origin' }],
    ['an old browser on another page', { origin: 'http://evil.example', 'x-sextant-console': '1' }],
    ['nobody knows where', { 'x-sextant-console': '1' }],
  ];
  for (const [what, headers] of others) {
    const sent = { cookie, 'content-type': 'application/json', ...headers };
    expect((await send(url, { path: '/keys', headers: sent, body: { name: 'x' } })).status, what).toBe(401);
    expect((await send(url, { path: '/console/session', headers: sent, body: { token: 'x' } })).status, what).toBe(403);
  }
  expect(await keys()).toBe(before);
});

test('a page of another site reads nothing, also where a demo is open', async () => {
  const { url } = await demo();
  expect((await get(url, '/status', { 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  expect((await get(url, '/status', { 'sec-fetch-site': 'same-site' })).status).toBe(401);
});

test('under a name of somebody that leads here, nothing is read without a token (DNS rebinding)', async () => {
  const { url, token } = await inUse();
  const cookie = await logIn(url, token('admin.token'));
  const authorization = `Bearer ${token('admin.token')}`;
  for (const host of ['evil.example', 'evil.example:8081', '127.0.0.1.evil.example', '192.168.1.5', 'localhost.evil']) {
    expect((await get(url, '/keys', { host, cookie })).status, host).toBe(401);
    expect((await get(url, '/console/', { host })).status, host).toBe(403);
    expect((await get(url, '/keys', { host, authorization })).status, host).toBe(200);
  }
});

test('names of this machine with any port are ours: a tunnel has another one', async () => {
  const { url, token } = await inUse();
  const cookie = await logIn(url, token('admin.token'));
  for (const host of ['localhost', 'localhost:9000', '127.0.0.1:1', '[::1]:8081'])
    expect((await get(url, '/keys', { host, cookie })).status, host).toBe(200);
});

test('a new folder is read without a token, and no longer once there is a key of somebody or a proxy', async () => {
  const { service, url } = await administered();
  expect((await get(url, '/keys', {})).json.keys).toHaveLength(1);
  expect((await get(url, '/console/session', {})).json).toMatchObject({ access: 'read', isLoggedIn: false });
  const body = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
  expect((await send(url, { path: '/explain', headers: OURS, body })).status).toBe(401);
  expect((await send(url, { path: '/keys', headers: OURS, body: {} })).status).toBe(401);
  expect((await get(url, '/keys', { 'x-forwarded-for': '10.0.0.1' })).status).toBe(401);
  await service.key({ name: 'fleet' });
  expect((await get(url, '/keys', {})).status).toBe(401);
});

test('a folder is not read without a token while it holds a source, a building, an objection or a tenant', async () => {
  const { url, ask } = await administered();
  const isOpen = async () => (await get(url, '/keys', {})).status === 200;
  const imported = async (query: string, body: string | Buffer) => {
    const { json } = await ask('POST', `/imports?${query}`, body, BYTES);
    expect(await ended(ask, '/imports', json.id)).toMatchObject({ state: 'done' });
    return isOpen();
  };
  const removed = async (path: string, name: string) => {
    const { json } = await ask('POST', `${path}/remove`, { name });
    expect(await ended(ask, '/jobs', json.id)).toMatchObject({ state: 'done' });
    return isOpen();
  };
  expect(await isOpen()).toBe(true);
  expect(await imported('kind=cells&source=own', CELLS)).toBe(false);
  // As if it had never been imported.
  expect(await removed('/sources', 'own')).toBe(true);
  expect(await imported('kind=buildings&source=office', readFileSync('docs/examples/office.geojson'))).toBe(false);
  expect(await removed('/buildings', 'office')).toBe(true);
  await ask('POST', '/tenants', { tag: 'acme' });
  expect(await isOpen()).toBe(false);
  await ask('POST', '/tenants/remove', { tag: 'acme' });
  expect(await isOpen()).toBe(true);
  await ended(ask, '/jobs', (await ask('POST', '/forget', { stations: ['02:00:5e:00:00:01'] })).json.id);
  expect(await isOpen()).toBe(false);
});

test('a folder is not read without a token once somebody has reported anything, also under the demo key', async () => {
  const { service, url } = await administered();
  const item = {
    timestamp: Date.now(),
    position: { latitude: 49.1, longitude: 8.4, accuracy: 5, age: 0 },
    wifiAccessPoints: [{ macAddress: '00:16:3e:00:00:01' }, { macAddress: '00:16:3e:10:20:02' }],
  };
  expect((await get(url, '/stations', {})).status).toBe(200);
  const path = `/v2/geosubmit?key=${service.demoKey}`;
  expect((await service.request({ path, body: { items: [item] } })).status).toBe(200);
  expect((await get(url, '/stations', {})).status).toBe(401);
});

test('a folder is not read without a token while it holds measurements or an extract', async () => {
  const files = [
    ['kind=observations&source=street', 'docs/examples/sets/street.jsonl'],
    ['kind=osm&source=town', 'docs/examples/village.osm.pbf'],
  ] as const;
  for (const [query, file] of files) {
    const { url, ask } = await administered();
    const { json } = await ask('POST', `/imports?${query}`, readFileSync(file), BYTES);
    expect(await ended(ask, '/imports', json.id)).toMatchObject({ state: 'done' });
    expect((await get(url, '/keys', {})).status, query).toBe(401);
  }
});

test('a wrong token opens nothing where a demo is open', async () => {
  const { url } = await demo();
  expect((await get(url, '/keys', { authorization: 'Bearer wrong' })).status).toBe(401);
});

test('the page is told where its token is, unless it asks through a proxy, and how its session ended', async () => {
  const { url, token } = await inUse();
  const cookie = await logIn(url, token('admin.token'));
  const seen = async (headers: Record<string, string>) => (await get(url, '/console/session', headers)).json;
  const { tokenFile, ended: not } = await seen({ cookie });
  expect(not).toBeUndefined();
  expect(readFileSync(tokenFile, 'utf8').trim()).toBe(token('admin.token'));
  for (const headers of [{ 'x-forwarded-for': '10.0.0.1' }, { host: 'sextant.example' }])
    expect(await seen(headers as Record<string, string>)).not.toHaveProperty('tokenFile');
  await send(url, { method: 'DELETE', path: '/console/session', headers: { ...MARKED, cookie } });
  expect(await seen({ cookie })).toMatchObject({ access: 'none', ended: 'loggedOut' });
});
