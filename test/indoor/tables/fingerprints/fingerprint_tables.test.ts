import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { beforeEach, expect, test } from 'vitest';
import {
  FINGERPRINT_KEY,
  fingerprintKey,
  lastNumber,
  openFingerprints,
  openOrCreateFingerprints,
  readProgress,
  takeNumber,
  writeProgress,
} from '../../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'fingerprints', 'data.mdb');
});

test('a folder without fingerprints has no tables, and what a kill has left of new ones is no obstacle', async () => {
  expect(openFingerprints(folder)).toBeUndefined();
  mkdirSync(join(folder, 'fingerprints.new'));
  writeFileSync(join(folder, 'fingerprints.new', 'data.mdb'), 'half');
  await (await openOrCreateFingerprints(folder)).root.close();
  expect(readdirSync(folder)).toEqual(['fingerprints']);
});

test('tables that are cut, foreign or of another format are refused with what to do', async () => {
  await (await openOrCreateFingerprints(folder)).root.close();
  const path = join(folder, 'fingerprints');
  const root = open<Buffer, Buffer>({ path, encoding: 'binary', keyEncoding: 'binary', noSubdir: false, maxDbs: 8 });
  root
    .openDB<Buffer, Buffer>('meta', { encoding: 'binary', keyEncoding: 'binary' })
    .putSync(Buffer.from('format'), Buffer.of(0, 0, 0, 9));
  await root.close();
  expect(() => openFingerprints(folder)).toThrow('it has format 9, and this version reads format 1');
  truncateSync(file, 5_000);
  expect(() => openFingerprints(folder)).toThrow(`remove the folder ${path} and import the fingerprints again.`);
  writeFileSync(file, 'something else');
  expect(() => openFingerprints(folder)).toThrow('is no LMDB database, or is damaged');
  truncateSync(file, 0);
  expect(() => openFingerprints(folder)).toThrow('its data file is empty');
});

test('numbers count up from 1, and the progress comes back', async () => {
  const tables = await openOrCreateFingerprints(folder);
  tables.root.transactionSync(() => {
    expect([lastNumber(tables, 'source'), takeNumber(tables, 'source'), takeNumber(tables, 'source')]).toEqual([
      0, 1, 2,
    ]);
    expect([takeNumber(tables, 'building'), lastNumber(tables, 'source'), lastNumber(tables, 'change')]).toEqual([
      1, 2, 0,
    ]);
    expect(readProgress(tables)).toEqual({ sequence: 0, log: 0, footprints: 0 });
    writeProgress(tables, { sequence: 2 ** 40, log: 3, footprints: 7 });
  });
  expect(readProgress(tables)).toEqual({ sequence: 2 ** 40, log: 3, footprints: 7 });
  await tables.root.close();
});

test('keys order fingerprints by building, source and number', () => {
  const keys = [fingerprintKey(1, 2, 2 ** 48 - 1), fingerprintKey(1, 3, 0), fingerprintKey(256, 0, 7)];
  expect([...keys].sort(Buffer.compare)).toEqual(keys);
  expect(keys.map(key => FINGERPRINT_KEY.read(key).source)).toEqual([2, 3, 0]);
});
