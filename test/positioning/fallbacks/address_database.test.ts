// Places of addresses, in databases that the test draws.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { radiusFactor } from '../../../src/positioning/estimates/estimate.ts';
import { AddressDatabase, readAddressDatabase } from '../../../src/positioning/fallbacks/address_database.ts';
import { addressDatabase } from '../../kits/address_database.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const VADUZ = {
  country: { iso_code: 'LI' },
  location: { latitude: 47.1415, longitude: 9.5215, accuracy_radius: 20 },
};
const GERMANY = { country: { iso_code: 'DE' } };

function opened(bytes: Buffer, onError: (message: string) => void = () => expect.unreachable()): AddressDatabase {
  const file = join(temporaryFolder(), 'places.mmdb');
  writeFileSync(file, bytes);
  return new AddressDatabase(readAddressDatabase(file), onError);
}

function refusalOf(bytes: Buffer): string {
  try {
    opened(bytes);
  } catch (error) {
    return (error as Error).message.replace(/^The database \/\S+\/places\.mmdb of --geoip cannot be used: /, '');
  }
  return 'none';
}

test('an address has the place of its network, in each form', () => {
  const database = opened(
    addressDatabase([
      ['1.2.3.0/24', VADUZ],
      ['2001:db8::/32', GERMANY],
    ]),
  );
  for (const address of ['1.2.3.0', '1.2.3.255', '::ffff:1.2.3.4', '::FFFF:1.2.3.4'])
    expect(database.find(address)?.country).toBe('LI');
  expect(database.find('2001:db8:1::5')?.country).toBe('DE');
  for (const address of [undefined, '', 'x', '1.2.4.0', '1.2.3', '10.0.0.1', '::1', 'fe80::1%lo', '2001:db9::'])
    expect(database.find(address)).toBeUndefined();
});

test('a database of IPv4 alone knows no other addresses', () => {
  const database = opened(addressDatabase([['1.2.3.0/24', VADUZ]], { ipVersion: 4 }));
  expect([database.find('1.2.3.4')?.country, database.find('102:304::')]).toEqual(['LI', undefined]);
});

test('a radius that holds 67 % is made one that holds half', () => {
  const { position } = opened(addressDatabase([['1.2.3.0/24', VADUZ]])).find('1.2.3.4')!;
  expect(position).toMatchObject({ latitude: 47.1415, longitude: 9.5215 });
  expect(position!.accuracyMetres).toBeCloseTo(20_000 * 0.7907, -1);
  expect(position!.accuracyMetres * radiusFactor(67, position!)).toBeCloseTo(20_000, -2);
  expect(position!.accuracyMetres * radiusFactor(95, position!)).toBeCloseTo(54_000, -3);
});

test('without a radius it is that of the people of the country, and without a point their middle', () => {
  const database = opened(
    addressDatabase([
      ['1.0.0.0/8', { ...GERMANY, location: { latitude: 48.1, longitude: 11.6 } }],
      ['2.0.0.0/8', GERMANY],
      ['3.0.0.0/8', { country: { iso_code: 'LI' }, location: { latitude: 91, longitude: 9, accuracy_radius: 0 } }],
    ]),
  );
  const [munich, germany, country] = ['1.0.0.1', '2.0.0.1', '3.0.0.1'].map(
    address => database.find(address)!.position!,
  );
  expect([munich.latitude, munich.longitude]).toEqual([48.1, 11.6]);
  expect(munich.accuracyMetres).toBe(germany.accuracyMetres);
  expect(germany.accuracyMetres).toBeGreaterThan(150_000);
  expect(germany.accuracyMetres).toBeLessThan(300_000);
  expect([country.latitude, country.accuracyMetres]).toEqual([47.14, 10_000]);
});

test.each([
  [{}],
  [{ country: 'LI', location: [] }],
  [{ country: { iso_code: 5 }, location: { latitude: 'x', longitude: 9, accuracy_radius: 5 } }],
  [{ location: { latitude: 47, longitude: 9 } }],
  ['LI'],
])('a record of another form, %j, says nothing', record => {
  const place = opened(addressDatabase([['1.0.0.0/8', record]])).find('1.0.0.1');
  expect([place?.country, place?.position]).toEqual([undefined, undefined]);
});

test('what cannot be used is refused by name', () => {
  const whole = addressDatabase([['1.0.0.0/8', VADUZ]]);
  expect(refusalOf(Buffer.from('no database'))).toBe('it is no database in the form of MaxMind (.mmdb).');
  expect(refusalOf(whole.subarray(0, -300))).toBe('it is no database in the form of MaxMind (.mmdb).');
  for (const part of [whole.subarray(0, -150), whole.subarray(100), whole.subarray(500)])
    expect(refusalOf(part)).toMatch(/^it is damaged \(.+\)\.$/);
  expect(refusalOf(addressDatabase([['1.0.0.0/8', VADUZ]], { type: 'GeoLite2-ASN' }))).toBe(
    'its type is "GeoLite2-ASN", which knows no places.',
  );
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'folder.mmdb'));
  expect(() => readAddressDatabase(join(folder, 'folder.mmdb'))).toThrow('folder.mmdb of --geoip cannot be used: ');
  expect(() => readAddressDatabase(join(folder, 'none.mmdb'))).toThrow('none.mmdb of --geoip cannot be used: ENOENT.');
});

test('a damaged record is told once and says nothing', () => {
  const bytes = addressDatabase([
    ['1.2.3.0/24', VADUZ],
    ['5.0.0.0/8', GERMANY],
  ]);
  // The country code of the first record becomes a value of no type.
  const at = bytes.indexOf('iso_code') + 'iso_code'.length;
  bytes[at] = 0;
  bytes[at + 1] = 20;
  const told: string[] = [];
  const database = opened(bytes, message => told.push(message));
  expect([database.find('1.2.3.4'), database.find('1.2.3.4'), database.find('5.1.1.1')?.country]).toEqual([
    undefined,
    undefined,
    'DE',
  ]);
  expect(told).toEqual([expect.stringContaining('The database of --geoip is damaged: ')]);
});
