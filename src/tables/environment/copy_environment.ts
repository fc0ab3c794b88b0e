// Copies an LMDB environment while others read and write it. LMDB makes the copy itself, in a thread of its pool, from
// one read transaction: it holds what was committed when that began, and nothing later. The copy is compacted. It also
// begins with fresh meta pages, so it reads the same on any machine: the pages of a live file may say that the last
// commit is only good until the next boot.

import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RootDatabase } from 'lmdb';
import { DATA_FILE } from './environment_file.ts';

const LOOK_MILLISECONDS = 1;

/** A copy that is being made. */
export interface EnvironmentCopy {
  /** From now on, commits are not part of the copy. */
  begun: Promise<void>;
  /** The file is complete. */
  done: Promise<void>;
}

/**
 * Begins a copy.
 * @param folder gets the file; created if missing, must not have one
 * @returns promises; both reject when the copy fails, and leave what was written
 */
export function copyEnvironment(root: RootDatabase<Buffer, Buffer>, folder: string): EnvironmentCopy {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let isOver = false;
  const done = root.backup(folder, true).finally(() => {
    isOver = true;
  });
  return { begun: hasBegun(join(folder, DATA_FILE), done, () => isOver), done };
}

/** LMDB takes its read transaction before it writes the first byte (`mdb_env_copyfd1`), and does not say when. */
async function hasBegun(file: string, done: Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    await delay(LOOK_MILLISECONDS);
  }
  await done;
}
