// Keys of all dialects: each place in which a client can put one, and that no log holds any.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIALECTS } from '../../../src/config/dialects.ts';
import { DIALECT_TABLE } from '../../../src/protocol/dialects/table.ts';
import { writeDrawnExtract } from '../../kits/places/extracts.ts';
import { FEW_THREADS } from '../../kits/served_service.ts';
import { type Answer, runSextant, ServiceProcess } from '../../kits/service_process.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';
import { SAMPLES, type Sample } from './samples.ts';

const base = folderOfFile();
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  const folder = join(base, 'var');
  const extract = writeDrawnExtract(join(base, 'drawn.osm.pbf'));
  service = await ServiceProcess.start(folder, ...FEW_THREADS, '--access-log', 'text');
  expect((await runSextant('import', 'osm', extract, '--data', folder)).code).toBe(0);
  ({ key } = await service.key({ cells: true }));
});
afterAll(() => service.stop());

/** How many requests were sent. */
let asked = 0;

function ask({ method, body }: Sample, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  asked++;
  return service.request({ method, path, headers, ...(body !== undefined && { body }) });
}

const withParameter = (path: string, pair: string) => `${path}${path.includes('?') ? '&' : '?'}${pair}`;

const samples = Object.entries(SAMPLES).flatMap(([name, list]) =>
  list.map(sample => [`${name}: ${sample.method} ${sample.path.split('?')[0]}`, sample] as const),
);

test('every route of every dialect has a sample', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual([...DIALECTS].sort());
  const asked = new Set(samples.map(([, { method, path }]) => `${method} ${path.split('?')[0]}`));
  for (const { routes } of Object.values(DIALECT_TABLE))
    for (const { method, paths } of routes)
      for (const path of paths) expect([...asked], path).toContain(`${method} ${path}`);
});

describe.each(samples)('%s', (_, sample) => {
  test('takes a key wherever a client can put it, and nothing else', async () => {
    const { path } = sample;
    const expected = await ask(sample, `/k/${key}${path}`);
    expect(expected.status, expected.text).toBe(200);
    const ways: [path: string, headers: Record<string, string>][] = [
      ...['key', 'apiKey', 'token'].map((name): [string, Record<string, string>] => [
        withParameter(path, `${name}=${key}`),
        {},
      ]),
      [path, { authorization: `Bearer ${key}` }],
      [path, { authorization: `token ${key}` }],
      [path, { authorization: key }],
      [path, { 'x-api-key': key }],
      [path, { 'ocp-apim-subscription-key': key }],
      [withParameter(`/k/${key}${path}`, 'key=wrong'), { 'x-api-key': 'wrong' }],
    ];
    for (const [sent, headers] of ways) {
      const answer = await ask(sample, sent, headers);
      expect([answer.status, answer.text], JSON.stringify([sent, headers])).toEqual([200, expected.text]);
    }
    if (sample.keyInBody !== undefined) {
      const answer = await ask({ ...sample, body: sample.keyInBody(key) }, path);
      expect([answer.status, answer.text]).toEqual([200, expected.text]);
    }
    if (sample.isOpen) return;
    const refused = await ask(sample, path);
    const wrong = await ask(sample, `/k/wrong${path}`, { 'x-api-key': key });
    expect(refused.text).not.toBe(expected.text);
    expect([wrong.status, wrong.text]).toEqual([refused.status, refused.text]);
  });
});

test('no log holds a key', async () => {
  const { code, stdout, stderr } = await service.stop();
  expect([code, stderr.includes('"level":50')]).toEqual([0, false]);
  expect(stdout.split('\n').filter(line => line.includes(' key=')).length).toBe(asked);
  const { stdout: logged } = await runSextant('log', '--json', '--limit', '10000', '--data', service.folder);
  expect(logged.trim().split('\n').length).toBe(asked);
  for (const text of [stdout, stderr, logged]) expect(text).not.toContain(key.slice(3));
});
