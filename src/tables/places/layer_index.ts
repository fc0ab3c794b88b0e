// The index of a layer: sections of bytes that are searched in place (environment/section_file.ts). Layers of versions
// before have it in `index.bin`, which is loaded into memory, once for all threads (environment/loaded_sections.ts).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILE } from '../environment/environment_file.ts';
import { loadSections, sectionsOf } from '../environment/loaded_sections.ts';
import { checkSectionFile, SectionFile } from '../environment/section_file.ts';

/** Folder of the index in that of the layer. */
export const INDEX_FOLDER = 'index';
const FILE_BEFORE = 'index.bin';

/** Path of the file of the index in the folder of a layer. */
export function indexFile(folder: string): string {
  return existsSync(join(folder, FILE_BEFORE)) ? FILE_BEFORE : join(INDEX_FOLDER, DATA_FILE);
}

/** The index of a layer, open in one thread. */
export class LayerIndex {
  /** Views of the file, which nobody may write to. After `close` they are empty. */
  readonly sections: ReadonlyMap<string, Uint8Array>;
  private readonly file: SectionFile | undefined;

  /**
   * Opens an index, also when other threads have it open.
   * @param folder of the layer
   * @param loaded what `checkIndex` returned
   * @throws Error when it is missing or cut
   */
  constructor(folder: string, loaded?: SharedArrayBuffer) {
    try {
      if (indexFile(folder) !== FILE_BEFORE) this.file = new SectionFile(join(folder, INDEX_FOLDER));
      this.sections = this.file?.sections ?? sectionsOf(loaded ?? loadSections(join(folder, FILE_BEFORE)));
    } catch (error) {
      throw unusable(folder, error as Error);
    }
  }

  async close(): Promise<void> {
    await this.file?.close();
  }
}

/**
 * Checks every byte of a layer's index.
 * @param folder of the layer
 * @returns the index where it is loaded into memory
 * @throws Error when it is missing or damaged
 */
export function checkIndex(folder: string): SharedArrayBuffer | undefined {
  try {
    if (indexFile(folder) === FILE_BEFORE) return loadSections(join(folder, FILE_BEFORE));
    checkSectionFile(join(folder, INDEX_FOLDER));
    return undefined;
  } catch (error) {
    throw unusable(folder, error as Error);
  }
}

/** The error that says so of the places in a folder, and what helps. */
export function unusable(folder: string, error: Error): Error {
  const reason = error.message.replace(/\.$/, '');
  const remedy =
    'Import them again: "sextant import places" builds those that came with the program, "sextant import osm" ' +
    'those of extracts.';
  return new Error(`The places in ${folder} cannot be used: ${reason}. ${remedy}`, { cause: error });
}
