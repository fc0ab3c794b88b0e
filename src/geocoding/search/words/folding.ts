// Tables of words whose folding takes long: 80 ms for all of them, in each thread that searches. So they are folded
// when the gazetteer is built (jobs/build_world.ts), and threads read what came out. Each file says from what it was
// folded; a table that has changed since is folded where it is used, until the next build.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** A table, and how it is folded. */
export interface Folding<T> {
  /** Name of its file in the build. */
  name: string;
  /** The tables of `data/` from which it is made. */
  sources: readonly string[];
  /** Folds it, to values of JSON. */
  fold: () => T;
}

/** The file of a table. */
interface Folded<T> {
  /** Sum over its sources. */
  sum: number;
  value: T;
}

const DATA = new URL('../../../../data/', import.meta.url);
const FOLDER = new URL('../../../../build/words/', import.meta.url);
/** The rules of folding that are data. */
const RULES = 'scripts.csv';

/** A table as it was folded by the build, or folded now. */
export function folded<T>({ name, sources, fold }: Folding<T>): T {
  const kept = readFolded<T>(name);
  return kept !== undefined && kept.sum === sumOf(sources) ? kept.value : fold();
}

/** Folds tables for all threads to come. */
export function keepFolded(foldings: readonly Folding<unknown>[]): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, sources, fold } of foldings) {
    const draft = new URL(`${name}.${process.pid}.json`, FOLDER);
    writeFileSync(draft, JSON.stringify({ sum: sumOf(sources), value: fold() } satisfies Folded<unknown>));
    renameSync(draft, fileOf(name));
  }
}

function readFolded<T>(name: string): Folded<T> | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(name), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function fileOf(name: string): URL {
  return new URL(`${name}.json`, FOLDER);
}

function sumOf(sources: readonly string[]): number {
  return [RULES, ...sources].reduce((sum, file) => crc32(readFileSync(new URL(file, DATA)), sum), 0);
}
