// Where the owner of a data folder listens: at `owner.sock` in the folder, whose mode 0700 keeps other users out.
// Operating systems limit the address of a socket to about a hundred bytes. If the path is longer, the socket is in a
// short private folder of the temporary directory, and the file `owner.sock.path` says where. Windows has named pipes
// instead, which only their user may open.

import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '../config/regular_file.ts';

const SOCKET_FILE = 'owner.sock';
const POINTER_FILE = 'owner.sock.path';
const SHORT_FOLDER = 'sextant-';
const POINTER_BYTES_MAX = 4_096;
const ADDRESS_BYTES_MAX = 103; // 104 with the closing zero on macOS and the BSDs, 108 on Linux

/** The address of the folder's owner; `undefined` if none ever listened there. */
export function findSocketAddress(folder: string): string | undefined {
  const direct = directAddress(folder);
  if (direct !== undefined) return direct;
  const pointer = join(folder, POINTER_FILE);
  return statSync(pointer, { throwIfNoEntry: false }) === undefined
    ? undefined
    : readRegularFile(pointer, POINTER_BYTES_MAX).toString().trim();
}

/** An address to listen on, for the holder of the folder's lock. Removes what a killed owner left behind. */
export function claimSocketAddress(folder: string): string {
  releaseSocketAddress(folder);
  const direct = directAddress(folder);
  if (direct !== undefined) return direct;
  const address = join(mkdtempSync(join(tmpdir(), SHORT_FOLDER)), SOCKET_FILE);
  if (Buffer.byteLength(address) > ADDRESS_BYTES_MAX) {
    rmSync(dirname(address), { recursive: true });
    throw new Error(
      `The paths of the data folder ${folder} and of the temporary folder ${tmpdir()} are both too long for a ` +
        `socket; use a shorter one.`,
    );
  }
  const pointer = join(folder, POINTER_FILE);
  writeFileSync(`${pointer}.new`, `${address}\n`, { mode: 0o600 });
  renameSync(`${pointer}.new`, pointer);
  return address;
}

/** Removes the socket and the file that points to it; for the holder of the folder's lock. */
export function releaseSocketAddress(folder: string): void {
  const address = findSocketAddress(folder);
  if (address === undefined || process.platform === 'win32') return;
  rmSync(address, { force: true });
  if (directAddress(folder) !== undefined) return;
  // Remove only a folder of the form made above: anything may have happened to the file that names it.
  if (basename(dirname(address)).startsWith(SHORT_FOLDER)) rmSync(dirname(address), { recursive: true, force: true });
  rmSync(join(folder, POINTER_FILE), { force: true });
}

function directAddress(folder: string): string | undefined {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\sextant-${createHash('sha256').update(folder.toLowerCase()).digest('hex')}`;
  const address = join(folder, SOCKET_FILE);
  return Buffer.byteLength(address) <= ADDRESS_BYTES_MAX ? address : undefined;
}
