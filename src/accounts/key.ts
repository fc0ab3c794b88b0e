// Makes and hashes keys. Only the SHA-256 of a key is stored. A key has 130 random bits, so a hash without salt is
// safe.

import { hash, randomBytes } from 'node:crypto';

/** Digits and lower-case letters without i, l, o and u, which are easily misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const PREFIX = 'sx_';
const CHARACTERS = 26;

/** Makes a new key: `sx_` and 26 characters of 5 random bits each. */
export function newKey(): string {
  let key = PREFIX;
  for (const byte of randomBytes(CHARACTERS)) key += ALPHABET[byte & 31];
  return key;
}

/** SHA-256 of a key as 64 hexadecimal digits. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}
