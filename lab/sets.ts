// Finds the data of an evaluation. A folder stands for the usable files in it: files of scans, and cell tables, some of
// whose cells are hidden.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { kindOfNetworkType } from '../src/radio/cell_kind.ts';
import { openCsv } from '../src/transfer/files/csv_file.ts';
import { openScans, type ScanSet } from './evaluation/scan_file.ts';

/** The data of an evaluation. */
export interface Sets {
  scans: ScanSet[];
  /** Cell tables by path. */
  cellTables: string[];
}

/**
 * Finds the sets, in the order of the paths and by name in a folder.
 * @param paths files of scans, or folders
 * @throws Error if a file is missing, damaged or holds no scans, or if a folder has no usable file
 */
export async function findSets(paths: readonly string[]): Promise<Sets> {
  const sets: Sets = { scans: [], cellTables: [] };
  for (const path of paths) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) await addFolder(sets, path);
    else sets.scans.push(await openScans(path));
  }
  return sets;
}

async function addFolder({ scans, cellTables }: Sets, folder: string): Promise<void> {
  const before = scans.length + cellTables.length;
  for (const name of readdirSync(folder).sort()) {
    const file = join(folder, name);
    if (/\.jsonl(\.gz)?$/.test(name)) scans.push(await openScans(file));
    else if (/\.csv(\.gz)?$/.test(name) && (await looksLikeCells(file))) cellTables.push(file);
  }
  if (scans.length + cellTables.length === before)
    throw new Error(`The folder ${folder} holds neither files of scans nor cell tables.`);
}

/** True if one of the first rows begins with a radio type, or is the header of a cell table. */
async function looksLikeCells(file: string): Promise<boolean> {
  const { headRows, close } = await openCsv(file, Readable.from([]));
  close();
  return headRows.some(([first]) => first.trim().toLowerCase() === 'radio' || kindOfNetworkType(first.trim()) !== 0);
}
