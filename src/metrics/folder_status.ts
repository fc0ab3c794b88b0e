// The state of a data folder for an operator who asks once: all figures, keys by their state, and what is wrong.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireFolder } from '../folder/data_folder.ts';
import { type ListedImport, readImportList } from '../folder/import_list.ts';
import { type ListedSource, listSources } from '../jobs/sources.ts';
import { AccountTable } from '../tables/accounts/accounts.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';
import { openLogEnvironment, readClock } from '../tables/requests/environment.ts';
import { countGuesses } from '../tables/requests/guess_table.ts';
import { ENTRIES_USED_MAX } from '../tables/stations/guess_entries.ts';
import { type Ages, type FileAges, problemsOfAge, readAges } from './ages.ts';
import { countByKind, type FolderFigures, readFolderFigures } from './folder_figures.ts';
import { clockProblem, findProblems, guessesProblem, importProblem, type Problem } from './problems.ts';

/** Keys by their state. */
interface KeyCounts {
  valid: number;
  expired: number;
  revoked: number;
}

/** The state of a data folder. */
interface FolderStatus extends Omit<FolderFigures, 'stations' | 'keys'> {
  /** Absolute path. */
  folder: string;
  stations: FolderFigures['stations'] & { byKind: Record<string, number> };
  keys: KeyCounts;
  /** What was imported, in the order of the imports. */
  sources: ListedSource[];
  /** What the setting `--import` names; absent without it. */
  imports?: ListedImport[];
  problems: Problem[];
}

/**
 * Reads the state of a data folder.
 * @param isRunning a service runs on it
 * @param files how old its files are
 * @throws Error when it is none, or a table cannot be used
 */
export async function readFolderStatus(folder: string, isRunning: boolean, files: FileAges): Promise<FolderStatus> {
  requireFolder(folder);
  const figures = await readFolderFigures(folder);
  const keys = await countKeys(folder);
  const imports = readImportList(folder);
  return {
    folder,
    ...figures,
    stations: { ...figures.stations, byKind: await countByKind(folder) },
    keys,
    sources: await listSources(folder),
    ...(imports.length > 0 && { imports }),
    problems: await problemsOf(folder, figures, {
      validKeys: keys.valid,
      isRunning,
      ages: await readAges(folder, Date.now()),
      files,
    }),
  };
}

/**
 * What is wrong with a data folder on which a service runs, without counting stations by kind.
 * @throws Error when a table cannot be used
 */
export async function readFolderProblems(folder: string, ages: Ages, files: FileAges): Promise<Problem[]> {
  const { valid: validKeys } = await countKeys(folder);
  return problemsOf(folder, await readFolderFigures(folder), { validKeys, isRunning: true, ages, files });
}

/** What is wrong with a folder besides its figures. */
interface Surroundings {
  validKeys: number;
  isRunning: boolean;
  ages: Ages;
  files: FileAges;
}

async function problemsOf(
  folder: string,
  figures: FolderFigures,
  { validKeys, isRunning, ages, files }: Surroundings,
): Promise<Problem[]> {
  const nowMs = Date.now();
  return [
    ...findProblems(figures, validKeys, isRunning),
    ...(isRunning ? await problemsOfLog(folder, nowMs) : []),
    ...problemsOfAge(ages, files, nowMs),
    ...readImportList(folder).flatMap(importProblem),
  ];
}

/** What is wrong with the clock by which the service drops old records, and with what it stores of guesses. */
async function problemsOfLog(folder: string, nowMs: number): Promise<Problem[]> {
  const root = openLogEnvironment(join(folder, 'requests'));
  const clock = readClock(root);
  const share = countGuesses(root) / ENTRIES_USED_MAX;
  await root.close();
  const problems = [clock && clockProblem(nowMs, clock.trustedMs), guessesProblem(share, nowMs)];
  return problems.filter(problem => problem !== undefined);
}

async function countKeys(folder: string): Promise<KeyCounts> {
  const counts = { valid: 0, expired: 0, revoked: 0 };
  if (!existsSync(join(folder, 'accounts', DATA_FILE))) return counts;
  const today = new Date().toISOString().slice(0, 10);
  const accounts = new AccountTable(folder, { readOnly: true });
  try {
    for (const { revoked, expires } of accounts.list()) {
      if (revoked) counts.revoked++;
      else if (expires !== undefined && expires < today) counts.expired++;
      else counts.valid++;
    }
  } finally {
    await accounts.close();
  }
  return counts;
}
