// The secret of a data folder, which seals state tokens: 32 random bytes in the file `secret`, created once and readable only by its user. If the file is
// deleted, the next start creates a new one, and all earlier tokens are void.

import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_BYTES } from '../tracking/state_token.ts';

const SECRET_FILE = 'secret';
const SECRET_DRAFT = 'secret.new';

/**
 * Reads the secret, or creates it.
 * @param folder data folder that this process owns
 * @throws Error when the file is damaged or cannot be read or written
 */
export function folderSecret(folder: string): Uint8Array {
  const path = join(folder, SECRET_FILE);
  try {
    if (!existsSync(path)) makeSecret(folder);
    const secret = readFileSync(path);
    if (secret.length !== SECRET_BYTES) throw new Error(`it has ${secret.length} bytes instead of ${SECRET_BYTES}`);
    return secret;
  } catch (error) {
    throw new Error(
      `The file ${path} cannot be used: ${(error as Error).message}. Restore it from a backup, or delete it: then state tokens handed out so far are void.`,
      { cause: error },
    );
  }
}

/** Writes the file whole or not at all. */
function makeSecret(folder: string): void {
  const draft = openSync(join(folder, SECRET_DRAFT), 'w', 0o600);
  writeSync(draft, randomBytes(SECRET_BYTES));
  fsyncSync(draft);
  closeSync(draft);
  renameSync(join(folder, SECRET_DRAFT), join(folder, SECRET_FILE));
}
