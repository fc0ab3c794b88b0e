// Imports places, in any thread or process. The owner then adopts the layer that is live on disk.

import { type ExtractSummary, importExtracts, removeExtract } from '../geocoding/import/import_extracts.ts';
import { nameOfFiles } from '../tables/sources/source_name.ts';
import type { ExtractRemovalJob, PlacesImportJob, Progress } from './job.ts';
import { followPlaces } from './places_progress.ts';
import { requireKind } from './sources.ts';
import { rebuildWorld } from './world_layer.ts';

/** The summary of an import of places; for the embedded gazetteer, and after a removal, only the number. */
export type PlacesSummary = ExtractSummary | { places: number };

/**
 * Runs the job.
 * @param folder data folder
 * @param onProgress called often; an error that it throws ends the import
 * @throws Error when the import fails; the live places stay as they were
 */
export async function importPlaces(
  job: PlacesImportJob | ExtractRemovalJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<PlacesSummary> {
  const parts = { folder, onProgress: followPlaces(onProgress) };
  if (job.verb === 'sources') return removeExtract({ ...parts, name: job.name });
  if (job.kind === 'osm') {
    const names = job.source === undefined ? job.files.map(file => nameOfFiles([file])) : [job.source];
    for (const name of names) await requireKind(folder, name, 'osm');
    return importExtracts({ ...parts, files: job.files, source: job.source, replace: job.replace });
  }
  onProgress({ phase: 'places', rows: 0, bytesDone: 0, bytesTotal: 0 });
  return (await rebuildWorld())!;
}
