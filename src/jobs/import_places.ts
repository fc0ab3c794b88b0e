// Imports places, in any thread or process. The owner then adopts the layer that is live on disk.

import { type ExtractSummary, importExtracts } from '../geocoding/import/import_extracts.ts';
import type { PlacesImportJob, Progress } from './job.ts';
import { followPlaces } from './places_progress.ts';
import { rebuildWorld } from './world_layer.ts';

/** The summary of an import of places; for the embedded gazetteer only the number. */
export type PlacesSummary = ExtractSummary | { places: number };

/**
 * Runs the job.
 * @param folder data folder
 * @param onProgress called often; an error that it throws ends the import
 * @throws Error when the import fails; the live places stay as they were
 */
export async function importPlaces(job: PlacesImportJob, folder: string, onProgress: (progress: Progress) => void): Promise<PlacesSummary> {
  if (job.kind === 'osm') return importExtracts({ folder, files: job.files, onProgress: followPlaces(onProgress) });
  onProgress({ phase: 'places', rows: 0, bytesDone: 0, bytesTotal: 0 });
  return (await rebuildWorld())!;
}
