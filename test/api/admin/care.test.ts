// What an operator watches and cares for over the admin interface.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIGURES_FILE } from '../../../src/folder/data_folder.ts';
import { readFigureFile } from '../../../src/metrics/figure_file.ts';
import { FEW_THREADS } from '../../kits/served_service.ts';
import { ServiceProcess } from '../../kits/service_process.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { administered, administeredBy, BYTES, CELLS, ended, sharedAdministered } from './administered.ts';

const TOWN = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
const ids = (requests: { logId: number }[]): number[] => requests.map(({ logId }) => logId);

const served = sharedAdministered('--log-mb', '64');

test('the request log is searched by key, device, time, error and route, page by page', async () => {
  const { service, ask } = await administered();
  const { id, key } = await service.key();
  const sent: number[] = [];
  for (const [body, query] of [
    [TOWN, '&id=tracker-1'],
    [{}, '&id=tracker-1'],
    [TOWN, ''],
    [[], ''],
    [TOWN, '&id=tracker-2'],
  ] as const)
    sent.push((await service.post(key, body, query)).json.logId);
  await service.post('nobody', TOWN);
  await expect.poll(async () => (await ask('GET', '/log')).json.requests.length).toBe(6);
  const search = async (query: string) => (await ask('GET', `/log?${query}`)).json.requests;

  const [latest, ...mine] = await search('');
  expect(latest).toMatchObject({ status: 400, route: 'position', reason: 'keyInvalid' });
  expect(latest).not.toHaveProperty('account');
  expect(ids(mine)).toEqual(sent.toReversed());
  expect(mine.at(-1)).toMatchObject({ account: id, device: 'tracker-1', status: 200, latencyMs: expect.any(Number) });
  expect(mine.at(-1)).not.toHaveProperty('response');
  expect(ids(await search(`key=${id}`))).toEqual(sent.toReversed());
  expect(await search('key=77')).toEqual([]);
  expect(ids(await search('device=tracker-1'))).toEqual([sent[1], sent[0]]);
  expect(ids(await search(`key=${id}&error=any`))).toEqual([sent[3], sent[1]]);
  expect(ids(await search('error=404'))).toEqual([sent[1]]);
  expect(ids(await search(`key=${id}&error=4xx`))).toEqual([sent[3], sent[1]]);
  expect(ids(await search('error=parseError'))).toEqual([sent[3]]);
  expect(await search('error=keyInvalid')).toMatchObject([{ message: 'Missing or invalid API key.' }]);
  expect(await search('route=search')).toEqual([]);
  expect(ids(await search(`from=${mine[1].time}&key=${id}`))).toContain(sent[4]);
  expect(ids(await search(`to=${mine.at(-1).time}`))).toEqual([]);

  // Page by page it is the same.
  const paged: number[] = [];
  for (let next = ''; next !== undefined; ) {
    const { json } = await ask('GET', `/log?limit=2${next && `&before=${next}`}`);
    expect(json.requests.length).toBeLessThanOrEqual(2);
    paged.push(...ids(json.requests));
    next = json.next;
  }
  expect(paged).toEqual([latest.logId, ...sent.toReversed()]);

  // One of them with all of it, as the command prints it, and no key in any.
  const shown = await ask('GET', `/log/${sent[0]}`);
  expect(shown.json).toEqual(await service.logged(sent[0]));
  expect(shown.json).toMatchObject({ request: TOWN, response: { location: expect.anything() } });
  for (const { text } of [shown, await ask('GET', '/log')]) expect(text).not.toContain(key);
  expect(await ask('GET', '/log/9007199254740993')).toMatchObject({ status: 404 });
  expect(await ask('GET', '/log/12')).toMatchObject({
    status: 404,
    json: { error: 'There is no logged request 12; requests are kept at most 7 days.' },
  });
});

test('a search that is not understood is refused by the name of its member', async () => {
  const { ask } = await served();
  for (const [query, word] of [
    ['key=0', 'key'],
    ['key=abc', 'key'],
    [`device=${'x'.repeat(21)}`, 'device'],
    ['from=yesterday', 'from'],
    ['error=9xx', 'error'],
    ['error=nothing', 'error must be any, a status, a group such as 5xx, or one of parseError'],
    ['route=admin', 'route'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['before=1-2', 'before'],
    ['path=/etc/passwd', 'There is no path here.'],
  ])
    expect(await ask('GET', `/log?${query}`), query).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining(word) },
    });
  expect(await ask('GET', '/log?limit=200&before=0-0-0')).toMatchObject({ status: 200, json: { requests: [] } });
});

test('figures begin empty, and are asked for since a time', async () => {
  const { ask } = await served();
  expect((await ask('GET', '/figures?after=2099-01-01T00:00:00Z')).json).toMatchObject({ stepSeconds: 10, times: [] });
  expect((await ask('GET', '/figures?after=now')).json.error).toContain('after');
  for (const [range, stepSeconds] of [
    ['hour', 10],
    ['day', 300],
    ['week', 1_800],
  ] as const)
    expect((await ask('GET', `/figures?range=${range}`)).json, range).toMatchObject({
      stepSeconds,
      total: { requests: expect.any(Number) },
    });
  expect((await ask('GET', '/figures?range=month')).json.error).toContain('range');
});

test('figures are kept when the service ends, in no backup, and a damaged file is told of and replaced', async () => {
  const backups = temporaryFolder();
  const flags = ['--admin', '127.0.0.1:0', '--backup-folder', backups];
  const { service } = await administered(...flags.slice(2));
  await service.stop();
  const path = join(service.folder, FIGURES_FILE);
  expect(readFigureFile(service.folder).week.toJSON()).toEqual([]);
  writeFileSync(path, 'damaged');
  const again = await ServiceProcess.start(service.folder, ...FEW_THREADS, ...flags);
  const { ask } = administeredBy(again);
  const begun = await ask('POST', '/backups');
  const { result } = await ended(ask, '/jobs', begun.json.id);
  expect(readdirSync(result.path)).toContain('secret');
  expect(readdirSync(result.path)).not.toContain(FIGURES_FILE);
  expect(await again.stop()).toMatchObject({
    stderr: expect.stringContaining('The figures of the last week cannot be read and begin anew'),
  });
  expect(readFigureFile(service.folder).week.toJSON()).toEqual([]);
});

test('usage is read of one key', async () => {
  const { service, ask } = await served();
  const one = await service.key({ name: 'one' });
  const other = await service.key();
  for (const { key } of [one, one, other]) await service.post(key, TOWN);
  const today = new Date().toISOString().slice(0, 10);
  const usage = async (query: string) => (await ask('GET', `/usage?from=${today}&to=${today}${query}`)).json;
  expect((await usage(`&key=${one.id}`)).rows).toMatchObject([{ key: one.id, name: 'one', requests: 2 }]);
  expect((await usage('')).rows).toHaveLength(2);
  expect((await usage('&key=99')).rows).toEqual([]);
  expect((await usage('&key=all')).error).toContain('key');
  const old = await ask('GET', `/usage?from=2020-01-01&to=2020-12-31&key=${one.id}`);
  expect(old.json.rows).toEqual([]);
});

test('a backup goes into the configured folder under its day, is listed, and can be replaced', async () => {
  const folder = join(temporaryFolder(), 'backups');
  const { ask } = await administered('--backup-folder', folder);
  expect(await ask('GET', '/backups')).toMatchObject({ status: 409, json: { error: expect.stringContaining(folder) } });
  mkdirSync(folder);
  mkdirSync(join(folder, 'other'));
  const day = new Date().toISOString().slice(0, 10);
  for (const unchanged of [false, true]) {
    const begun = await ask('POST', '/backups');
    expect(begun).toMatchObject({ status: 202, json: { verb: 'backup', state: 'running' } });
    const done = await ended(ask, '/jobs', begun.json.id);
    expect(done).toMatchObject({ state: 'done', percent: 100, result: { path: expect.stringContaining(folder) } });
    expect(done.result.unchangedBytes > 0).toBe(unchanged);
  }
  const { json } = await ask('GET', '/backups');
  expect(json.folder).toBe(folder);
  // A test may run over midnight.
  expect(json.backups.at(-1).name >= day).toBe(true);
  expect(json.backups[0]).toMatchObject({ name: 'other', error: expect.stringContaining('no complete backup') });
  expect(json.backups[1]).toMatchObject({ createdAt: expect.any(String), bytes: expect.any(Number) });
  expect(readdirSync(folder)).toHaveLength(json.backups.length);
  // No request says where.
  expect((await ask('POST', '/backups?path=/tmp', undefined)).status).toBe(202);
  expect(existsSync(join('/tmp', day))).toBe(false);
});

test('without a configured folder there are no backups, and none is made', async () => {
  const { ask } = await served();
  expect((await ask('GET', '/backups')).json).toEqual({ backups: [] });
  expect(await ask('POST', '/backups')).toMatchObject({
    status: 409,
    json: { error: 'No folder for backups is configured; serve with --backup-folder FOLDER.' },
  });
});

test('all tables are checked as a job, one at a time, and a service that stops ends it', async () => {
  const { service, ask } = await administered();
  const begun = await ask('POST', '/check');
  expect(begun).toMatchObject({ status: 202, json: { verb: 'check', state: 'running' } });
  expect(await ask('POST', '/check')).toMatchObject({
    status: 409,
    json: { error: `Job ${begun.json.id} is doing this already; wait until it has ended.` },
  });
  const done = await ended(ask, '/jobs', begun.json.id);
  expect(done).toMatchObject({ state: 'done', percent: 100, result: { findings: [] } });
  expect(done.result.tables.stations.records).toBeGreaterThan(0);
  const quick = await ask('POST', '/check?quick=true');
  expect(await ended(ask, '/jobs', quick.json.id)).toMatchObject({ state: 'done' });
  expect((await ask('POST', '/check?quick=yes')).json.error).toContain('quick');
  await ask('POST', '/check');
  expect((await service.stop()).code).toBe(0);
});

test('an import says what rows it refused, by reason, and how far it is', async () => {
  const { ask } = await served();
  const broken = `${CELLS}LTE,262,2,801,86356,0,13.28,99,1000,7,1,1459692342,1488347104,0\n`;
  const begun = await ask('POST', '/imports?kind=cells&source=own', broken, BYTES);
  const done = await ended(ask, '/imports', begun.json.id);
  expect(done).toMatchObject({ state: 'done', percent: 100, result: { accepted: 1, refused: 1 } });
  expect(Object.values(done.result.refusedByRule)).toEqual([1]);
  expect(done.result.refusedLines).toMatchObject([{ line: 3 }]);
});

test('warnings say what to do, beside the problems', async () => {
  const { ask } = await administered();
  expect((await ask('GET', '/status')).json).toMatchObject({ problems: [], warnings: [] });
  await ask('POST', '/keys/1/revoke');
  await expect
    .poll(async () => (await ask('GET', '/status')).json.warnings, { timeout: 20_000 })
    .toEqual([
      {
        id: 'noKey',
        text: 'No key is valid, so every request is refused.',
        remedy: 'Make one: "sextant keys create --name NAME".',
        command: 'sextant keys create --name NAME',
      },
    ]);
});

test('settings are shown as values, and a secret is not', async () => {
  const { service, ask } = await served();
  const { values, settings } = (await ask('GET', '/settings')).json;
  const value = (name: string) => values.find((each: { name: string }) => each.name === name);
  expect(value('log-mb')).toEqual({ name: 'log-mb', value: 64, default: 1024, from: 'flag' });
  expect(value('data')).toMatchObject({ value: service.folder, from: 'flag' });
  expect(value('no-fast-lane')).toEqual({ name: 'no-fast-lane', value: false, default: false, from: 'default' });
  expect(value('metrics')).toEqual({ name: 'metrics', value: null, default: null, from: 'default' });
  expect(settings).toContain('SEXTANT_LOG_MB=64 (flag)');
});
