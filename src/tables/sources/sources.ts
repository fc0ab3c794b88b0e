// The sources of imported stations. Each import has a name, and its stations are kept in a file of their own, so that
// it can be taken out again:
//
//   sources/3.records      the stations of one source (record_file.ts)
//   meta of a generation   the list of the sources, in the order of their import
//
// The list changes in the same transaction as the tables, or with their generation. A file is there before the list
// names it, and goes after.

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KIND_GSM, KIND_WIFI } from '../../radio/kind.ts';
import { paddedKeyBytes } from '../../radio/station_key.ts';
import type { Generation } from '../stations/generation.ts';
import { RecordFile } from './record_file.ts';

/** The kinds of stations that are imported. */
export type SourceKind = 'cells' | 'wifi';

/** A source, as the list has it. */
export interface Source {
  name: string;
  kind: SourceKind;
  /** Number of its file. */
  file: number;
  /** Stations in it, also those that a later source has too. */
  stations: number;
  /** ISO 8601, UTC. */
  importedAt: string;
}

const SOURCES_KEY = 'sources';
const SUFFIX = '.records';

/** Bytes of a key in the files of a kind. */
export function keyBytesOfSource(kind: SourceKind): number {
  return paddedKeyBytes(kind === 'cells' ? KIND_GSM : KIND_WIFI);
}

/** The sources of a generation in the order of their import. */
export function readSources(generation: Generation): Source[] {
  return (generation.meta.get(SOURCES_KEY) as Source[] | undefined) ?? [];
}

/** Writes the list, in the open transaction. */
export function writeSources(generation: Generation, sources: readonly Source[]): void {
  generation.meta.putSync(SOURCES_KEY, sources);
}

/** Opens the file of a source. @throws Error when it is missing or damaged */
export function openSource(folder: string, { file, kind, name }: Source): RecordFile {
  try {
    return new RecordFile(sourcePath(folder, file), keyBytesOfSource(kind));
  } catch (error) {
    throw new Error(`The source "${name}" cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Path of a source's file. */
export function sourcePath(folder: string, file: number): string {
  return join(sourcesFolder(folder), `${file}${SUFFIX}`);
}

/** A number that no file has, and the path to write it at. */
export function newSourceFile(folder: string): { file: number; path: string } {
  mkdirSync(sourcesFolder(folder), { recursive: true, mode: 0o700 });
  const numbers = readdirSync(sourcesFolder(folder)).map(name => Number.parseInt(name, 10));
  const file = 1 + Math.max(0, ...numbers.filter(Number.isFinite));
  return { file, path: sourcePath(folder, file) };
}

/** Removes files that no source of the live generation has: those of a kill, and those that were replaced. */
export function removeUnusedSources(folder: string, sources: readonly Source[]): void {
  if (!existsSync(sourcesFolder(folder))) return;
  const used = new Set(sources.map(({ file }) => `${file}${SUFFIX}`));
  for (const name of readdirSync(sourcesFolder(folder))) if (!used.has(name)) rmSync(join(sourcesFolder(folder), name));
}

function sourcesFolder(folder: string): string {
  return join(folder, 'sources');
}
