// Imports places, in any thread or process. The owner then adopts the layer that is live on disk.

import { type ChangesSummary, changeExtract } from '../geocoding/import/change_extract.ts';
import {
  type ExtractSummary,
  type ImportExtracts,
  importExtracts,
  removeExtract,
} from '../geocoding/import/import_extracts.ts';
import { nameOfFiles } from '../tables/sources/source_name.ts';
import { sizeOfFiles } from '../transfer/files/text_file.ts';
import { readOsmChanges, sequenceOf } from '../transfer/osm_changes.ts';
import type { ExtractRemovalJob, OsmChangesJob, PlacesImportJob, PlacesPhase, Progress } from './job.ts';
import { requireKind } from './sources.ts';
import { rebuildWorld } from './world_layer.ts';

/** The summary of an import of places; for the embedded gazetteer, and after a removal, only the number. */
export type PlacesSummary = ExtractSummary | ChangesSummary | { places: number };

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
  if (job.kind === 'osm-changes') return applyChanges(job, folder, onProgress);
  onProgress({ phase: 'places', rows: 0, bytesDone: 0, bytesTotal: 0 });
  return (await rebuildWorld())!;
}

function applyChanges(
  { files, source, force }: OsmChangesJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<ChangesSummary> {
  const bytesTotal = sizeOfFiles(files);
  let [rows, bytesBefore] = [0, 0];
  return changeExtract({
    folder,
    files: files.map(path => ({ path, sequence: sequenceOf(path) })),
    source,
    force,
    read: async (path, take) => {
      const count: typeof take = change => {
        rows++;
        take(change);
      };
      const read = await readOsmChanges(path, count, bytes =>
        onProgress({ phase: 'changes', rows, bytesDone: bytesBefore + bytes, bytesTotal }),
      );
      bytesBefore += sizeOfFiles([path]);
      return read;
    },
    onProgress: followPlaces(onProgress),
  });
}

// Progress of an import of places. Its phases have different units and take different parts of the time. So each phase
// has a share, and progress is the share of the whole, with an estimate of the remaining time.

/** Shares of the time in thousandths, in the order of the phases. Measured on extracts of Liechtenstein and Malta. */
const SHARES: readonly [PlacesPhase, number][] = [
  ['relations', 20],
  ['nodes', 110],
  ['ways', 90],
  ['rings', 10],
  ['areas', 20],
  ['survey', 50],
  ['roads', 200],
  ['addresses', 250],
  ['places', 150],
  ['index', 100],
];
const WHOLE = 1_000;
/** Before this much is done, there is no estimate of the remaining time. */
const LEAST_DONE = 20;

/**
 * Turns the progress of phases into that of the whole.
 * @param now milliseconds of a clock that never goes back
 */
export function followPlaces(
  onProgress: (progress: Progress) => void,
  now: () => number = () => performance.now(),
): ImportExtracts['onProgress'] {
  const started = now();
  return ({ phase, done, total }) => {
    const bytesDone = shareBefore(phase) + shareOf(phase) * (total === 0 ? 1 : Math.min(1, done / total));
    const progress: Progress = { phase, rows: done, bytesDone: Math.round(bytesDone), bytesTotal: WHOLE };
    if (bytesDone >= LEAST_DONE) progress.secondsLeft = ((now() - started) / 1_000) * (WHOLE / bytesDone - 1);
    onProgress(progress);
  };
}

function shareOf(phase: PlacesPhase): number {
  return SHARES.find(([name]) => name === phase)![1];
}

function shareBefore(phase: PlacesPhase): number {
  const at = SHARES.findIndex(([name]) => name === phase);
  return SHARES.slice(0, at).reduce((sum, [, share]) => sum + share, 0);
}
