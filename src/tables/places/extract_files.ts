// Copies of the extracts that the places of a data folder were built from, so that one of them can be replaced or
// removed and the places built again from the others:
//
//   extracts/3.osm.pbf    one file of an extract
//   meta of the layer     the list of the extracts, with the numbers of their files
//
// The list is live with its layer. A file is there before the list names it, and goes after.

import { constants, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, syncFolder } from '../environment/generation_folder.ts';
import { currentLayer, placesFolder } from './generations.ts';
import { type LayerMeta, LayerReader } from './layer.ts';

const SUFFIX = '.osm.pbf';
const PARTIAL = '.partial';

/** Path of a file of an extract. */
export function extractPath(dataFolder: string, file: number): string {
  return join(extractsFolder(dataFolder), `${file}${SUFFIX}`);
}

/**
 * Copies a file, on disk when this resolves. File systems that can share blocks between files do. @returns the number
 * of the copy
 */
export async function keepExtractFile(dataFolder: string, path: string): Promise<number> {
  const folder = extractsFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = 1 + Math.max(0, ...readdirSync(folder).map(name => Number.parseInt(name, 10) || 0));
  const copy = extractPath(dataFolder, file);
  await copyFile(path, copy + PARTIAL, constants.COPYFILE_FICLONE);
  const handle = await open(copy + PARTIAL, 'r+');
  await handle
    .chmod(0o600)
    .then(() => handle.sync())
    .finally(() => handle.close());
  renameSync(copy + PARTIAL, copy);
  syncFolder(folder);
  return file;
}

/** Names of all copies, also of unfinished ones. */
export function copiesIn(dataFolder: string): string[] {
  return namesIn(extractsFolder(dataFolder));
}

/**
 * Removes copies that the live layer does not name: those of a kill, and those that were replaced. @param others names
 * that stay too
 */
export function removeUnusedExtracts(
  dataFolder: string,
  meta: LayerMeta | undefined,
  others: readonly string[] = [],
): void {
  const used = new Set(
    (meta?.extracts ?? []).flatMap(({ files }) => files.map(file => `${file}${SUFFIX}`)).concat(others),
  );
  for (const name of copiesIn(dataFolder)) if (!used.has(name)) rmSync(join(extractsFolder(dataFolder), name));
}

/**
 * What the live places of a data folder say of themselves; undefined when there are none. @throws Error when they
 * cannot be used
 */
export function livePlaces(dataFolder: string): LayerMeta | undefined {
  const path = currentLayer(placesFolder(dataFolder));
  if (path === undefined) return undefined;
  const reader = new LayerReader(path);
  void reader.close();
  return reader.meta;
}

function extractsFolder(dataFolder: string): string {
  return join(dataFolder, 'extracts');
}
