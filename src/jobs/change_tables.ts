// Imports stations, or takes a source out, in any thread or process. The owner then adopts the tables that are live on
// disk.

import { readOptedOut, stationsOf } from '../folder/opted_out.ts';
import { withoutImport } from '../learning/publish.ts';
import { nameOfFiles } from '../tables/sources/source_name.ts';
import type { LoadResult } from '../tables/stations/merge.ts';
import { type ImportSummary, importStations, removeImported } from '../transfer/import_stations.ts';
import type { Progress, SourceRemovalJob, StationImportJob } from './job.ts';
import { requireKind } from './sources.ts';

/** The summary of a change of the imported stations. */
export type StationSummary = ImportSummary | LoadResult;

/**
 * Runs the job.
 * @param onProgress called often; an error that it throws ends the job
 * @throws Error when the job fails; the tables stay as they were
 */
export async function changeStations(
  job: StationImportJob | SourceRemovalJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<StationSummary> {
  const parts = { folder, onProgress, withoutImport };
  if (job.verb === 'import') await requireKind(folder, job.source ?? nameOfFiles(job.files), job.kind);
  if (job.verb === 'sources') return removeImported({ ...parts, name: job.name });
  const optedOut = stationsOf(readOptedOut(folder));
  const { kind, files, source, replace } = job;
  return importStations({ ...parts, optedOut, kind, files, source, replace, stdin: process.stdin });
}
