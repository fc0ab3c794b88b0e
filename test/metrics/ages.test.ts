// What grows old: how it is read from a folder, and on which day it is warned of.

import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteBackup } from '../../src/folder/backup_folder.ts';
import { takeFolder } from '../../src/folder/data_folder.ts';
import { type Ages, type FileAges, problemsOfAge, readAges, readFileAges } from '../../src/metrics/ages.ts';
import { AccountTable } from '../../src/tables/accounts/accounts.ts';
import { addressDatabase } from '../kits/address_database.ts';
import { HAS_OPENSSL, makeCertificate } from '../kits/certificate.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-26T12:00:00Z');
const YOUNG: Ages = { madeMs: NOW - DAY, backupMs: NOW - DAY, keys: [], sources: [] };
const whats = (ages: Partial<Ages>, files: FileAges = {}) =>
  problemsOfAge({ ...YOUNG, ...ages }, files, NOW).map(({ what }) => what);

test('nothing is wrong with what is young', () => {
  const keys = [{ id: 2, endMs: NOW + 14 * DAY }];
  const sources = [{ name: 'own', kind: 'cells', importedMs: NOW - 364 * DAY }];
  expect(
    whats(
      { backupMs: NOW - 7 * DAY + 1, keys, sources },
      { certificateEndMs: NOW + 14 * DAY, addressesBuiltMs: NOW - 89 * DAY },
    ),
  ).toEqual([]);
});

test('a backup a week old is named, and a week without one', () => {
  expect(whats({ backupMs: NOW - 7 * DAY })).toEqual(['The last backup was made 7 days ago.']);
  expect(whats({ madeMs: NOW - 6 * DAY, backupMs: undefined })).toEqual([]);
  expect(whats({ madeMs: NOW - 30 * DAY, backupMs: undefined })).toEqual([
    'There has been no backup for the 30 days since the data folder was made.',
  ]);
});

test('keys that end within two weeks are named by the first', () => {
  const [first, second] = [
    { id: 7, name: 'fleet', endMs: Date.parse('2026-12-02') },
    { id: 3, endMs: Date.parse('2026-12-05') },
  ];
  expect(whats({ keys: [first] })).toEqual(['A key ends within 14 days: key 7 (fleet) after 2026-12-01.']);
  expect(whats({ keys: [first, second, { id: 4, endMs: NOW + 90 * DAY }] })).toEqual([
    '2 keys end within 14 days, the first one, key 7 (fleet) after 2026-12-01.',
  ]);
  const [{ command }] = problemsOfAge({ ...YOUNG, keys: [second] }, {}, NOW);
  expect(command).toBe('sextant keys update 3 --expires DAY');
});

test('a certificate that ends, or has ended, is named', () => {
  expect(whats({}, { certificateEndMs: Date.parse('2026-12-01') })).toEqual(['The certificate ends on 2026-12-01.']);
  expect(whats({}, { certificateEndMs: Date.parse('2026-11-20') })).toEqual([
    'The certificate has ended on 2026-11-20.',
  ]);
});

test('a database of addresses older than three months is named', () => {
  expect(whats({}, { addressesBuiltMs: Date.parse('2026-08-28') })).toEqual([
    'The database of --geoip was built on 2026-08-28.',
  ]);
});

test('sources older than a year are named by the oldest', () => {
  const sources = [
    { name: 'old', kind: 'cells', importedMs: Date.parse('2024-01-02') },
    { name: 'older than a year', kind: 'wifi', importedMs: NOW - 365 * DAY },
    { name: 'new', kind: 'osm', importedMs: NOW },
  ];
  expect(whats({ sources })).toEqual([
    'The source "old" of cells was imported on 2024-01-02, and 1 others are older than a year.',
  ]);
});

test('ages are read from the folder', async () => {
  const { path, release } = takeFolder(join(temporaryFolder(), 'var'), true)!;
  utimesSync(join(path, 'FORMAT'), 1_700_000_000, 1_700_000_000);
  expect(await readAges(path, NOW)).toEqual({ madeMs: 1_700_000_000_000, backupMs: undefined, keys: [], sources: [] });
  noteBackup(path, NOW);
  const table = new AccountTable(path);
  const key = (digit: string, expires?: string) => ({
    keyHash: digit.repeat(64),
    createdMs: 0,
    ...(expires !== undefined && { expires }),
  });
  for (const [digit, expires] of [
    ['a', undefined],
    ['b', '2027-01-01'],
    ['c', '2026-11-26'],
    ['d', '2026-11-25'],
  ] as const)
    await table.create(key(digit, expires));
  await table.create({ ...key('e', '2026-12-01'), name: 'ended' });
  await table.revoke(5);
  await table.close();
  const { backupMs, keys } = await readAges(path, NOW);
  expect(backupMs).toBe(NOW);
  expect(keys.map(({ id, endMs }) => [id, new Date(endMs).toISOString()])).toEqual([
    [3, '2026-11-27T00:00:00.000Z'],
    [2, '2027-01-02T00:00:00.000Z'],
  ]);
  writeFileSync(join(path, 'last_backup'), 'yesterday\n');
  expect((await readAges(path, NOW)).backupMs).toBeUndefined();
  release();
});

test.skipIf(!HAS_OPENSSL)('the end of a certificate is read from its file', () => {
  const folder = temporaryFolder();
  const { certFile } = makeCertificate(folder);
  const certificateEndMs = (tlsCertificateFile?: string) => readFileAges({ tlsCertificateFile }).certificateEndMs;
  expect(Math.abs(certificateEndMs(certFile)! - Date.now() - DAY)).toBeLessThan(DAY / 2);
  expect([certificateEndMs(undefined), certificateEndMs(join(folder, 'none'))]).toEqual([undefined, undefined]);
  writeFileSync(certFile, 'no certificate');
  expect(certificateEndMs(certFile)).toBeUndefined();
});

test('when a database of addresses was built is read from its end', () => {
  const geoipFile = join(temporaryFolder(), 'places.mmdb');
  const builtMs = () => readFileAges({ geoipFile }).addressesBuiltMs;
  expect(builtMs()).toBeUndefined();
  writeFileSync(geoipFile, addressDatabase([['1.2.3.0/24', { country: { iso_code: 'LI' } }]], { builtMs: NOW }));
  expect(builtMs()).toBe(NOW);
  for (const text of ['', 'build_epoch', 'no database']) {
    writeFileSync(geoipFile, text);
    expect(builtMs()).toBeUndefined();
  }
});
