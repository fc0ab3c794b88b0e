// Tenants: a token of the admin interface that sees and makes only keys with its tag.

import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/api/admin/operations.ts';
import { type Answer, runSextant, send } from '../../kits/service_process.ts';
import { type Administered, administered, sharedAdministered } from './administered.ts';

const shared = sharedAdministered();

test('a tenant sees, makes and changes the keys with its tag, and no others', async () => {
  const { service, url, ask } = await shared();
  const { json: made } = await ask('POST', '/tenants', { tag: 'acme' });
  expect(made).toEqual({ tag: 'acme', token: expect.stringMatching(/^[\w-]{43}$/) });
  const as = (method: string, path: string, body?: object) =>
    send(url, {
      method,
      path,
      headers: { authorization: `Bearer ${made.token}`, ...(body && { 'content-type': 'application/json' }) },
      body,
    });
  const others = (await ask('POST', '/keys', { name: 'of others', tags: ['umbrella'] })).json;
  const both = (await ask('POST', '/keys', { name: 'shared', tags: ['umbrella', 'acme'] })).json;

  // Whatever tags it names, its own is there.
  const own = (await as('POST', '/keys', { name: 'own', credits: 5, tags: ['trial'] })).json;
  expect(own).toMatchObject({ name: 'own', tags: ['acme', 'trial'], key: expect.stringMatching(/^sx_/) });
  const listed = (await as('GET', '/keys')).json.keys as { id: number }[];
  expect(listed.map(({ id }) => id)).toEqual([both.id, own.id]);
  expect((await as('PATCH', `/keys/${own.id}`, { tags: null })).json.tags).toEqual(['acme']);
  expect((await as('PATCH', `/keys/${own.id}`, { name: 'mine' })).json).toMatchObject({ name: 'mine', tags: ['acme'] });
  expect((await as('POST', `/keys/${own.id}/credit`, { credits: 2 })).json.credits).toBe(7);

  // Those of others are not there, in any way.
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'taken' }],
    ['POST', '/credit', { credits: 1 }],
    ['POST', '/rotate', { overlapSeconds: 0 }],
    ['POST', '/revoke', undefined],
  ] as const)
    for (const id of [1, others.id])
      expect(await as(method, `/keys/${id}${path}`, body), `${method} ${path} of ${id}`).toMatchObject({
        status: 404,
        json: { error: `There is no key with id ${id}.` },
      });
  expect((await ask('GET', `/keys/${others.id}`)).json).toMatchObject({ name: 'of others', revoked: false });

  // What concerns the data of all is for the operator.
  for (const name of ['trusted', 'trail', 'explain', 'upstream', 'cells'])
    expect((await as('POST', '/keys', { [name]: true })).json.error).toBe(
      `Only the operator may give a key the setting ${name}.`,
    );

  // Usage, too, is that of its keys.
  for (const { key } of [own, others]) await service.post(key, {});
  const today = new Date().toISOString().slice(0, 10);
  const usage = async (more: string) => (await as('GET', `/usage?from=${today}&to=${today}${more}`)).json.rows;
  expect(await usage('')).toMatchObject([{ key: own.id, requests: 1 }]);
  expect(await usage(`&key=${others.id}`)).toEqual([]);
});

test('a tenant reaches no other route, and its token ends', async () => {
  const { service, url, ask } = await administered();
  const words = ['--data', service.folder];
  const { token } = JSON.parse((await runSextant('tenants', 'create', 'acme', ...words)).stdout);
  const as = (method: string, path: string, bearer = token) =>
    send(url, { method, path, headers: { authorization: `Bearer ${bearer}` } });
  const closed = OPERATIONS.filter(({ isForTenants, isOpen }) => !isForTenants && !isOpen);
  expect(closed.length).toBeGreaterThan(20);
  for (const { method, path } of closed)
    expect((await as(method, path.replaceAll(/\{\w+\}/g, '1'))).status, `${method} ${path}`).toBe(403);
  expect(OPERATIONS.filter(({ isForTenants }) => isForTenants).map(({ name }) => name)).toEqual([
    'listKeys',
    'createKey',
    'showKey',
    'updateKey',
    'creditKey',
    'rotateKey',
    'revokeKey',
    'usage',
    'devices',
  ]);
  // It opens no session of the console.
  const session = await send(url, {
    method: 'POST',
    path: '/console/session',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-sextant-console': '1' },
    body: { token },
  });
  expect(session.status).toBe(401);

  // A new token ends the one before.
  const next = (await ask('POST', '/tenants', { tag: 'acme' })).json.token;
  expect([(await as('GET', '/keys')).status, (await as('GET', '/keys', next)).status]).toEqual([401, 200]);
  expect((await ask('GET', '/tenants')).json).toEqual({ tenants: ['acme'] });
  expect((await ask('POST', '/tenants', { tag: 'a b' })).status).toBe(400);
  expect(JSON.parse((await runSextant('tenants', 'remove', 'acme', ...words)).stdout)).toMatchObject({ tag: 'acme' });
  expect((await as('GET', '/keys', next)).status).toBe(401);
  expect(await ask('POST', '/tenants/remove', { tag: 'acme' })).toMatchObject({
    status: 409,
    json: { error: 'There is no tenant acme.' },
  });
  expect(JSON.parse((await runSextant('tenants', 'list', ...words)).stdout)).toEqual({ tenants: [] });
});

/** Asks as a tenant, who is made first. */
async function tenantOf(
  { url, ask }: Administered,
  tag: string,
  caps: object = {},
): Promise<(method: string, path: string, body?: object) => Promise<Answer>> {
  const { token } = (await ask('POST', '/tenants', { tag, ...caps })).json;
  return (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    return send(url, { method, path, headers, body });
  };
}

test('a tenant sets no tag of another tenant, and takes none away', async () => {
  const served = await shared();
  const as = await tenantOf(served, 'depot');
  const other = await tenantOf(served, 'station');
  const refused = { status: 409, json: { error: 'The tag station is that of another tenant; name another one.' } };
  expect(await as('POST', '/keys', { name: 'planted', tags: ['station'] })).toMatchObject(refused);
  const { id } = (await as('POST', '/keys', { name: 'own' })).json;
  expect(await as('PATCH', `/keys/${id}`, { tags: ['trial', 'station'] })).toMatchObject(refused);
  expect((await other('GET', '/keys')).json.keys).toEqual([]);
  const both = (await served.ask('POST', '/keys', { tags: ['station', 'depot', 'trial'] })).json.id;
  expect((await as('PATCH', `/keys/${both}`, { tags: ['station', 'x'] })).json.tags).toEqual(['depot', 'station', 'x']);
  expect((await as('PATCH', `/keys/${both}`, { tags: null })).json.tags).toEqual(['depot', 'station']);
});

test('caps of a tenant hold for all its keys together, whenever it makes or changes one', async () => {
  const served = await administered();
  const { ask, service } = served;
  const as = await tenantOf(served, 'acme', { keys: 2, credits: 100, storageMb: 50 });
  expect((await ask('GET', '/tenants')).json).toEqual({
    tenants: ['acme'],
    caps: { acme: { keys: 2, credits: 100, storageMb: 50 } },
  });
  const refused = (error: string) => ({ status: 409, json: { error: expect.stringContaining(error) } });

  // A key without its own limits would have none.
  expect(await as('POST', '/keys', { storageMegabytes: 10 })).toMatchObject(refused('of which 100 are left'));
  expect(await as('POST', '/keys', { credits: 10 })).toMatchObject(refused('may take 50 MB together'));
  const first = (await as('POST', '/keys', { credits: 60, storageMegabytes: 10 })).json;
  expect(await as('POST', '/keys', { credits: 41, storageMegabytes: 10 })).toMatchObject(refused('of which 40 are'));
  expect(await as('POST', '/keys', { monthlyCredits: 41, storageMegabytes: 10 })).toMatchObject(refused('40 are left'));
  expect(await as('POST', '/keys', { credits: 5, storageMegabytes: 41 })).toMatchObject(refused('of which 40 are'));
  const second = (await as('POST', '/keys', { monthlyCredits: 40, storageMegabytes: 40 })).json;
  expect(await as('POST', '/keys', { credits: 0, storageMegabytes: 0 })).toMatchObject(refused('may have 2 keys'));

  for (const [method, path, body] of [
    ['POST', '/credit', { credits: 1 }],
    ['PATCH', '', { credits: 61 }],
    ['PATCH', '', { credits: null }],
    ['PATCH', '', { monthlyCredits: 61 }],
    ['PATCH', '', { storageMegabytes: 11 }],
    ['PATCH', '', { storageMegabytes: null }],
  ] as const)
    expect(await as(method, `/keys/${first.id}${path}`, body), JSON.stringify(body)).toMatchObject(refused('tenant'));
  expect((await as('GET', `/keys/${first.id}`)).json).toMatchObject({ credits: 60, storageMb: 10 });

  // What is spent is not given again in the same month, and a revoked key gives back what was left of it.
  const request = { wifiAccessPoints: ['d3', 'd4'].map(octet => ({ macAddress: `02:00:5e:00:00:${octet}` })) };
  expect((await service.post(first.key, request)).status).toBe(200);
  await expect.poll(async () => (await ask('GET', `/keys/${first.id}`)).json.usage.today.credits).toBe(1);
  expect(await as('POST', `/keys/${first.id}/credit`, { credits: 1 })).toMatchObject(refused('60 are left'));
  expect((await as('PATCH', `/keys/${first.id}`, { name: 'renamed' })).json.name).toBe('renamed');
  await as('POST', `/keys/${first.id}/revoke`);
  expect(await as('POST', `/keys/${second.id}/credit`, { credits: 60 })).toMatchObject(refused('99 are left'));
  expect((await as('POST', `/keys/${second.id}/credit`, { credits: 59 })).json.credits).toBe(99);

  // The operator may go beyond, and the tenant then goes no further; it may always go back.
  await ask('PATCH', `/keys/${second.id}`, { credits: 500 });
  expect((await as('PATCH', `/keys/${second.id}`, { name: 'large' })).status).toBe(200);
  expect(await as('POST', `/keys/${second.id}/credit`, { credits: 1 })).toMatchObject(refused('99 are left'));
  expect((await as('PATCH', `/keys/${second.id}`, { credits: 300 })).json.credits).toBe(300);
});

test('a new token of a tenant keeps its caps unless they are named, and the command has the same', async () => {
  const served = await shared();
  await tenantOf(served, 'port', { keys: 1, credits: 10 });
  await tenantOf(served, 'port', { storageMb: 5, credits: null });
  expect((await served.ask('GET', '/tenants')).json.caps.port).toEqual({ keys: 1, storageMb: 5 });
  const words = ['--data', served.service.folder];
  const { stdout } = await runSextant('tenants', 'create', 'port', '--keys', '0', '--no-storage-mb', ...words);
  expect(JSON.parse(stdout).caps).toEqual({ keys: 0 });
  expect((await runSextant('tenants', 'create', 'port', '--credits', 'x', ...words)).code).not.toBe(0);
  expect((await served.ask('POST', '/tenants', { tag: 'port', keys: -1 })).status).toBe(400);
});

test('keys are listed by tag', async () => {
  const { service } = await shared();
  const { id } = await service.key({ tags: ['line'] });
  await service.key({ tags: ['other'] });
  const { stdout } = await runSextant('keys', 'list', '--tag', 'line', '--data', service.folder);
  expect(JSON.parse(stdout).keys).toMatchObject([{ id, tags: ['line'] }]);
});
