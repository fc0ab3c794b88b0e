// A signature that `minisign -V` verifies: Ed25519 over the BLAKE2b-512 of a file, and over that and a trusted comment.
// The key is one of `minisign -G -W`, without a password: a machine that makes releases has nobody to ask for one.

import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Of a secret key: algorithm, the function that its password goes through, checksum, salt and limits, then the key. */
const KEY_AT = 2 + 2 + 2 + 32 + 8 + 8;
const ID_BYTES = 8;
const SEED_BYTES = 32;
const KEY_BYTES = KEY_AT + ID_BYTES + 2 * SEED_BYTES + 32;
const NO_PASSWORD = Buffer.from([0, 0]);
/** What stands before the seed of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Writes FILE.minisig.
 * @param keyFile a secret key of minisign
 * @param second of the signature, Unix time
 * @returns the file @throws Error for a key that it cannot use
 */
export function signFile(file: string, keyFile: string, second: number): string {
  const { id, key } = readKey(keyFile);
  const digest = createHash('blake2b512').update(readFileSync(file)).digest();
  const signature = sign(null, digest, key);
  const trusted = `timestamp:${second}\tfile:${basename(file)}\thashed`;
  const whole = sign(null, Buffer.concat([signature, Buffer.from(trusted)]), key);
  const text = [
    'untrusted comment: signature of a release of Sextant',
    Buffer.concat([Buffer.from('ED'), id, signature]).toString('base64'),
    `trusted comment: ${trusted}`,
    whole.toString('base64'),
  ];
  writeFileSync(`${file}.minisig`, `${text.join('\n')}\n`);
  return `${file}.minisig`;
}

function readKey(file: string): { id: Buffer; key: KeyObject } {
  const bytes = Buffer.from(readFileSync(file, 'utf8').split('\n')[1] ?? '', 'base64');
  if (bytes.length !== KEY_BYTES || bytes.subarray(0, 2).toString() !== 'Ed')
    throw new Error(`${file} is no secret key of minisign.`);
  if (!bytes.subarray(2, 4).equals(NO_PASSWORD))
    throw new Error(`${file} has a password; make a key without one by minisign -G -W.`);
  const id = bytes.subarray(KEY_AT, KEY_AT + ID_BYTES);
  const seed = bytes.subarray(KEY_AT + ID_BYTES, KEY_AT + ID_BYTES + SEED_BYTES);
  return { id, key: createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' }) };
}
