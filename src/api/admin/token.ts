// The tokens of the admin interface: random texts in the files `admin.token` and, where one for reading is wanted,
// `admin_read.token` of the data folder, which only its user may read. Whoever may read the folder may do everything
// anyway. The interface compares hashes, in constant time.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../config/regular_file.ts';
import type { READ_TOKEN_FILE, TOKEN_FILE } from '../../folder/data_folder.ts';
import { replaceFile } from '../../tables/environment/durable_file.ts';

/** What a token lets somebody do: everything, or only what changes nothing. */
export type Access = 'all' | 'read';

const TOKEN_BYTES = 32;
const FILE_BYTES_MAX = 4_096;
const TOKEN = /^[\w-]{32,200}$/;
const BEARER = /^bearer +([\w-]{1,200})$/i;
/** Permissions of other users. */
const OTHERS = 0o077;

/**
 * The SHA-256 of a token, which is made when there is none.
 * @param folder data folder that this process owns
 * @throws Error when the file cannot be used, or other users may read it
 */
export function tokenHash(folder: string, file: typeof TOKEN_FILE | typeof READ_TOKEN_FILE): Buffer {
  const path = join(folder, file);
  if (!existsSync(path)) replaceFile(path, `${randomBytes(TOKEN_BYTES).toString('base64url')}\n`);
  const token = textOf(path).trim();
  if (process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0)
    throw new Error(
      `The file ${path} may be read by other users of the machine; delete it for a new token, or chmod 600 it.`,
    );
  if (!TOKEN.test(token))
    throw new Error(`The file ${path} holds no token: 32 to 200 letters, digits, _ or -; delete it for a new one.`);
  return hash('sha256', token, 'buffer');
}

function textOf(path: string): string {
  try {
    return readRegularFile(path, FILE_BYTES_MAX).toString();
  } catch (error) {
    throw new Error(`The file ${path} cannot be used: ${(error as Error).message}. Delete it for a new token.`, {
      cause: error,
    });
  }
}

/** True if a field `Authorization` carries the token. */
export function carriesToken(authorization: string | undefined, tokenHash: Buffer): boolean {
  const sent = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  return timingSafeEqual(hash('sha256', sent ?? '', 'buffer'), tokenHash);
}

/** The SHA-256 of the token in a field `Authorization`, hexadecimal; undefined without one. */
export function tokenHashOf(authorization: string): string | undefined {
  const sent = BEARER.exec(authorization)?.[1];
  return sent && hash('sha256', sent);
}
