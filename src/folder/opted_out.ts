// The stations whose owners object to being mapped: a readable file of the data folder with one name on each line. All
// reports and imports are checked against it, so that no objection is lost.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../config/regular_file.ts';
import { StationSet } from '../radio/query/station_set.ts';
import { parseStation } from '../radio/station_name.ts';
import { replaceFile } from '../tables/environment/durable_file.ts';

const FILE = 'opted_out';
/** A million names and more. */
const FILE_BYTES_MAX = 67_108_864;

/**
 * Names of the stations, in the order in which they were added. @throws Error naming the line when the file cannot be
 * used
 */
export function readOptedOut(folder: string): string[] {
  const path = join(folder, FILE);
  if (!existsSync(path)) return [];
  const lines = textOf(path).split('\n');
  for (const [i, name] of lines.entries()) if (name !== '') requireStation(path, i + 1, name);
  return lines.filter(name => name !== '');
}

function textOf(path: string): string {
  try {
    return readRegularFile(path, FILE_BYTES_MAX).toString();
  } catch (error) {
    throw new Error(`The file ${path} cannot be used: ${(error as Error).message}. Restore it from a backup.`, {
      cause: error,
    });
  }
}

function requireStation(path: string, line: number, name: string): void {
  try {
    parseStation(name);
  } catch (error) {
    throw new Error(
      `The file ${path} cannot be used: line ${line}: ${(error as Error).message} Correct it, or restore it ` +
        `from a backup.`,
      { cause: error },
    );
  }
}

/** The stations of names. @throws Error when one is no station */
export function stationsOf(names: readonly string[]): StationSet {
  return new StationSet(names.flatMap(parseStation));
}

/** Writes the file whole or not at all, even after a power failure. */
export function writeOptedOut(folder: string, names: readonly string[]): void {
  replaceFile(join(folder, FILE), names.map(name => `${name}\n`).join(''));
}
