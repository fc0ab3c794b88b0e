// Messages of the thread that works out the places of extracts.

import type { ImportOsmOptions, ImportProgress, OsmImportSummary } from './import_osm.ts';

/** What the thread starts with. */
export interface OsmThreadSetup extends Pick<ImportOsmOptions, 'files' | 'changes' | 'scratchFolder'> {
  /** How many batches have been taken in. */
  taken: Int32Array<SharedArrayBuffer>;
}

/** From the thread, in order: progress, places (place_batch.ts), and at last what was done. */
export type OsmNews = { progress: ImportProgress } | { batch: Int32Array<ArrayBuffer> } | { summary: OsmImportSummary };
