// What a service imports by its setting `--import`, and how far it is: a file of the data folder, so that a restart
// imports nothing again, and status and console show the same. It is written whole. One that cannot be read is begun
// anew: an import that comes again changes nothing.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../config/regular_file.ts';
import { replaceFile } from '../tables/environment/durable_file.ts';

const FILE = 'imports';
const FORMAT = 1;
const FILE_BYTES_MAX = 1_048_576;

/** One of the imports. Times are ISO 8601, UTC. */
export interface ListedImport {
  /** Tells entries of the setting apart; addresses with tokens cannot be read from it. */
  id: string;
  kind: string;
  /** The path, or the address without what follows a question mark. */
  file: string;
  state: 'waiting' | 'fetching' | 'importing' | 'done' | 'failed';
  /** Of a hundred: how far the download, or the phase of the import, is. */
  percent?: number;
  /** Why it failed, a sentence. */
  error?: string;
  /** Failures in a row. */
  failures?: number;
  /** When it was imported last. */
  importedAt?: string;
  /** When it is tried, or imported, again. */
  nextAt?: string;
}

/** Reads the list; empty where there is none. */
export function readImportList(folder: string): ListedImport[] {
  const path = join(folder, FILE);
  if (!existsSync(path)) return [];
  try {
    const { format, imports } = JSON.parse(readRegularFile(path, FILE_BYTES_MAX).toString());
    return format === FORMAT && Array.isArray(imports) ? imports : [];
  } catch (error) {
    // Of a damaged list everything is imported again, which replaces what is there.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Replaces the list; an empty one is no file. @throws Error when the disk takes none */
export function writeImportList(folder: string, imports: readonly ListedImport[]): void {
  const path = join(folder, FILE);
  if (imports.length === 0) rmSync(path, { force: true });
  else replaceFile(path, `${JSON.stringify({ format: FORMAT, imports })}\n`);
}
