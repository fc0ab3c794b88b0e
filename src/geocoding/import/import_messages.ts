// Messages of the thread that works out the places of extracts.

import type { ImportOsmOptions, ImportProgress, OsmImportSummary } from './import_osm.ts';

/** What is imported by two threads. */
export interface ImportBesideOptions extends Omit<ImportOsmOptions, 'sink'> {
  /** Tables of importance; undefined = none. */
  importance?: readonly string[];
}

/** What the thread starts with. */
export interface OsmThreadSetup extends Omit<ImportBesideOptions, 'onProgress'> {
  /** How many batches have been taken in. */
  taken: Int32Array<SharedArrayBuffer>;
}

/** From the thread, in order: progress, places (place_batch.ts), and at last what was done. */
export type OsmNews = { progress: ImportProgress } | { batch: Int32Array<ArrayBuffer> } | { summary: OsmImportSummary };
