// Keys: what a client sends as `key`. Only the SHA-256 is stored; a key has 130 random bits, so a plain hash without salt gives nothing away.

import { hash, randomBytes } from 'node:crypto';

/** Digits and lower-case letters without i, l, o, u, which are misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const PREFIX = 'sx_';
const CHARACTERS = 26;

/** Draws a new key: `sx_` and 26 characters of 5 random bits each. */
export function newKey(): string {
  let key = PREFIX;
  for (const byte of randomBytes(CHARACTERS)) key += ALPHABET[byte & 31];
  return key;
}

/** SHA-256 of a key as 64 hexadecimal digits. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}
