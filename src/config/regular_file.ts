// Reads a file that is small and of which somebody else may have made anything: a link to a device has no end, and a
// pipe keeps whoever opens it until somebody writes.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Opens a regular file for reading, or what a link to one names.
 * @returns its descriptor
 * @throws Error without a full stop when it is another kind of file, or that of the system
 */
export function openRegularFile(path: string): number {
  // O_NONBLOCK: a pipe is opened at once.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notRegular();
}

/** The first bytes of a file, by which its form is told; fewer where it has fewer. @throws Error of the system */
export function firstBytes(path: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

/** The error of a file that is none. */
export function notRegular(): Error {
  return new Error('it is no file');
}

/**
 * Reads a regular file.
 * @param bytesMax of more bytes none are read
 * @param alloc makes the memory for them
 * @throws Error without a full stop when it is another kind of file or larger, or that of the system
 */
export function readRegularFile(
  path: string,
  bytesMax: number,
  alloc: (size: number) => Buffer = Buffer.alloc,
): Buffer {
  const file = openRegularFile(path);
  try {
    const { size } = fstatSync(file);
    const bytes = alloc(Math.min(size, bytesMax) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, length);
    if (length > bytesMax) throw new Error(`it has more than ${bytesMax} bytes`);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
