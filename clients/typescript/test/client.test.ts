// The TypeScript client against a real service: each call, each class of error, and tries that wait as they are told.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FEW_THREADS } from '../../../test/kits/served_service.ts';
import { ServiceProcess } from '../../../test/kits/service_process.ts';
import { folderOfFile } from '../../../test/kits/temporary_folder.ts';
import { KeyRefusedError, NotFoundError, Sextant, SextantError, TooFastError, UnavailableError } from '../src/index.ts';

const WIFI = ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4'];
const UNKNOWN = ['02:00:5e:99:99:01', '02:00:5e:99:99:02'];
const VADUZ = { lat: 47.141, lon: 9.521 };

let service: ServiceProcess;
let sextant: Sextant;
beforeAll(async () => {
  service = await ServiceProcess.start(join(folderOfFile(), 'var'), ...FEW_THREADS);
  const { key } = await service.key({ explain: true });
  sextant = new Sextant({ url: `${service.url}/`, key });
});
afterAll(() => service.stop());

describe('a service', () => {
  test('locates what a device hears, by addresses alone or with levels', async () => {
    const [first, second] = WIFI;
    const alone = await sextant.locate({ wifi: WIFI, device: 'bike' });
    const withLevels = await sextant.locate({
      wifi: [
        { macAddress: first, signalStrength: -60 },
        { macAddress: second, signalStrength: -70 },
      ],
      geoname: 1,
    });
    for (const { location, accuracy } of [alone, withLevels]) {
      expect(Math.abs(location.lat - 1.25)).toBeLessThan(0.01);
      expect(accuracy).toBeGreaterThan(0);
    }
    const network = { radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1 } as const;
    const cells = [{ ...network, locationAreaCode: 1, cellId: 256_001 }];
    expect((await sextant.locate({ cells })).accuracy).toBeGreaterThan(0);
  });

  test('says what it does not know', async () => {
    const error = await sextant.locate({ wifi: UNKNOWN }).catch(error => error);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ name: 'NotFoundError', status: 404, reason: 'notFound', logId: expect.any(Number) });
    await expect(sextant.reverse({ lat: 0, lon: -140 })).rejects.toBeInstanceOf(NotFoundError);
    expect(await sextant.search('qqxxyyzz')).toEqual([]);
  });

  test('answers lists in their order, with an error in place of what failed', async () => {
    const [found, missing] = await sextant.locateMany([{ wifi: WIFI, device: 'a' }, { wifi: UNKNOWN }]);
    expect(found).toMatchObject({ accuracy: expect.any(Number) });
    expect(missing).toBeInstanceOf(NotFoundError);
    const [town, sea, wrong] = await sextant.reverseMany([VADUZ, { lat: 0, lon: -140 }, { lat: 91, lon: 0 }]);
    expect(town).toMatchObject({ address: { country_code: 'li' } });
    expect([sea, wrong].map(error => (error as Error).name)).toEqual(['NotFoundError', 'SextantError']);
  });

  test('finds places by words, by parts and by points', async () => {
    const [place] = await sextant.search('Vaduz');
    expect(place).toMatchObject({ name: 'Vaduz', address: { country_code: 'li' } });
    const inCountry = await sextant.search({ city: 'Vaduz', countrycodes: ['li', 'ch'], limit: 1 });
    expect(inCountry).toHaveLength(1);
    expect((await sextant.reverse({ ...VADUZ, zoom: 10 })).address).toMatchObject({ country_code: 'li' });
  });

  test('is asked anything else', async () => {
    expect(await sextant.get('/status', { format: 'json' })).toMatchObject({ status: 0 });
    const explained = { explain: expect.anything() };
    expect(await sextant.get('/search', { q: 'Vaduz', explain: true, limit: 1 })).toMatchObject([explained]);
  });

  test('takes measurements', async () => {
    const position = { latitude: 52.5, longitude: 13.4, accuracy: 10 };
    const wifiAccessPoints = UNKNOWN.map(macAddress => ({ macAddress, signalStrength: -60 }));
    expect(await sextant.submit([{ timestamp: Date.now(), position, wifiAccessPoints }])).toBeUndefined();
  });

  test('refuses a key, and what cannot be read', async () => {
    const stranger = new Sextant({ url: service.url, key: 'wrong' });
    await expect(stranger.locate({ wifi: WIFI })).rejects.toMatchObject({
      name: 'KeyRefusedError',
      reason: 'keyInvalid',
    });
    const { key } = await service.key({ credits: 0 });
    await expect(new Sextant({ url: service.url, key }).search('x')).rejects.toBeInstanceOf(KeyRefusedError);
    await expect(sextant.search({ viewbox: '1,2' })).rejects.toMatchObject({ name: 'SextantError', status: 400 });
  });

  test('that holds a key to its rate is asked again when it says so', async () => {
    const { key } = await service.key({ ratePerSecond: 1 });
    const patient = new Sextant({ url: service.url, key });
    expect(await Promise.all([1, 2].map(() => patient.search('Vaduz')))).toHaveLength(2);
    const hasty = new Sextant({ url: service.url, key, retries: 0 });
    const both = await Promise.allSettled([1, 2].map(() => hasty.search('Vaduz')));
    expect(both.some(({ status }) => status === 'rejected')).toBe(true);
    for (const each of both) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(TooFastError);
  });
});

describe('a server that fails', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  async function at(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('for a while is asked again', async () => {
    let asked = 0;
    const url = await at((_, response) => {
      asked++;
      if (asked < 3) response.writeHead(503, { 'retry-after': '0' }).end('<h1>busy</h1>');
      else response.end('[]');
    });
    expect(await new Sextant({ url }).search('x')).toEqual([]);
    expect(asked).toBe(3);
  });

  test('for longer than a call waits is not', async () => {
    let asked = 0;
    const url = await at((_, response) => {
      asked++;
      response.writeHead(429, { 'retry-after': '3600' }).end('{}');
    });
    await expect(new Sextant({ url }).search('x')).rejects.toBeInstanceOf(TooFastError);
    expect(asked).toBe(1);
  });

  test('for good, or never answers, is unavailable', async () => {
    const url = await at((_, response) => void response.writeHead(502).end('<h1>no</h1>'));
    await expect(new Sextant({ url, retries: 1 }).search('x')).rejects.toMatchObject({
      name: 'UnavailableError',
      status: 502,
    });
    const silent = await at(() => {});
    const late = new Sextant({ url: silent, retries: 0, timeoutMs: 100 });
    const error = await late.search('x').catch(error => error);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ status: 0, reason: 'unreachable' });
    expect(error).toBeInstanceOf(SextantError);
  });
});

test('the package has what it is built to, and types that the example of its README fits', () => {
  // As a shell of its own, not as the script that runs the tests.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const run = (program: string, ...words: string[]): string => {
    const ended = spawnSync(program, words, { cwd: new URL('..', import.meta.url), encoding: 'utf8', env });
    expect([ended.status, ended.status === 0 ? '' : ended.stderr + ended.stdout]).toEqual([0, '']);
    return ended.stdout;
  };
  const stdout = run('npm', 'pack', '--dry-run', '--json');
  const [, example] = /^```ts\n(.*?)^```/ms.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))!;
  writeFileSync(new URL('../build/example.ts', import.meta.url), example);
  run('npx', 'tsc', '--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022,dom', 'build/example.ts');
  const service = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(JSON.parse(stdout)[0].version).toBe(service.version);
  const files = (JSON.parse(stdout)[0].files as { path: string }[]).map(({ path }) => path);
  expect(files).toEqual(expect.arrayContaining(['build/index.js', 'build/index.d.ts', 'build/schema.d.ts']));
  expect(files).not.toContain('build/example.ts');
  expect(files.filter(path => !/^(build\/|package\.json|README\.md|LICENSE)/.test(path))).toEqual([]);
});
