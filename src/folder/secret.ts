// The secret of a data folder, which seals state tokens: the file `secret`, readable only by its user. Keys do not
// depend on it. If the file is deleted, the next start creates a new one, and all earlier tokens are void. A rotation
// puts a new secret in front of the old one, which opens tokens for some time more:
//
//   secret 32 | only then: old secret 32, its end f64, milliseconds since 1970

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../config/regular_file.ts';
import { replaceFile } from '../tables/environment/durable_file.ts';
import { SECRET_BYTES, type Secrets } from '../tracking/secrets.ts';

const SECRET_FILE = 'secret';
/** More than the file ever has, so that its true length is named. */
const FILE_BYTES_MAX = 4_096;
const UNTIL_AT = 2 * SECRET_BYTES;
const ROTATED_BYTES = UNTIL_AT + 8;

/**
 * Reads the secrets, or creates the first one. One whose time is over is dropped from the file too.
 * @param folder data folder that this process owns
 * @throws Error when the file is damaged or cannot be read or written
 */
export function folderSecrets(folder: string, nowMs: number): Secrets {
  try {
    const kept = readSecrets(folder);
    const isOver = kept?.earlier !== undefined && kept.earlier.untilMs <= nowMs;
    return kept === undefined || isOver
      ? writeSecrets(folder, { secret: kept?.secret ?? randomBytes(SECRET_BYTES) })
      : kept;
  } catch (error) {
    throw new Error(
      `The file ${join(folder, SECRET_FILE)} cannot be used: ${(error as Error).message}. Restore it from a ` +
        `backup, or delete it: then state tokens handed out so far are void.`,
      { cause: error },
    );
  }
}

/**
 * A new secret and the one before, of which nothing is on disk yet.
 * @param untilMs end of the old one, which is dropped at once if that is not to come
 */
export function rotatedSecrets({ secret }: Secrets, nowMs: number, untilMs: number): Secrets {
  return { secret: randomBytes(SECRET_BYTES), earlier: untilMs > nowMs ? { secret, untilMs } : undefined };
}

/** @throws Error with a reason when the file is damaged or cannot be read */
export function readSecrets(folder: string): Secrets | undefined {
  const path = join(folder, SECRET_FILE);
  if (!existsSync(path)) return undefined;
  return decodeSecrets(readRegularFile(path, FILE_BYTES_MAX));
}

/** Secrets from the bytes of the file. @throws Error with a reason when they are damaged */
export function decodeSecrets(bytes: Uint8Array): Secrets {
  const secret = bytes.subarray(0, SECRET_BYTES);
  if (bytes.length === SECRET_BYTES) return { secret };
  if (bytes.length !== ROTATED_BYTES)
    throw new Error(`it has ${bytes.length} bytes instead of ${SECRET_BYTES} or ${ROTATED_BYTES}`);
  const untilMs = Buffer.from(bytes).readDoubleLE(UNTIL_AT);
  if (!(untilMs > 0 && Number.isFinite(untilMs))) throw new Error('the end of the old secret is no time');
  return { secret, earlier: { secret: bytes.subarray(SECRET_BYTES, UNTIL_AT), untilMs } };
}

/** The bytes of the file. */
export function encodeSecrets({ secret, earlier }: Secrets): Uint8Array {
  const until = Buffer.alloc(8);
  until.writeDoubleLE(earlier?.untilMs ?? 0);
  return earlier === undefined ? secret : Buffer.concat([secret, earlier.secret, until]);
}

/**
 * Writes the file whole or not at all, even after a power failure.
 * @throws Error when it cannot be written; then nothing has changed
 */
export function writeSecrets(folder: string, secrets: Secrets): Secrets {
  replaceFile(join(folder, SECRET_FILE), encodeSecrets(secrets));
  return secrets;
}
