// The sources of a data folder: what was imported, by name. Everything is read from the tables, also while a service
// uses them, and nothing is written.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURE_TABLES, type FeatureGroup } from '../features.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';
import { openObservationEnvironment } from '../tables/observations/environment.ts';
import { listReportSources } from '../tables/observations/report_sources.ts';
import { livePlaces } from '../tables/places/extract_files.ts';
import type { Register } from '../tables/places/layer_meta.ts';
import { liveSources } from '../tables/sources/load_source.ts';
import type { ExtractRemovalJob, FeatureJob, SourceRemovalJob } from './job.ts';

/** A source, as operators see it. */
export interface ListedSource {
  name: string;
  kind: 'cells' | 'wifi' | 'observations' | 'osm' | 'addresses' | 'postcodes' | 'importance' | FeatureGroup;
  /** Stations, reports, objects of the map, items of Wikidata or rows of a feature, also those that others have too. */
  rows: number;
  /** ISO 8601, UTC. */
  importedAt: string;
  /** Of an extract: number of the last file of changes in it, and up to when it has them, ISO 8601, UTC. */
  sequence?: number;
  upTo?: string;
  /** Of addresses and postcodes: their licence, if their import said it. */
  licence?: string;
  /** Of finished places: the sources of addresses in them. */
  registers?: Register[];
  /** Its places answer points, and no searches. */
  pointsOnly?: true;
}

/**
 * Lists the sources of a data folder: stations in the order of their import, measurements, extracts, importance.
 * @throws Error when a table cannot be used
 */
export async function listSources(folder: string): Promise<ListedSource[]> {
  return [...(await listOthers(folder)), ...listExtracts(folder)];
}

/** @throws Error when a source of another kind has the name, so that a name says what is removed */
export async function requireKind(folder: string, name: string, kind: ListedSource['kind']): Promise<void> {
  const all = [...(await listOthers(folder)), ...soundExtracts(folder)];
  const holder = all.find(source => source.name === name && source.kind !== kind);
  if (holder !== undefined)
    throw new Error(`The source "${name}" holds ${holder.kind}; name this import of ${kind} otherwise with --source.`);
}

/** The job that takes a source out, which only the tables tell; not one of measurements. */
export async function removalOf(
  folder: string,
  name: string,
): Promise<SourceRemovalJob | ExtractRemovalJob | FeatureJob> {
  const ofFeature = (await listOfFeatures(folder)).find(source => source.name === name);
  if (ofFeature !== undefined) return { verb: ofFeature.kind, action: 'remove', name };
  const removal = { verb: 'sources', action: 'remove', name } as const;
  return soundExtracts(folder).some(source => source.name === name) ? { ...removal, kind: 'osm' } : removal;
}

/** Sources of stations, measurements and features. */
async function listOthers(folder: string): Promise<ListedSource[]> {
  const imported = await liveSources(folder);
  return [
    ...imported.map(({ name, kind, stations, importedAt }) => ({ name, kind, rows: stations, importedAt })),
    ...(await listMeasurements(folder)),
    ...(await listOfFeatures(folder)),
  ];
}

/**
 * Extracts and importance; none where the places are damaged, which must not keep other imports from running, nor one
 * that mends them.
 */
function soundExtracts(folder: string): ListedSource[] {
  try {
    return listExtracts(folder);
  } catch {
    return [];
  }
}

async function listMeasurements(folder: string): Promise<ListedSource[]> {
  const path = join(folder, 'observations');
  if (!existsSync(join(path, DATA_FILE))) return [];
  const { root, tables } = openObservationEnvironment(path);
  try {
    const sources = listReportSources(tables.sources);
    return sources.map(({ name, reports, importedAt }) => ({ name, kind: 'observations', rows: reports, importedAt }));
  } finally {
    await root.close();
  }
}

async function listOfFeatures(folder: string): Promise<(ListedSource & { kind: FeatureGroup })[]> {
  const lists = FEATURE_TABLES.map(async ({ name: kind, list, sources }) =>
    sources === undefined ? [] : (await list(folder)).map(source => ({ ...source, kind })),
  );
  return (await Promise.all(lists)).flat();
}

function listExtracts(folder: string): ListedSource[] {
  const { extracts = [], importance = [], pointsOnly } = livePlaces(folder) ?? {};
  return [
    ...extracts.map(({ name, kind, objects, importedAt, sequence, upTo, licence, registers }) => ({
      ...{ name, kind: kind ?? ('osm' as const), rows: objects, importedAt },
      ...(sequence !== undefined && { sequence }),
      ...(upTo !== undefined && { upTo }),
      ...(licence !== undefined && { licence }),
      ...(registers !== undefined && { registers }),
      ...(pointsOnly && { pointsOnly }),
    })),
    ...importance.map(
      ({ name, items, importedAt }) => ({ name, kind: 'importance', rows: items, importedAt }) as const,
    ),
  ];
}
