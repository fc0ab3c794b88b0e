// Imports building models, takes a source of them out, or lists all, in any thread or process. Running threads see the
// tables with their next read.

import type { FeatureJob, FeatureProgress } from '../../feature.ts';
import { type BuildingSource, openBuildings, readSources } from '../tables/buildings/building_tables.ts';
import type { SourceChange } from '../tables/buildings/change_source.ts';
import { type BuildingSummary, importBuildings, removeBuildings } from '../transfer/buildings/import_buildings.ts';

/**
 * Runs the job.
 * @param folder data folder
 * @param onProgress called often; an error that it throws ends the job
 * @throws Error when the job fails; the buildings stay as they were
 */
export async function changeBuildings(
  job: FeatureJob<'buildings'>,
  folder: string,
  onProgress: (progress: FeatureProgress) => void,
): Promise<BuildingSummary | SourceChange> {
  if (job.verb !== 'import') {
    if (job.action === 'remove') return removeBuildings(folder, job.name);
    throw new Error(`Buildings know no job ${job.action}.`);
  }
  const report = ({ phase, done, total }: { phase: string; done: number; total: number }): void =>
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

/** The same as sources. @throws Error when the tables cannot be used */
export async function listBuildingSources(
  folder: string,
): Promise<{ name: string; importedAt: string; rows: number }[]> {
  const sources = await listBuildings(folder);
  return sources.map(({ name, importedAt, buildings: rows }) => ({ name, importedAt, rows }));
}
