// A real extract as a layer, and beside it its house numbers as they stand in the file.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { importOsm, type OsmImportSummary } from '../../src/geocoding/import/import_osm.ts';
import { LayerBuilder } from '../../src/geocoding/import/layer_builder.ts';
import type { Tags } from '../../src/geocoding/import/osm_features.ts';
import { readOsm } from '../../src/geocoding/import/read_osm.ts';
import { SearchIndex } from '../../src/geocoding/search/search_index.ts';
import { SpatialIndex } from '../../src/geocoding/spatial_index.ts';
import { LayerReader, loadIndex } from '../../src/tables/layer.ts';
import type { OsmType } from '../../src/tables/place.ts';
import { sectionsOf } from '../../src/tables/section_file.ts';

export const EXTRACTS = {
  liechtenstein: '../shared/data/osm/liechtenstein-2025-09-19.osm.pbf',
  monaco: '../shared/data/osm/monaco-2026-03-10.osm.pbf',
  malta: '../shared/data/osm/malta-2018-08-27.osm.pbf',
};
export const missingExtract = Object.values(EXTRACTS).find(path => !existsSync(path));

/** An object with a house number. */
export interface NumberedObject {
  type: OsmType;
  id: number;
  tags: Tags;
  /** Degrees. */
  latitude: number;
  longitude: number;
}

export interface RealExtract {
  reader: LayerReader;
  spatial: SpatialIndex;
  words: SearchIndex;
  summary: OsmImportSummary;
  houses: readonly NumberedObject[];
}

/** @param folder existing, for the layer and scratch files; the caller closes the reader and removes it */
export async function openExtract(file: string, folder: string): Promise<RealExtract> {
  const scratchFolder = join(folder, 'scratch');
  mkdirSync(scratchFolder);
  const layerFolder = join(folder, 'layer');
  const builder = LayerBuilder.start(layerFolder);
  const summary = await importOsm({ files: [file], sink: builder, scratchFolder, onProgress: () => {} });
  await builder.finish({ licence: 'ODbL 1.0', sources: [file] });
  const reader = new LayerReader(layerFolder);
  const sections = sectionsOf(loadIndex(layerFolder));
  const houses = await numberedObjects(file, scratchFolder);
  return { reader, spatial: new SpatialIndex(sections), words: new SearchIndex(reader, sections), summary, houses };
}

async function numberedObjects(file: string, scratchFolder: string): Promise<NumberedObject[]> {
  const wants = (_type: OsmType, tags: Tags) => (tags['addr:housenumber'] === undefined ? undefined : 'house');
  const features = await readOsm({ files: [file], scratchFolder, wants, onProgress: () => {} });
  const objects = Array.from(features.read('house'), ({ type, id, tags, latitude, longitude }) => ({ type, id, tags, latitude, longitude }));
  features.close();
  return objects;
}
