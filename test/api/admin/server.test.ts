// The admin interface of a running service.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { adminDocument } from '../../../src/api/admin/openapi.ts';
import { OPERATIONS } from '../../../src/api/admin/operations.ts';
import { carriesToken, tokenHash } from '../../../src/api/admin/token.ts';
import { runSextant, send } from '../../kits/service_process.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { administered, BYTES, CELLS, ended, sharedAdministered } from './administered.ts';

const DOCUMENT = 'docs/openapi-admin.json';

const served = sharedAdministered();

test('keys are made, shown, changed, credited, rotated and revoked, by the jobs of the commands', async () => {
  const { service, ask } = await administered();
  const created = await ask('POST', '/keys', { name: 'fleet', credits: 5, ratePerSecond: 50 });
  expect(created).toMatchObject({
    status: 201,
    json: { id: 2, name: 'fleet', credits: 5, rate: 50, key: expect.stringMatching(/^sx_/) },
  });
  expect(created.headers['cache-control']).toBe('no-store');
  expect((await service.post(created.json.key, {})).status).toBe(404);
  expect((await ask('PATCH', '/keys/2', { ratePerSecond: null, indoor: true })).json).not.toHaveProperty('rate');
  expect((await ask('POST', '/keys/2/credit', { credits: 7 })).json).toMatchObject({ credits: 12, indoor: true });
  const rotated = await ask('POST', '/keys/2/rotate', { overlapSeconds: 60 });
  expect(rotated.json.key).not.toBe(created.json.key);
  for (const key of [created.json.key, rotated.json.key]) expect((await service.post(key, {})).status).toBe(404);
  // Usage comes with the next message of the HTTP thread.
  await expect.poll(async () => (await ask('GET', '/keys/2')).json.usage.today.requests).toBe(3);
  const shown = await ask('GET', '/keys/2');
  expect(shown.json).toEqual(await service.job({ verb: 'keys', action: 'show', id: 2 }));
  expect(shown.json.usage.today).toEqual({ requests: 3, answered: 0, credits: 0 });
  const today = new Date().toISOString().slice(0, 10);
  const { rows } = (await ask('GET', `/usage?from=${today}&to=${today}`)).json;
  expect(rows).toMatchObject([{ key: 2, name: 'fleet', route: 'position', requests: 3 }]);
  const { stdout } = await runSextant('usage', 'export', '--data', service.folder, '--from', today, '--to', today);
  const [names, values] = stdout.split('\n').map(line => line.split(','));
  expect(Object.keys(rows[0]).sort()).toEqual([...names].sort());
  expect(names.map(name => `${rows[0][name]}`)).toEqual(values);
  expect((await ask('POST', '/keys/2/revoke')).json).toMatchObject({ revoked: true });
  expect((await service.post(rotated.json.key, {})).status).toBe(400);
  expect((await ask('GET', '/keys')).json).toEqual({ keys: await service.job({ verb: 'keys', action: 'list' }) });
  // What a job refuses is refused with its sentence.
  expect(await ask('POST', '/keys/2/credit', { credits: 7 })).toMatchObject({
    status: 409,
    json: { error: expect.stringContaining('is revoked') },
  });
  expect((await ask('POST', '/keys/2/credit?force=true', { credits: 7 })).status).toBe(200);
  expect(await ask('GET', '/keys/9')).toMatchObject({ status: 404, json: { error: 'There is no key with id 9.' } });
  const status = await ask('GET', '/status');
  expect(status.json).toMatchObject({ version: expect.any(String), uptimeSeconds: expect.any(Number), problems: [] });
  expect((await ask('GET', '/settings')).json.settings).toContain('SEXTANT_ADMIN=127.0.0.1:0 (flag)');
});

test('a key has the settings of a business, and loses them', async () => {
  const { ask } = await served();
  const settings = {
    monthlyCredits: 1000,
    confidence: 95,
    fallbacks: ['lacf'],
    routes: ['position', 'search'],
    origins: ['https://shop.example'],
    networks: ['192.0.2.0/24', '2001:db8::/32'],
  };
  const made = (await ask('POST', '/keys', settings)).json;
  expect(made).toMatchObject({ ...settings, credits: 1000 });
  const none = Object.fromEntries(Object.keys(settings).map(name => [name, null]));
  const { json } = await ask('PATCH', `/keys/${made.id}`, none);
  expect(Object.keys(settings).filter(name => name in json)).toEqual([]);
});

test('nothing is answered without the token, which only its user may read', async () => {
  const { service, url, ask } = await administered();
  const file = join(service.folder, 'admin.token');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(service.printed).not.toContain(readFileSync(file, 'utf8').trim());
  const paths = [
    ...OPERATIONS.filter(({ isOpen }) => !isOpen).map(({ method, path }) => ({
      method,
      path: path.replace('{id}', '1'),
    })),
    { method: 'GET', path: '/nothing' },
  ];
  for (const { method, path } of paths)
    for (const authorization of ['', 'Bearer wrong', 'Basic abc', service.demoKey])
      expect(await send(url, { method, path, headers: { authorization } }), `${method} ${path}`).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        json: { error: expect.stringContaining('admin.token') },
      });
  // Each route of the table is there: with the token none is unknown.
  for (const { method, path } of paths.slice(0, -1))
    expect((await ask(method, path)).text, path).not.toContain('no such route');
  expect(await ask('GET', '/nothing')).toMatchObject({ status: 404, json: { error: 'There is no such route.' } });
  expect((await service.request({ method: 'GET', path: '/keys' })).status).toBe(404);
});

test('a method that a path does not answer is refused with those that it does', async () => {
  const { ask } = await served();
  const cases = [
    ['PUT', '/keys/1', 'GET, HEAD, PATCH'],
    ['GET', '/keys/1/revoke?force=true', 'POST'],
    ['DELETE', '/buildings/models', 'GET, HEAD'],
  ];
  for (const [method, path, allow] of cases)
    expect(await ask(method, path), `${method} ${path}`).toMatchObject({
      status: 405,
      headers: { allow },
      json: { error: `This method is not allowed here, only ${allow}.` },
    });
});

test('a request that is not understood is refused by the name of its member', async () => {
  const { ask } = await served();
  const keys = async () => (await ask('GET', '/keys')).json.keys;
  const before = await keys();
  const cases: [string, string, unknown, string][] = [
    ['POST', '/keys', { credits: -1 }, 'credits'],
    ['POST', '/keys', { credits: '5' }, 'credits'],
    ['POST', '/keys', { rate: 5 }, 'There is no rate here.'],
    ['POST', '/keys', { loopbackOnly: true }, 'There is no loopbackOnly here.'],
    ['POST', '/keys', { name: 'a\nb' }, 'name must be 1 to 100 characters on one line.'],
    ['POST', '/keys', { monthlyCredits: 0 }, 'monthlyCredits'],
    ['POST', '/keys', { confidence: 100 }, 'confidence must be at most 99.'],
    ['POST', '/keys', { fallbacks: ['all', 'x'] }, 'fallbacks must be one of all, w4f, '],
    ['POST', '/keys', { routes: [] }, 'routes must name at least 1 value.'],
    ['POST', '/keys', { routes: ['other'] }, 'routes'],
    ['POST', '/keys', { origins: ['shop.example'] }, 'origins'],
    ['POST', '/keys', { networks: ['10.0.0.0/33'] }, '"10.0.0.0/33" is not.'],
    ['POST', '/keys', { expires: '2026-02-30' }, 'expires must be a day such as 2026-11-30.'],
    ['POST', '/keys', '{"__proto__":{"credits":1}}', 'JSON'],
    ['POST', '/keys', '{"credits":', 'JSON'],
    ['POST', '/keys', [], 'The body must be an object.'],
    ['PATCH', '/keys/1', {}, 'The body must name something.'],
    ['GET', '/keys/abc', undefined, 'id'],
    ['GET', '/keys/0', undefined, 'id'],
    ['POST', '/keys/1/credit', {}, 'credits is missing.'],
    ['POST', '/keys/1/rotate', { overlapSeconds: 31_622_401 }, 'overlapSeconds'],
    ['POST', '/keys/1/credit?force=yes', { credits: 1 }, 'force'],
    ['POST', '/sources/remove', {}, 'name'],
    ['POST', '/sources/remove', { name: '' }, 'name'],
    ['POST', '/buildings/remove', { name: 'a\nb' }, 'name'],
    ['POST', '/secret/rotate', { overlapSeconds: -1 }, 'overlapSeconds'],
    ['POST', '/forget', {}, 'The body must name one of stations, contributor, device, report, and no other.'],
    ['POST', '/forget', { stations: [] }, 'stations'],
    ['POST', '/forget', { device: 'a', contributor: 1 }, 'and no other.'],
    ['POST', '/forget', { device: 'x'.repeat(21) }, 'device'],
    ['POST', '/forget', { contributor: 0 }, 'contributor'],
    ['POST', '/forget', { contributor: 1, mayReturn: true }, 'stations'],
    ['POST', '/forget', { report: 1, account: 1 }, 'device'],
    ['GET', '/jobs/0', undefined, 'id'],
    ['GET', '/usage?from=2026-01-01', undefined, 'to'],
    ['GET', '/usage?from=yesterday&to=2026-01-01', undefined, 'from'],
  ];
  for (const [method, path, body, word] of cases) {
    const answer = await ask(method, path, body);
    expect(answer, `${method} ${path} ${JSON.stringify(body)}`).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining(word) },
    });
  }
  expect((await ask('POST', '/keys', { name: 'x'.repeat(70_000) })).status).toBe(413);
  expect((await ask('GET', '/keys', undefined, { 'x-large': 'x'.repeat(17_000) })).status).toBe(431);
  expect(await keys()).toEqual(before);
});

test('an uploaded file is imported, and its import is told of', async () => {
  const { service, url, ask } = await administered();
  expect(await ask('POST', '/imports?kind=cells&source=own', CELLS, BYTES)).toMatchObject({
    status: 202,
    json: { id: 1, kind: 'cells', source: 'own', bytes: CELLS.length },
  });
  expect(await ended(ask, '/imports', 1)).toMatchObject({
    state: 'done',
    result: { accepted: 1, refused: 0, source: 'own' },
  });
  await ask('POST', '/imports?kind=osm&source=map', 'no map', BYTES);
  expect(await ended(ask, '/imports', 2)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('The file is not an OpenStreetMap PBF file (.osm.pbf).'),
  });
  const other = CELLS.replace(',86355,', ',86356,');
  await ask('POST', '/imports?kind=cells&source=own', other, BYTES);
  expect(await ended(ask, '/imports', 3)).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(
      /^What is imported now lacks 1 of the 1 stations of the source "own", .* Name another source, or send it with replace=true\.$/,
    ),
  });
  await ask('POST', '/imports?kind=cells&source=own&replace=true', other, BYTES);
  expect(await ended(ask, '/imports', 4)).toMatchObject({
    state: 'done',
    replace: true,
    result: { removed: 1, source: 'own' },
  });
  expect((await ask('GET', '/imports')).json.imports).toHaveLength(4);
  expect(await ask('POST', '/imports?kind=cells', CELLS, BYTES)).toMatchObject({
    status: 400,
    json: { error: 'Name the source, as in source=own: an import under the same name replaces it.' },
  });
  expect(await ask('POST', '/imports?kind=cells&source=own&format=mls', CELLS, BYTES)).toMatchObject({
    status: 400,
    json: { error: 'Only measurements have a format; the files of other kinds tell it themselves.' },
  });
  for (const query of [
    'kind=places',
    'kind=../../etc',
    'kind=observations&format=../x',
    'kind=cells&source=a&files=/etc/passwd',
    'kind=cells&source=',
    `kind=cells&source=${'x'.repeat(101)}`,
    'kind=cells&source=a%0Ab',
    'kind=cells&source=a&replace=false',
    '',
  ])
    expect((await ask('POST', `/imports?${query}`, CELLS, BYTES)).status, query).toBe(400);
  expect((await ask('POST', '/imports?kind=cells&source=own', { file: '/etc/passwd' })).status).toBe(415);
  expect((await ask('GET', '/imports/5')).status).toBe(404);

  // Long before its thread has begun to read a large file, an import is cancelled.
  const tables = () => ['stations', 'sources', ''].flatMap(each => readdirSync(join(service.folder, each)).sort());
  const before = tables();
  const [head, row] = CELLS.split('\n');
  const rows = Array.from({ length: 100_000 }, (_, i) => row.replace(',86355,', `,${100_000 + i},`));
  const large = [head, ...rows].join('\n');
  expect((await ask('POST', '/imports?kind=cells&source=large', large, BYTES)).json.id).toBe(5);
  expect(await ask('POST', '/imports/5/cancel')).toMatchObject({ status: 202, json: { id: 5, state: 'importing' } });
  expect(await ended(ask, '/imports', 5)).not.toHaveProperty('error');
  expect((await ask('GET', '/imports/5')).json.state).toBe('cancelled');
  expect((await ask('GET', '/sources')).json.sources.map(({ name }: { name: string }) => name)).toEqual(['own']);
  expect(tables()).toEqual(before);
  // Who goes away before the answer has sent nothing.
  const left = request(new URL('/imports?kind=cells&source=left', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${readFileSync(join(service.folder, 'admin.token'), 'utf8').trim()}`, ...BYTES },
  });
  left.on('error', () => {});
  left.end(large, () => left.destroy());
  const found = async () => (await ask('GET', '/imports/6')).json;
  await expect.poll(async () => (await found()).state, { timeout: 60_000 }).toMatch(/^(cancelled|failed)$/);
  expect((await ask('GET', '/sources')).json.sources).toHaveLength(1);
  // What is cancelled already, or brings measurements to others, is not.
  expect(await ask('POST', '/imports/5/cancel')).toMatchObject({
    status: 409,
    json: { error: expect.stringContaining('has ended') },
  });
  await ask('POST', '/imports?kind=observations', '{"items":[]}', BYTES);
  expect((await ask('POST', '/imports/7/cancel')).status).toBe(409);
  await ended(ask, '/imports', 7);
  expect((await ask('POST', '/imports/8/cancel')).status).toBe(404);
  await expect.poll(() => readdirSync(join(service.folder, 'spool'))).toEqual([]);
});

test('an address that others reach, and a token that others may read, are refused at the start', async () => {
  const folder = join(temporaryFolder(), 'var');
  const outside = await runSextant('serve', '--data', folder, '--admin', '0.0.0.0:8081');
  expect(outside).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--admin must be auto, off, or an address of this machine'),
  });
  const { url } = await served();
  const taken = await runSextant(
    'serve',
    '--data',
    folder,
    '--port',
    '0',
    '--http-threads',
    '1',
    '--admin',
    new URL(url).host,
  );
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('; name another address with --admin.') });
  // The next start finds the folder new, so its demo key is shown.
  expect(readdirSync(folder)).toEqual(['owner.lock']);
  const made = temporaryFolder();
  const hash = tokenHash(made, 'admin.token');
  expect(tokenHash(made, 'admin.token')).toEqual(hash);
  const token = readFileSync(join(made, 'admin.token'), 'utf8').trim();
  expect([`Bearer ${token}`, `Bearer ${token}x`, token, undefined].map(field => carriesToken(field, hash))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  writeFileSync(join(made, 'admin.token'), 'short');
  expect(() => tokenHash(made, 'admin.token')).toThrow('holds no token');
  const open = temporaryFolder();
  writeFileSync(join(open, 'admin.token'), token, { mode: 0o644 });
  expect(() => tokenHash(open, 'admin.token')).toThrow('may be read by other users');
});

test('the document is the generated one, and a linter finds nothing in it; `npm run openapi` writes it', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const source = readFileSync(DOCUMENT, 'utf8');
  expect(JSON.parse(source)).toEqual(JSON.parse(JSON.stringify(adminDocument(version))));
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } });
  const problems = await lintFromString({ source, absoluteRef: DOCUMENT, config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0].pointer])).toEqual([]);
});
