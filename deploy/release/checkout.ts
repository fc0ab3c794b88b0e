// The commit that packages are made of: what they say of themselves, and the time that their files have, so that the
// same commit makes the same bytes.

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/** The checkout. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Its commit, as 40 digits. @throws Error when Git fails */
export function commitOfCheckout(): string {
  return printed('git', '-C', ROOT, 'rev-parse', 'HEAD');
}

/** The time of its commit, or what SOURCE_DATE_EPOCH says, Unix time in seconds. @throws Error when Git fails */
export function secondOfCheckout(): number {
  return Number(process.env.SOURCE_DATE_EPOCH ?? printed('git', '-C', ROOT, 'log', '-1', '--format=%ct'));
}

/** What a program prints. @throws Error when it fails */
export function printed(program: string, ...words: readonly string[]): string {
  return execFileSync(program, words, { encoding: 'utf8', maxBuffer: 64 * 1_048_576 }).trim();
}
