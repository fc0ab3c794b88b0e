import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderSecrets, readSecrets, rotatedSecrets, writeSecrets } from '../../src/folder/secret.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const NOW = 1_800_000_000_000;
const secretOf = (folder: string): Buffer => Buffer.from(folderSecrets(folder, NOW).secret);

function rotateSecret(folder: string, nowMs: number, untilMs: number) {
  return writeSecrets(folder, rotatedSecrets(folderSecrets(folder, nowMs), nowMs, untilMs));
}

test('a secret is made once, for its owner only, and stays', () => {
  const folder = temporaryFolder();
  const secret = secretOf(folder);
  expect(secret).toHaveLength(32);
  expect(secretOf(folder)).toEqual(secret);
  expect(readdirSync(folder)).toEqual(['secret']);
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  expect(secretOf(temporaryFolder())).not.toEqual(secret);
});

test('a deleted secret is made anew', () => {
  const folder = temporaryFolder();
  const secret = secretOf(folder);
  rmSync(join(folder, 'secret'));
  expect(secretOf(folder)).not.toEqual(secret);
});

test('a rotation keeps the old secret until its time is over, then it is gone from the disk', () => {
  const folder = temporaryFolder();
  const old = secretOf(folder);
  const { secret } = rotateSecret(folder, NOW, NOW + 1_000);
  expect(Buffer.from(secret)).not.toEqual(old);
  const kept = folderSecrets(folder, NOW + 999);
  expect([Buffer.from(kept.secret), Buffer.from(kept.earlier!.secret), kept.earlier!.untilMs]).toEqual([
    Buffer.from(secret),
    old,
    NOW + 1_000,
  ]);
  expect(readFileSync(join(folder, 'secret')).includes(old)).toBe(true);
  expect(folderSecrets(folder, NOW + 1_000).earlier).toBeUndefined();
  expect(readFileSync(join(folder, 'secret'))).toEqual(Buffer.from(secret));
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
});

test('a rotation without overlap leaves only the new secret', () => {
  const folder = temporaryFolder();
  const old = secretOf(folder);
  rotateSecret(folder, NOW, NOW);
  expect(readFileSync(join(folder, 'secret'))).toHaveLength(32);
  expect(secretOf(folder)).not.toEqual(old);
});

test('a draft that a kill has left does not count, whatever is in it', () => {
  const folder = temporaryFolder();
  const old = secretOf(folder);
  writeFileSync(join(folder, 'secret.new'), 'x');
  expect(secretOf(folder)).toEqual(old);
  rotateSecret(folder, NOW, NOW + 1_000);
  expect(readdirSync(folder)).toEqual(['secret']);
});

test.each([
  ['too short', Buffer.from('too short'), 'it has 9 bytes instead of 32 or 72'],
  ['of no end', Buffer.alloc(72), 'the end of the old secret is no time'],
])('a damaged secret, %s, is refused with what to do, and left as it is', (_, bytes, why) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret'), bytes);
  const refusal = `The file ${join(folder, 'secret')} cannot be used: ${why}. Restore it from a backup, or delete it`;
  expect(() => folderSecrets(folder, NOW)).toThrow(refusal);
  expect(() => rotateSecret(folder, NOW, NOW + 1)).toThrow(refusal);
  expect(() => readSecrets(folder)).toThrow(why);
  expect(readFileSync(join(folder, 'secret'))).toEqual(bytes);
});
