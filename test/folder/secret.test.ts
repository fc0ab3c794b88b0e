import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderSecret } from '../../src/folder/secret.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

test('a secret is made once, for its owner only, and stays', () => {
  const folder = temporaryFolder();
  const secret = folderSecret(folder);
  expect(secret).toHaveLength(32);
  expect(Buffer.from(folderSecret(folder))).toEqual(Buffer.from(secret));
  expect(readdirSync(folder)).toEqual(['secret']);
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  expect(Buffer.from(folderSecret(temporaryFolder()))).not.toEqual(Buffer.from(secret));
});

test('a deleted secret is made anew', () => {
  const folder = temporaryFolder();
  const secret = Buffer.from(folderSecret(folder));
  rmSync(join(folder, 'secret'));
  expect(Buffer.from(folderSecret(folder))).not.toEqual(secret);
});

test('a draft that a kill has left does not count', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret.new'), 'x');
  expect(folderSecret(folder)).toHaveLength(32);
  expect(readdirSync(folder)).toEqual(['secret']);
});

test('a damaged secret is refused with what to do, and left as it is', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret'), 'too short');
  expect(() => folderSecret(folder)).toThrow(
    /secret cannot be used: it has 9 bytes instead of 32\. Restore it from a backup, or delete it/,
  );
  expect(statSync(join(folder, 'secret')).size).toBe(9);
});
