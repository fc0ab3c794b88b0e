// Writes that are whole or not at all: after a kill or a power cut a file is the old one or the new one.

import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces a file by way of `NAME.new`; only its user may read it. @throws Error; then the file is as it was */
export function replaceFile(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
}

/** Waits until a file is on disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** Waits until the names in a folder are on disk. Windows has no such call and needs none. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
