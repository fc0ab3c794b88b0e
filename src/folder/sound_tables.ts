// Looks at the pages of all tables before anything opens them: a damaged one would end the service by a signal, without
// a word.

import { join } from 'node:path';
import { FEATURE_GROUPS } from '../features.ts';
import { checkPages } from '../tables/environment/check_pages.ts';
import { currentLayer, placesFolder } from '../tables/places/generations.ts';
import { currentGeneration, generationPath } from '../tables/stations/generation.ts';

/** Tables in folders of their own name, and what an error message calls them. */
const TABLES: readonly (readonly [folder: string, what: string])[] = [
  ['accounts', 'The account table'],
  ['requests', 'The request log in'],
  ['observations', 'The observation log'],
];

/**
 * Requires that the live tables of a folder can be opened. Nobody may write to them meanwhile.
 * @throws Error that names the damaged one
 */
export function requireSoundTables(folder: string): void {
  const live = currentGeneration(folder);
  const layer = currentLayer(placesFolder(folder));
  for (const [name, what] of TABLES) requireSound(what, join(folder, name));
  for (const name of FEATURE_GROUPS) requireSound(`The table of ${name}`, join(folder, name));
  if (live !== undefined) requireSound('The station tables in', generationPath(folder, live));
  if (layer !== undefined) requireSound('The places in', layer);
}

function requireSound(what: string, path: string): void {
  try {
    checkPages(path);
  } catch (error) {
    const remedy = 'Restore them from a backup, or see what "sextant check" advises.';
    throw new Error(`${what} ${path} cannot be used: ${(error as Error).message}. ${remedy}`, { cause: error });
  }
}
