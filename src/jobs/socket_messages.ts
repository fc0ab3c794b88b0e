// Messages over the folder's socket: one JSON value on each line, in both directions.
//
//   command to owner    {"protocol":1,"job":{...}}                   once; with "isPassed":true it comes from another
//                       node of a cluster
//   owner to command    {"progress":{...}}                           any number
//                       {"result":...} or {"error":"message"} once, then the end; with "mayReplace":true a job with
//                       `replace` would be done

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '../config/regular_file.ts';
import { replaceFile } from '../tables/environment/durable_file.ts';

/** Raised when a message changes its meaning, so that a command of another version is refused. */
export const PROTOCOL = 1;

/** One message as it goes over the socket. */
export function lineOf(message: Record<string, unknown>): string {
  return `${JSON.stringify(message)}\n`;
}

/**
 * Calls `onMessage` with each line's value. A line that is not JSON or is longer than `limit` characters ends the
 * connection with an error event.
 * @param limit longer than any valid line; keeps a stray writer from filling the memory
 */
export function onLines(socket: Socket, limit: number, onMessage: (message: Record<string, unknown>) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = chunk.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop()!;
    if (rest.length > limit || lines.some(line => line.length > limit)) {
      socket.destroy(new Error(`A message over the folder's socket is longer than ${limit} characters.`));
      return;
    }
    for (const line of lines) {
      if (socket.destroyed) return;
      const message = parseObject(line);
      if (message === undefined) socket.destroy(new Error("A message over the folder's socket is not a JSON object."));
      else onMessage(message);
    }
  });
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

// Where the owner of a data folder listens: at `owner.sock` in the folder, whose mode 0700 keeps other users out.
// Operating systems limit the address of a socket to about a hundred bytes. If the path is longer, the socket is in a
// short private folder of the temporary directory, and the file `owner.sock.path` says where. Windows has named pipes
// instead, which only their user may open.

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
  replaceFile(join(folder, POINTER_FILE), `${address}\n`);
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
