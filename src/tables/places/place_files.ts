// The files of the places of a data folder as a whole: those of the live layer, and the extracts and tables of
// importance that it was built from. Another folder that has the same files has the same places. A layer that came from
// one, or went to one, has a list of its files beside it, so that nobody needs to read them to know which they are:
//
//   places/7/FILES    JSON, written by the node of a cluster

import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '../../config/regular_file.ts';
import { replaceFile, syncFolder } from '../environment/durable_file.ts';
import { dropIn, publishIn, startIn } from '../environment/generation_folder.ts';
import { livePlaces, pathsOfPlaces, removeUnusedExtracts } from './extract_files.ts';
import { currentLayer, placesFolder, retireLayer } from './generations.ts';
import { LAYER_FILES } from './layer.ts';

const LIST_FILE = 'FILES';
const LIST_BYTES_MAX = 1_048_576;
const EXTRACTS = 'extracts';
/** Name of a file of an extract, of its changes, or of a table of importance. */
const EXTRACT = /^extracts\/\d{1,9}(\.[a-z]{1,20}){1,2}$/;

/** Paths of the files by their names, which are the same in every data folder. None where there are no places. */
export function placeFiles(dataFolder: string): Map<string, string> {
  const live = currentLayer(placesFolder(dataFolder));
  if (live === undefined) return new Map();
  const extracts = pathsOfPlaces(dataFolder, livePlaces(dataFolder));
  return new Map([
    ...LAYER_FILES.map(name => [name, join(live, name)] as const),
    ...extracts.map(path => [`${EXTRACTS}/${basename(path)}`, path] as const),
  ]);
}

/** The list of the files of the live layer; undefined where it has none. `{}` where there are no places. */
export function readPlaceList(dataFolder: string): unknown {
  const live = currentLayer(placesFolder(dataFolder));
  if (live === undefined) return {};
  const path = join(live, LIST_FILE);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readRegularFile(path, LIST_BYTES_MAX).toString());
  } catch {
    return undefined; // cut short by a power failure: the files are looked at again
  }
}

/** Writes the list of the files of the live layer. @param list for JSON */
export function notePlaceList(dataFolder: string, list: unknown): void {
  const live = currentLayer(placesFolder(dataFolder));
  if (live !== undefined) writeList(live, list);
}

function writeList(layer: string, list: unknown): void {
  replaceFile(join(layer, LIST_FILE), JSON.stringify(list));
}

/**
 * Puts a layer of another folder and its extracts in place of what is there. Threads have to adopt it.
 * @param names of all files; none takes the places out
 * @param kept those that this folder has already
 * @param scratch an empty folder
 * @param fetch writes a file to a path, and waits until it is on disk
 * @throws Error when this fails; the live layer is then as before
 */
export async function replacePlaces(
  { folder, scratch, list }: { folder: string; scratch: string; list: unknown },
  names: readonly string[],
  kept: ReadonlySet<string>,
  fetch: (name: string, to: string) => Promise<void>,
): Promise<void> {
  const places = placesFolder(folder);
  if (names.length === 0) {
    retireLayer(places);
    return;
  }
  const unknown = names.find(name => !EXTRACT.test(name) && !LAYER_FILES.includes(name));
  if (unknown !== undefined)
    throw new Error(`The places have a file "${unknown}", which this version does not know; upgrade this node.`);
  const layer = names.filter(name => LAYER_FILES.includes(name));
  const fetched = names
    .filter(name => !layer.includes(name) && !kept.has(name))
    .map(name => ({ name, path: join(scratch, basename(name)) }));
  const { n, path } = startIn(places);
  try {
    for (const file of layer) {
      const to = join(path, file);
      mkdirSync(dirname(to), { recursive: true });
      await fetch(file, to);
      syncFolder(dirname(to));
    }
    for (const { name, path: to } of fetched) await fetch(name, to);
    for (const { name, path: from } of fetched) {
      const to = join(folder, name);
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      renameSync(from, to);
    }
    writeList(path, list);
    publishIn(places, n, [LIST_FILE]);
  } catch (error) {
    dropIn(places, n);
    throw error;
  }
}

/** Removes extracts that the live layer does not name. */
export function removeOtherExtracts(folder: string): void {
  removeUnusedExtracts(folder, livePlaces(folder));
}
