// Runs a whole import of extracts. New places are built next to the live ones and replace them once everything is on disk. If anything fails, the live ones
// stay.

import { rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { buildLayer, placesFolder } from '../../tables/places/generations.ts';
import { makeScratchFolder } from '../../tables/stations/generation.ts';
import { type ImportProgress, importOsm, type OsmImportSummary } from './import_osm.ts';
import { LayerBuilder } from './layer_builder.ts';

const LICENCE = 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright';

export interface ImportExtracts {
  /** Data folder. */
  folder: string;
  /** `.osm.pbf` files. */
  files: readonly string[];
  /** Called often; an exception from it ends the import. */
  onProgress(progress: ImportProgress | { phase: 'index'; done: number; total: number }): void;
}

/** What an import did. */
export interface ExtractSummary extends OsmImportSummary {
  /** Places that can be found by their position. */
  places: number;
}

/**
 * Imports extracts and makes them the live layer of the data folder.
 * @throws Error with a full sentence; the live layer is unchanged
 */
export async function importExtracts({ folder, files, onProgress }: ImportExtracts): Promise<ExtractSummary> {
  for (const file of files) requireFile(file);
  const scratchFolder = makeScratchFolder(folder);
  try {
    return await buildLayer(placesFolder(folder), async path => {
      const builder = LayerBuilder.start(path);
      try {
        const summary = await importOsm({ files, sink: builder, scratchFolder, onProgress });
        if (builder.count === 0) throw new Error(`There are no places in ${files.join(', ')}.`);
        const about = { licence: LICENCE, sources: files.map(file => basename(file)) };
        const { count } = await builder.finish(about, (done, total) => onProgress({ phase: 'index', done, total }));
        return { ...summary, places: count };
      } catch (error) {
        await builder.abandon();
        throw error;
      }
    });
  } catch (error) {
    throw new Error(`The places could not be imported: ${(error as Error).message.replace(/\.?$/, '.')} They are as they were before.`, {
      cause: error,
    });
  } finally {
    rmSync(scratchFolder, { recursive: true, force: true });
  }
}

function requireFile(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`There is no file ${path}.`);
  if (!stat.isFile()) throw new Error(`${path} is no file.`);
}
