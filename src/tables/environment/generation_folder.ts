// A folder of generations. What is built as a whole never changes what is being read: it is built beside it and then, by replacing one small file, made the live
// one. So at any moment, also after a kill or a power cut, there is the old one or the new one.
//
//   7/            the live generation
//   8.partial/    one being built
//   CURRENT       "7", replaced by rename

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const PARTIAL = '.partial';
const CURRENT = 'CURRENT';

/** Path of generation `n`. */
export function generationIn(folder: string, n: number): string {
  return join(folder, String(n));
}

/**
 * Number of the live generation; undefined when none was ever published.
 * @throws Error when `CURRENT` is damaged or names a generation that is missing
 */
export function currentIn(folder: string): number | undefined {
  const current = readCurrent(folder);
  if (typeof current === 'string') throw new Error(`${current} Restore the folder from a backup.`);
  return current;
}

/** Removes a `CURRENT` that is damaged or names a generation that is missing: where all of them can be built again. */
export function forgetDamagedIn(folder: string): void {
  if (typeof readCurrent(folder) === 'string') rmSync(join(folder, CURRENT));
}

/** @returns a sentence when `CURRENT` cannot be followed */
function readCurrent(folder: string): number | string | undefined {
  const path = join(folder, CURRENT);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  if (!/^\d{1,15}\n$/.test(text)) return `${path} is damaged: it should hold the number of a generation.`;
  const n = Number(text);
  return existsSync(generationIn(folder, n)) ? n : `${path} names generation ${n}, which is missing.`;
}

/** Starts an empty generation beside the others. It becomes one of them by `publishIn`. @returns its number, and its path until then */
export function startIn(folder: string): { n: number; path: string } {
  mkdirSync(folder, { recursive: true });
  const n = 1 + Math.max(0, ...numbersIn(folder));
  const path = generationIn(folder, n) + PARTIAL;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  return { n, path };
}

/**
 * Makes a started generation the live one, on the disk as well. Its files must be closed.
 * @param files of it that may not be on the disk yet
 */
export function publishIn(folder: string, n: number, files: readonly string[]): void {
  const path = generationIn(folder, n);
  for (const name of files) syncFile(join(path + PARTIAL, name));
  syncFolder(path + PARTIAL);
  renameSync(path + PARTIAL, path);
  const current = join(folder, CURRENT);
  writeFileSync(current + PARTIAL, `${n}\n`);
  syncFile(current + PARTIAL);
  renameSync(current + PARTIAL, current);
  syncFolder(folder);
}

/** Gives up a started generation. Its files must be closed. */
export function dropIn(folder: string, n: number): void {
  rmSync(generationIn(folder, n) + PARTIAL, { recursive: true, force: true });
}

/**
 * Removes a generation that is no longer live. Threads that still have it open keep what they have. It loses its name first: a thread that is just about to
 * open it finds nothing, instead of putting a new file into a folder that is being emptied.
 */
export function removeIn(folder: string, n: number): void {
  const path = generationIn(folder, n);
  renameSync(path, path + PARTIAL);
  dropIn(folder, n);
}

/**
 * Removes unfinished generations, which a kill has left, and those that are no longer live. While nothing is built. Without
 * `CURRENT` whole generations stay: they may be all that an accident left.
 * @throws Error when `CURRENT` is damaged
 */
export function removeLeftoversIn(folder: string): void {
  const current = currentIn(folder);
  const partial = namesIn(folder).filter(name => name.endsWith(PARTIAL));
  const replaced = current === undefined ? [] : numbersIn(folder).filter(n => n !== current);
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

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** Waits until the names in a folder are on the disk. Windows has no such call and does so by itself. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
