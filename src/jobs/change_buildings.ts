// Imports building models, takes a source of them out, or lists all, in any thread or process. Running threads see the
// tables with their next read.

import { type BuildingSource, openBuildings, readSources } from '../tables/buildings/building_tables.ts';
import type { SourceChange } from '../tables/buildings/change_source.ts';
import { type BuildingSummary, importBuildings, removeBuildings } from '../transfer/buildings/import_buildings.ts';
import type { BuildingsJob, Progress } from './job.ts';

/** The summary of a change of the buildings. */
type BuildingsSummary = BuildingSummary | SourceChange;

/**
 * Runs the job.
 * @param folder data folder
 * @param onProgress called often; an error that it throws ends the job
 * @throws Error when the job fails; the buildings stay as they were
 */
export function changeBuildings(
  job: BuildingsJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<BuildingsSummary> {
  if (job.verb === 'buildings') return removeBuildings(folder, job.name);
  const report = ({ phase, done, total }: { phase: Progress['phase']; done: number; total: number }): void =>
    onProgress({ phase, rows: done, bytesDone: done, bytesTotal: total });
  return importBuildings({ folder, files: job.files, source: job.source, replace: job.replace, onProgress: report });
}

/** An import of buildings, as operators see it. */
export type ListedBuildings = Omit<BuildingSource, 'firstId'>;

/** Lists the imports of buildings of a data folder. @throws Error when the tables cannot be used */
export async function listBuildings(folder: string): Promise<ListedBuildings[]> {
  const tables = openBuildings(folder);
  if (tables === undefined) return [];
  const sources = readSources(tables);
  await tables.root.close();
  return sources.map(({ name, buildings, floors, rooms, importedAt }) => ({
    name,
    buildings,
    floors,
    rooms,
    importedAt,
  }));
}
