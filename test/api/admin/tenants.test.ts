// Tenants: a token of the admin interface that sees and makes only keys with its tag.

import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/api/admin/operations.ts';
import { runSextant, send } from '../../kits/service_process.ts';
import { administered } from './administered.ts';

test('a tenant sees, makes and changes the keys with its tag, and no others', async () => {
  const { service, url, ask } = await administered();
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
  const shared = (await ask('POST', '/keys', { name: 'shared', tags: ['umbrella', 'acme'] })).json;

  // Whatever tags it names, its own is there.
  const own = (await as('POST', '/keys', { name: 'own', credits: 5, tags: ['trial'] })).json;
  expect(own).toMatchObject({ name: 'own', tags: ['acme', 'trial'], key: expect.stringMatching(/^sx_/) });
  const listed = (await as('GET', '/keys')).json.keys as { id: number }[];
  expect(listed.map(({ id }) => id)).toEqual([shared.id, own.id]);
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

test('keys are listed by tag', async () => {
  const { service } = await administered();
  const { id } = await service.key({ tags: ['acme'] });
  await service.key({ tags: ['other'] });
  const { stdout } = await runSextant('keys', 'list', '--tag', 'acme', '--data', service.folder);
  expect(JSON.parse(stdout).keys).toMatchObject([{ id, tags: ['acme'] }]);
});
