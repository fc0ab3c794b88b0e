// A folder of generations. A new generation never changes the one being read. It is built in a folder of its own and
// then made the live one by replacing one small file. So at any moment, even after a kill or a power cut, either the
// old or the new generation is live.
//
//   7/            the live generation
//   8.partial/    one being built
//   CURRENT       "7", replaced by rename; "0" when the last one was taken out

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularFile } from '../../config/regular_file.ts';
import { syncFile, syncFolder } from './durable_file.ts';

const PARTIAL = '.partial';
const CURRENT = 'CURRENT';
const CURRENT_BYTES_MAX = 4_096;
/** In `CURRENT`: no generation is live. */
const NONE = 0;

/** Path of generation `n`. */
export function generationIn(folder: string, n: number): string {
  return join(folder, String(n));
}

/**
 * Number of the live generation; undefined when none was ever published, or none is live any more.
 * @throws Error when `CURRENT` is damaged or names a generation that is missing
 */
export function currentIn(folder: string): number | undefined {
  const current = readCurrent(folder);
  if (typeof current === 'string') throw new Error(`${current} Restore the folder from a backup.`);
  return current;
}

/**
 * Removes a `CURRENT` that is damaged or names a missing generation. For folders whose generations can all be built
 * again.
 */
export function forgetDamagedIn(folder: string): void {
  if (typeof readCurrent(folder) === 'string') rmSync(join(folder, CURRENT));
}

/** @returns an error message when `CURRENT` cannot be followed */
function readCurrent(folder: string): number | string | undefined {
  const path = join(folder, CURRENT);
  if (!existsSync(path)) return undefined;
  let text: string;
  try {
    text = readRegularFile(path, CURRENT_BYTES_MAX).toString();
  } catch (error) {
    return `${path} cannot be read: ${(error as Error).message}.`;
  }
  if (!/^\d{1,15}\n$/.test(text)) return `${path} is damaged: it should hold the number of a generation.`;
  const n = Number(text);
  if (n === NONE) return undefined;
  return existsSync(generationIn(folder, n)) ? n : `${path} names generation ${n}, which is missing.`;
}

/** Starts an empty generation, which `publishIn` makes the live one. @returns its number, and its path until then */
export function startIn(folder: string): { n: number; path: string } {
  mkdirSync(folder, { recursive: true });
  const n = 1 + Math.max(0, ...numbersIn(folder));
  const path = generationIn(folder, n) + PARTIAL;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  return { n, path };
}

/**
 * Makes a started generation the live one, also on disk. Its files must be closed.
 * @param files of the generation that may not be on disk yet
 */
export function publishIn(folder: string, n: number, files: readonly string[]): void {
  const path = generationIn(folder, n);
  const paths = files.map(name => join(path + PARTIAL, name));
  for (const file of paths) syncFile(file);
  for (const of of new Set([...paths.map(dirname), path + PARTIAL])) syncFolder(of);
  renameSync(path + PARTIAL, path);
  nameCurrent(folder, n);
}

/** Names a finished generation as the live one, also on disk. */
export function nameCurrent(folder: string, n: number): void {
  const current = join(folder, CURRENT);
  writeFileSync(current + PARTIAL, `${n}\n`);
  syncFile(current + PARTIAL);
  renameSync(current + PARTIAL, current);
  syncFolder(folder);
}

/** Leaves no generation live, also on disk. */
export function nameNone(folder: string): void {
  nameCurrent(folder, NONE);
}

/** Removes a started generation. Its files must be closed. */
export function dropIn(folder: string, n: number): void {
  rmSync(generationIn(folder, n) + PARTIAL, { recursive: true, force: true });
}

/**
 * Removes a generation that is no longer live. Threads that have it open keep it. The folder is renamed first, so that
 * a thread about to open it finds nothing, instead of creating a file in a folder that is being emptied.
 */
export function removeIn(folder: string, n: number): void {
  const path = generationIn(folder, n);
  renameSync(path, path + PARTIAL);
  dropIn(folder, n);
}

/**
 * Removes unfinished generations, which a kill has left, and those that are no longer live. Nothing may be under
 * construction. Without `CURRENT` finished generations stay: they may be all that an accident left.
 * @throws Error when `CURRENT` is damaged
 */
export function removeLeftoversIn(folder: string): void {
  const current = currentIn(folder);
  const partial = namesIn(folder).filter(name => name.endsWith(PARTIAL));
  const replaced = existsSync(join(folder, CURRENT)) ? numbersIn(folder).filter(n => n !== current) : [];
  for (const name of partial) rmSync(join(folder, name), { recursive: true });
  for (const n of replaced) removeIn(folder, n);
}

/** Names in a folder; none where there is no folder. */
export function namesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

function numbersIn(folder: string): number[] {
  return namesIn(folder)
    .filter(name => /^\d+$/.test(name))
    .map(Number);
}
