// Generations of a layer of places (environment/generation_folder.ts). A data folder has those imported from extracts
// under `places/`. The embedded gazetteer has a folder next to the program, shared by all data folders.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  currentIn,
  dropIn,
  forgetDamagedIn,
  generationIn,
  nameNone,
  publishIn,
  removeLeftoversIn,
  startIn,
} from '../environment/generation_folder.ts';
import { LAYER_FILES } from './layer.ts';

/** Folder of the embedded gazetteer. */
export const WORLD_FOLDER = fileURLToPath(new URL('../../../build/world', import.meta.url));

/** Folder of the places of a data folder. */
export function placesFolder(dataFolder: string): string {
  return join(dataFolder, 'places');
}

/**
 * Path of the live layer; undefined when none was ever built.
 * @throws Error when `CURRENT` is damaged or names a generation that is missing
 */
export function currentLayer(folder: string): string | undefined {
  const n = currentIn(folder);
  return n === undefined ? undefined : generationIn(folder, n);
}

/**
 * Builds a generation and makes it the live one; the previous one stays on disk.
 * @param build fills a new empty folder with a layer and closes it
 * @returns what `build` returns
 * @throws what `build` throws; then nothing has changed
 */
export async function buildLayer<T>(folder: string, build: (path: string) => Promise<T>): Promise<T> {
  const { n, path } = startIn(folder);
  try {
    const result = await build(path);
    publishIn(folder, n, LAYER_FILES);
    return result;
  } catch (error) {
    dropIn(folder, n);
    throw error;
  }
}

/** Leaves no layer live; its files stay until `removeReplacedLayers`. */
export function retireLayer(folder: string): void {
  nameNone(folder);
}

/** If the live layer cannot be determined, leaves none live; its files stay until another layer is built. */
export function forgetDamagedLayer(folder: string): void {
  forgetDamagedIn(folder);
}

/** Removes every generation but the live one. Threads that still have one open keep what they have. */
export function removeReplacedLayers(folder: string): void {
  removeLeftoversIn(folder);
}
