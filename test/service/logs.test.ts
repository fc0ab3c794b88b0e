// The files in which a service writes what happens and who asked.

import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../kits/served_service.ts';
import { runSextant } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

test('the access log has a line for each request, under its client, without its key; SIGHUP opens the files anew', async () => {
  const folder = temporaryFolder();
  const [log, access] = ['service.log', 'access.log'].map(name => join(folder, name));
  const files = ['--log-file', log, '--log-format', 'text', '--access-log', 'json', '--access-log-file', access];
  const service = await serve(...files, '--trust-proxy', '127.0.0.1');
  const { id, key } = await service.key();
  const path = `/?key=${key}&id=${key.slice(0, 20)}`;
  const direct = await service.request({ path, body: POINTS });
  const forwarded = await service.request({
    path: `/?key=${key}`,
    body: POINTS,
    headers: { 'x-forwarded-for': '203.0.113.9' },
  });
  const batch = await service.request({ path: `/v1/geolocate/batch?key=${key}`, body: [POINTS, POINTS] });
  const broken = await service.raw('no HTTP\r\n\r\n');
  const linesIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  const written = async (file: string, count: number): Promise<string[]> => {
    while (linesIn(file).length < count) await new Promise(resolve => setTimeout(resolve, 20));
    return linesIn(file);
  };
  const lines = await written(access, 4);
  expect(lines.join()).not.toContain(key.slice(3, 12));
  const [first, second, third, last] = lines.map(line => JSON.parse(line));
  expect(first).toMatchObject({
    address: '127.0.0.1',
    method: 'POST',
    url: '/',
    status: 200,
    key: id,
    logId: direct.json.logId,
  });
  expect(second).toMatchObject({ address: '203.0.113.9', status: 200, logId: forwarded.json.logId });
  expect(third).toMatchObject({ url: '/v1/geolocate/batch', logId: Number(batch.headers['x-log-id']) });
  expect(last).toMatchObject({ status: 400, url: '-', logId: Number(/"logId":(\d+)/.exec(broken)![1]) });
  for (const file of [log, access]) expect(statSync(file).mode & 0o777).toBe(0o600);

  for (const file of [log, access]) renameSync(file, `${file}.1`);
  process.kill(service.pid, 'SIGHUP');
  expect((await written(log, 1))[0]).toMatch(
    /^\d{4}-\S+Z INFO {2}The configuration was read again: nothing has changed\.$/,
  );
  await service.request({ path, body: POINTS });
  expect(await written(access, 1)).toHaveLength(1);
  expect(linesIn(`${access}.1`)).toHaveLength(4);
  await service.stop();
  expect(linesIn(log).at(-1)).toMatch(/ INFO {2}Stopping on SIGTERM\.$/);
});

test('without a file, lines of the access log go to standard output', async () => {
  const service = await serve('--access-log', 'text');
  const { json } = await service.post(service.demoKey, POINTS);
  await service.hasPrinted(`device=- logId=${json.logId}\n`);
  expect(service.printed).toMatch(/^\d{4}-\S+Z 127\.0\.0\.1 POST \/ 200 \d+\.\d{3}ms key=1 device=- logId=\d+$/m);
});

test('a file that cannot be written is refused before anything starts', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'no', 'such.log');
  for (const flags of [
    ['--log-file', file],
    ['--access-log', 'text', '--access-log-file', file],
  ]) {
    const { code, stderr } = await runSextant(
      'serve',
      '--data',
      join(folder, 'var'),
      '--port',
      '0',
      '--http-threads',
      '1',
      ...flags,
    );
    expect([code, stderr]).toEqual([1, `The file ${file} of ${flags.at(-2)} cannot be written (ENOENT).\n`]);
  }
});
