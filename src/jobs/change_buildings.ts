// Imports building models, or takes a source of them out, in any thread or process. Running threads see the tables with their next read.

import type { SourceChange } from '../tables/buildings/change_source.ts';
import { type BuildingSummary, importBuildings, removeBuildings } from '../transfer/buildings/import_buildings.ts';
import type { BuildingsJob, Progress } from './job.ts';

/** The summary of a change of the buildings. */
export type BuildingsSummary = BuildingSummary | SourceChange;

/**
 * Runs the job.
 * @param folder data folder
 * @param onProgress called often; an error that it throws ends the job
 * @throws Error when the job fails; the buildings stay as they were
 */
export function changeBuildings(job: BuildingsJob, folder: string, onProgress: (progress: Progress) => void): Promise<BuildingsSummary> {
  if (job.verb === 'buildings') return removeBuildings(folder, job.name);
  const report = ({ phase, done, total }: { phase: Progress['phase']; done: number; total: number }): void =>
    onProgress({ phase, rows: done, bytesDone: done, bytesTotal: total });
  return importBuildings({ folder, files: job.files, source: job.source, onProgress: report });
}
