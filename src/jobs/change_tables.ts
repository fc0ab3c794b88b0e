// Imports stations, or takes a source out, in any thread or process. The owner then adopts the tables that are live on
// disk.

import { readOptedOut, stationsOf } from '../folder/opted_out.ts';
import { withoutImport } from '../learning/publish.ts';
import {
  type BuildingSource,
  openBuildings,
  openOrCreateBuildings,
  readSources,
} from '../tables/buildings/building_tables.ts';
import { BUILDINGS, type SourceChange } from '../tables/buildings/change_source.ts';
import { closeEnvironment } from '../tables/environment/commit.ts';
import { takePieces } from '../tables/environment/table_pieces.ts';
import { nameOfFiles } from '../tables/sources/source_name.ts';
import type { LoadResult } from '../tables/stations/merge.ts';
import { type BuildingSummary, importBuildings, removeBuildings } from '../transfer/buildings/import_buildings.ts';
import { type ImportSummary, importStations, removeImported } from '../transfer/import_stations.ts';
import type { BuildingsJob, Progress, SourceRemovalJob, StationImportJob } from './job.ts';
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

// Imports building models, takes a source of them out, or lists all, in any thread or process. Running threads see the
// tables with their next read.

/** The summary of a change of the buildings. */
type BuildingsSummary = BuildingSummary | SourceChange | { buildings: number };

/**
 * Runs the job.
 * @param folder data folder
 * @param onProgress called often; an error that it throws ends the job
 * @throws Error when the job fails; the buildings stay as they were
 */
export async function changeBuildings(
  job: BuildingsJob,
  folder: string,
  onProgress: (progress: Progress) => void,
): Promise<BuildingsSummary> {
  if (job.verb === 'buildings' && job.action === 'take') {
    const tables = await openOrCreateBuildings(folder);
    try {
      takePieces(tables, BUILDINGS, job.hashes, job.from);
      return { buildings: readSources(tables).reduce((sum, source) => sum + source.buildings, 0) };
    } finally {
      await closeEnvironment(tables.root);
    }
  }
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
