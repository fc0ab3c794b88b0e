// `sextant log` on a real service: searching, following and what is refused.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../kits/served_service.ts';
import { runSextant } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const PROGRAM = resolve(import.meta.dirname, '../../src/sextant.js');
const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

test('requests are found by key, device, status, route and time, and followed as they come', async () => {
  const service = await serve();
  const { id, key } = await service.key();
  expect((await service.post(key, POINTS, '&id=tracker-1')).status).toBe(200);
  expect((await service.post(key, {}, '&id=tracker-2')).status).toBe(404);
  const last = await service.request({ method: 'GET', path: `/search?key=${key}&q=nowhere%20at%20all%20zzz` });
  // Asked by its number, the service stores what it has first.
  await service.logged(Number(last.headers['x-log-id']));
  const search = async (...flags: string[]) => {
    const { stdout, stderr, code } = await runSextant('log', '--data', service.folder, ...flags);
    expect([code, stderr === '' || stderr === 'No logged request fits.\n']).toEqual([0, true]);
    expect(stdout).not.toContain(key);
    return stdout.split('\n').slice(0, -1);
  };
  expect(await search('--key', String(id))).toHaveLength(3);
  expect(await search('--key', String(id), '--limit', '2')).toHaveLength(2);
  const [line] = await search('--device', 'tracker-2');
  expect(line).toMatch(new RegExp(`^\\d{4}-\\S+Z  404  position +\\d+\\.\\d ms  key ${id}  tracker-2  /  \\d+$`));
  const [json] = await search('--status', '2xx', '--route', 'position', '--since', '1h', '--json');
  expect(JSON.parse(json)).toMatchObject({ device: 'tracker-1', status: 200, request: POINTS });
  expect(await search('--until', '1h')).toEqual([]);

  const child = spawn(process.execPath, [
    PROGRAM,
    'log',
    '--data',
    service.folder,
    '--status',
    '4xx',
    '--follow',
    '--limit',
    '1',
  ]);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  const lines = async (count: number) => {
    while (text.split('\n').length <= count) await once(child.stdout, 'data');
  };
  await lines(1);
  await service.post(key, POINTS, '&id=tracker-3');
  await service.post(key, {}, '&id=tracker-4');
  await lines(2);
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(text.split('\n').map(each => /tracker-\d/.exec(each)?.[0])).toEqual(['tracker-2', 'tracker-4', undefined]);
});

test('a line is a request, whatever its device calls itself', async () => {
  const service = await serve();
  const { key } = await service.key();
  await service.post(key, {}, `&id=${encodeURIComponent('\u001b[2J\n2026\r\u202e\u009bZ')}`);
  const { json } = await service.post(key, {}, '&id=tracker');
  await service.logged(json.logId);
  const { stdout } = await runSextant('log', '--data', service.folder, '--limit', '2');
  expect(stdout.split('\n').map(line => line.split('  ').at(-3))).toEqual([
    '\\u001b[2J\\u000a2026\\u000d\\u202e\\u009bZ',
    'tracker',
    undefined,
  ]);
});

test('what cannot be searched is refused in a sentence', async () => {
  const folder = join(temporaryFolder(), 'none');
  const cases: [flags: string[], code: number, message: string | RegExp][] = [
    [['--status', '6xx'], 2, /must be a status such as 404, or a group such as 5xx/],
    [['--route', 'nowhere'], 2, /Allowed choices are other, position/],
    [['--since', 'yesterday'], 2, /must be a date, a date with a time, or Unix seconds/],
    [['--limit', '10001'], 2, /must be a whole number from 1 to 10000/],
    [['7', '--limit', '5'], 2, /a logId names one request/],
    [[], 1, `There is no data folder ${folder}; name another with --data, or make one with npm start.\n`],
  ];
  for (const [flags, code, message] of cases) {
    const ended = await runSextant('log', '--data', folder, ...flags);
    expect([flags, ended.code]).toEqual([flags, code]);
    expect(ended.stderr).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  }
});
