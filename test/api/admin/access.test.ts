// Who may do what over the admin interface: tokens, sessions of browsers, and requests that are not of our own page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changes } from '../../../src/api/admin/access.ts';
import { OPERATIONS } from '../../../src/api/admin/operations.ts';
import { type Answer, type ServiceProcess, send } from '../../kits/service_process.ts';
import { administered } from './administered.ts';

/** Fields that the page of the console sends. */
const MARKED = { 'sec-fetch-site': 'same-origin', 'x-sextant-console': '1' };
const OURS = { ...MARKED, 'content-type': 'application/json' };

/** A service with a key of somebody, so that nothing is read without a token. */
async function inUse(
  ...flags: string[]
): Promise<{ service: ServiceProcess; url: string; token(file: string): string }> {
  const { service, url } = await administered(...flags);
  await service.key({ name: 'fleet' });
  return { service, url, token: file => readFileSync(join(service.folder, file), 'utf8').trim() };
}

/** Logs in. @returns the field `Cookie` of the session */
async function logIn(url: string, token: string): Promise<string> {
  const answer = await send(url, { path: '/console/session', headers: OURS, body: { token } });
  expect(answer.status).toBe(200);
  const [cookie] = answer.headers['set-cookie']!;
  expect(cookie).toMatch(/^sextant_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  return cookie.split(';')[0];
}

function get(url: string, path: string, headers: Record<string, string>): Promise<Answer> {
  return send(url, { method: 'GET', path, headers });
}

test('a session does what its token does, until it is ended', async () => {
  const { url, token } = await inUse();
  expect((await get(url, '/keys', {})).status).toBe(401);
  const cookie = await logIn(url, token('admin.token'));
  expect((await get(url, '/keys', { cookie })).json.keys).toHaveLength(2);
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

test('the token that only reads reads everything and changes nothing, also in a session', async () => {
  const { url, token } = await inUse('--admin-read-token');
  const read = token('admin_read.token');
  expect(read).not.toBe(token('admin.token'));
  const cookie = await logIn(url, read);
  const ways = [{ authorization: `Bearer ${read}` }, { ...OURS, cookie }];
  for (const operation of OPERATIONS.filter(({ isOpen }) => !isOpen)) {
    for (const headers of ways) {
      const { status } = await send(url, {
        method: operation.method,
        path: operation.path.replace('{id}', '1'),
        headers: { 'content-type': 'application/json', ...headers },
        ...(operation.method !== 'GET' && { body: {} }),
      });
      if (changes(operation)) expect(status, `${operation.method} ${operation.path}`).toBe(403);
      else expect([200, 400, 404], `${operation.method} ${operation.path}: ${status}`).toContain(status);
    }
  }
});

test('without the flag there is no token that only reads', async () => {
  const { service } = await inUse();
  expect(() => readFileSync(join(service.folder, 'admin_read.token'))).toThrow('ENOENT');
});

test('a request with the cookie that is not of our own page changes nothing', async () => {
  const { service, url, token } = await inUse();
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
  expect(await service.job({ verb: 'keys', action: 'list' })).toHaveLength(2);
});

test('a page of another site reads nothing, also where a demo is open', async () => {
  const { url } = await administered();
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
  expect((await send(url, { path: '/explain', headers: OURS, body })).status).toBe(200);
  expect((await send(url, { path: '/keys', headers: OURS, body: {} })).status).toBe(403);
  expect((await get(url, '/keys', { 'x-forwarded-for': '10.0.0.1' })).status).toBe(401);
  await service.key({ name: 'fleet' });
  expect((await get(url, '/keys', {})).status).toBe(401);
});

test('a wrong token opens nothing where a demo is open', async () => {
  const { url } = await administered();
  expect((await get(url, '/keys', { authorization: 'Bearer wrong' })).status).toBe(401);
});
