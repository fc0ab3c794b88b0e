// The index of a layer: sections of bytes that are searched in place (environment/section_file.ts).

import { join } from 'node:path';
import { DATA_FILE } from '../environment/environment_file.ts';
import { checkSectionFile, SectionFile } from '../environment/section_file.ts';

/** Folder of the index in that of the layer. */
export const INDEX_FOLDER = 'index';
/** File of the index in the folder of the layer. */
export const INDEX_FILE = join(INDEX_FOLDER, DATA_FILE);

/**
 * Opens the index of a layer, also when other threads have it open. @param folder of the layer
 * @throws Error when it is missing or cut
 */
export function openIndex(folder: string): SectionFile {
  return orUnusable(folder, () => new SectionFile(join(folder, INDEX_FOLDER)));
}

/** Checks every byte of a layer's index. @param folder of the layer @throws Error when it is missing or damaged */
export function checkIndex(folder: string): void {
  orUnusable(folder, () => checkSectionFile(join(folder, INDEX_FOLDER)));
}

/** @throws Error that says so of the places in a folder, and what helps, when the work fails */
export function orUnusable<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '');
    const remedy =
      'Import them again: "sextant import places" builds those that came with the program, "sextant import osm" ' +
      'those of extracts.';
    throw new Error(`The places in ${folder} cannot be used: ${reason}. ${remedy}`, { cause: error });
  }
}
