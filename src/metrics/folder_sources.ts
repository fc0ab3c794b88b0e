// The sources of a data folder: what was imported, by name. Everything is read from the tables, also while a service uses them, and nothing is written.

import { existsSync } from 'node:fs';
import { isOfDemo } from '../folder/demo_town.ts';
import { currentLayer, placesFolder } from '../tables/places/generations.ts';
import { LayerReader } from '../tables/places/layer.ts';
import { liveSources, sourcesToCome } from '../tables/sources/load_source.ts';

/** A source, as operators see it. */
export interface ListedSource {
  name: string;
  kind: 'cells' | 'wifi' | 'osm';
  /** Stations, or places. */
  rows: number;
  /** ISO 8601, UTC; for what an earlier version imported, the last change of the tables. */
  importedAt: string;
  /** An earlier version imported it and kept no sources: all of a kind is one source from the next import on. */
  isEarlier?: true;
}

/**
 * Lists the sources of a data folder in the order of their import. Takes a second a million stations where an earlier version has imported them.
 * @throws Error when a table cannot be used
 */
export async function listSources(folder: string): Promise<ListedSource[]> {
  const kept = (await liveSources(folder)) ?? [];
  const earlier = (await sourcesToCome(folder, isOfDemo())) ?? [];
  return [
    ...kept.map(({ name, kind, stations, importedAt }) => ({ name, kind, rows: stations, importedAt })),
    ...earlier.map(({ name, kind, stations, importedAt }) => ({ name, kind, rows: stations, importedAt, isEarlier: true as const })),
    ...(await listExtracts(folder)),
  ];
}

async function listExtracts(folder: string): Promise<ListedSource[]> {
  const layer = currentLayer(placesFolder(folder));
  if (layer === undefined || !existsSync(layer)) return [];
  const reader = new LayerReader(layer);
  const { sources, count, builtAt } = reader.meta;
  await reader.close();
  return [{ name: sources.join(' '), kind: 'osm', rows: count, importedAt: builtAt }];
}
