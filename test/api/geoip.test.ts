// Where nothing else is known, the place of the client's address: who gets it, by which address, and how its database
// is replaced. The clients stand behind a proxy on this machine, which the service trusts.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressPlace } from '../../src/api/elsewhere.ts';
import type { Exchange, RouteContext } from '../../src/api/exchange.ts';
import { AddressDatabase, readAddressDatabase } from '../../src/positioning/fallbacks/address_database.ts';
import { considersAddress } from '../../src/protocol/requests/position_query.ts';
import { addressDatabase } from '../kits/address_database.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const VADUZ = { latitude: 47.1415, longitude: 9.5215, accuracy_radius: 20 };
const BUILT_MS = Date.UTC(2026, 0, 15);
const before = addressDatabase([['1.2.3.0/24', { country: { iso_code: 'LI' }, location: VADUZ }]], {
  builtMs: BUILT_MS,
});
const after = addressDatabase([
  ['1.2.3.0/24', { country: { iso_code: 'AT' } }],
  ['2001:db8::/32', { country: { iso_code: 'DE' } }],
]);

const IN_VADUZ = {
  location: { lat: 47.1415, lng: 9.5215 },
  accuracy: 15_814,
  fallback: 'ipf',
  logId: expect.any(Number),
};
const CELL = {
  radioType: 'lte',
  mobileCountryCode: 262,
  mobileNetworkCode: 1,
  locationAreaCode: 5,
  cellId: 26_000_001,
};
const KNOWN = ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4'].map(macAddress => ({ macAddress }));

describe('the service', () => {
  let service: ServiceProcess;
  let file: string;
  let key: string;
  beforeAll(async () => {
    file = join(folderOfFile(), 'places.mmdb');
    writeFileSync(file, before);
    service = await ServiceProcess.start(
      join(folderOfFile(), 'var'),
      ...[...FEW_THREADS, '--trust-proxy', 'loopback', '--geoip', file],
    );
    ({ key } = await service.key());
  });
  afterAll(async () => {
    expect((await service.stop()).code).toBe(0);
  });

  const from = (client: string) => ({ 'x-forwarded-for': client });
  /** What the fast lane answers, which Fastify answers as well: it alone reads bodies with an encoding. */
  const answered = async (path: string, body: unknown, client = '1.2.3.4') => {
    const ask = (headers: Record<string, string>) =>
      service.request({ path: `${path}?key=${key}`, headers: { ...from(client), ...headers }, body });
    const [fast, slow] = [await ask({}), await ask({ 'content-encoding': 'identity' })];
    expect({ ...slow.json, logId: 0 }).toEqual({ ...fast.json, logId: 0 });
    return fast.json;
  };

  test('answers the place of the address where a request of Google’s form finds nothing', async () => {
    for (const path of ['/v1/geolocate', '/geolocation/v1/geolocate'])
      for (const body of [{}, { cellTowers: [CELL] }, { considerIp: true }, { fallbacks: { lacf: 1 } }])
        expect(await answered(path, body)).toEqual(IN_VADUZ);
    expect((await answered('/v1/geolocate', { cellTowers: [CELL], considerIp: false })).error.code).toBe(404);
  });

  test('answers it on the root only where a request asks for it', async () => {
    for (const body of [{}, { fallbacks: { all: 1 } }, { considerIp: true, fallbacks: { ipf: 0 } }])
      expect((await answered('/', body)).error.code).toBe(404);
    for (const body of [{ considerIp: true }, { fallbacks: { ipf: 1 } }])
      expect(await answered('/', body)).toEqual(IN_VADUZ);
    const { key: keen } = await service.key({ fallbacks: ['ipf'] });
    const headers = from('1.2.3.4');
    expect((await service.request({ path: `/?key=${keen}`, headers, body: {} })).json).toEqual(IN_VADUZ);
  });

  test('with the radius for the share that is asked for, the credits that are left, and for a credit', async () => {
    const { key: prepaid, id } = await service.key({ credits: 1 });
    const headers = from('1.2.3.4');
    const path = `/v1/geolocate?key=${prepaid}`;
    const body = { confidence: 67, credits: 1 };
    const { json } = await service.request({ path, headers, body });
    expect(json).toEqual({ ...IN_VADUZ, accuracy: expect.any(Number), credits: 0 });
    expect(Math.abs(json.accuracy - 20_000)).toBeLessThan(100);
    expect((await service.request({ path, headers, body })).status).toBe(403);
    expect(id).toBeGreaterThan(0);
  });

  test('not where stations are known, an address is not, or a device is followed', async () => {
    expect((await answered('/v1/geolocate', { wifiAccessPoints: KNOWN })).fallback).toBeUndefined();
    for (const client of ['1.2.4.4', '10.0.0.1', '::1', 'unknown'])
      expect((await answered('/v1/geolocate', {}, client)).error.code).toBe(404);
    const lastLocation = { lat: 47, lng: 9, timestamp: Date.now() };
    expect((await answered('/v1/geolocate', { lastLocation })).error.code).toBe(404);
    const batch = await service.request({
      path: `/v1/geolocate/batch?key=${key}`,
      headers: from('1.2.3.4'),
      body: [{ considerIp: true }],
    });
    expect(batch.json[0].error.code).toBe(404);
  });

  test('answers the country of the address, unless it is not to be considered', async () => {
    const country = { country_code: 'LI', country_name: 'Liechtenstein', fallback: 'ipf' };
    for (const body of [{}, { considerIp: true }]) expect(await answered('/v1/country', body)).toEqual(country);
    const { json } = await service.request({
      method: 'GET',
      path: `/v1/country?key=${key}`,
      headers: from('1.2.3.4'),
    });
    expect(json).toEqual(country);
    expect((await answered('/v1/country', { considerIp: false })).error.code).toBe(404);
    expect((await answered('/v1/country', {}, '9.9.9.9')).error.code).toBe(404);
    expect(await answered('/v1/country', { cellTowers: [{ mobileCountryCode: 262 }] })).toEqual({
      country_code: 'DE',
      country_name: 'Germany',
    });
  });

  test('does not keep the address', async () => {
    const { logId } = await answered('/v1/geolocate', {});
    expect(JSON.stringify(await service.logged(logId))).not.toContain('1.2.3');
  });

  test('says how old the database is', async () => {
    expect(await service.job({ verb: 'status' })).toMatchObject({ geoipBuilt: '2026-01-15T00:00:00.000Z' });
    const { stdout } = await runSextant('status', '--data', service.folder);
    expect(stdout).toContain('The database of --geoip was built on 2026-01-15.');
  });

  test('reads a database that was put in its place, and keeps the old one where that is none', async () => {
    writeFileSync(file, 'half a file');
    process.kill(service.pid, 'SIGHUP');
    await service.hasPrinted('The database of addresses could not be read again, so the old one stays in use.');
    expect(service.printed).toContain(`The database ${file} of --geoip cannot be used: it is no database`);
    expect(await answered('/v1/geolocate', {})).toEqual(IN_VADUZ);
    const next = join(folderOfFile(), 'next.mmdb');
    writeFileSync(next, after);
    copyFileSync(next, file);
    process.kill(service.pid, 'SIGHUP');
    await service.hasPrinted('The database of addresses was read again.');
    // Each thread takes it over in its own time.
    await expect.poll(() => answered('/v1/country', {})).toMatchObject({ country_code: 'AT' });
    expect(await answered('/v1/country', {}, '2001:db8::7')).toMatchObject({ country_code: 'DE' });
    expect((await answered('/v1/geolocate', {})).accuracy).toBe(88_000);
  });
});

test('a service does not start with a file that it cannot use', async () => {
  const file = join(folderOfFile(), 'none.mmdb');
  const { code, stderr } = await runSextant('serve', '--data', join(folderOfFile(), 'other'), '--geoip', file);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`The database ${file} of --geoip cannot be used: ENOENT.`),
  ]);
});

test('behind a proxy that the configuration does not know, no address is that of the client', () => {
  const file = join(folderOfFile(), 'other.mmdb');
  writeFileSync(file, before);
  const addresses = new AddressDatabase(readAddressDatabase(file), () => expect.unreachable());
  const countryFor = (behindProxy: boolean, isForwarded: boolean) =>
    addressPlace(
      { addresses, behindProxy } as RouteContext,
      { transport: { isForwarded, address: '1.2.3.4' } } as Exchange,
      {},
      true,
    )?.country;
  expect([countryFor(false, false), countryFor(false, true), countryFor(true, true)]).toEqual(['LI', undefined, 'LI']);
});

test.each([
  [{}, false, true],
  [{ considerIp: true }, true, true],
  [{ considerIp: 0 }, false, false],
  [{ considerIp: 'x' }, false, true],
  [{ considerIp: true, fallbacks: { ipf: 0 } }, false, false],
  [{ considerIp: false, fallbacks: { ipf: true } }, true, true],
  [{ considerIp: false, fallbacks: { lacf: 1 } }, false, false],
  [{ fallbacks: { all: 1 } }, false, true],
  [{ fallbacks: { all: 0 } }, false, false],
  [{ fallbacks: { all: 0, ipf: 1 } }, true, true],
  [{ fallbacks: { all: 0 }, considerIp: true }, true, true],
  [{ considerIp: true, state: 'x' }, false, false],
  [{ considerIp: true, lastLocation: {} }, false, false],
])('%j: %s, and by default %s', (body, isAsked, isAskedByDefault) => {
  expect([considersAddress(body, false), considersAddress(body, true)]).toEqual([isAsked, isAskedByDefault]);
});
