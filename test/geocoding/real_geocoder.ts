// Liechtenstein, Monaco and Malta imported together, with the world's gazetteer behind them, as one thread of the
// service has them.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FoundPlace } from '../../src/geocoding/found_place.ts';
import { Geocoder } from '../../src/geocoding/geocoder.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { buildPlaces } from '../../src/geocoding/import/import_osm.ts';
import { LayerBuilder } from '../../src/geocoding/import/layer_builder.ts';
import { classify } from '../../src/geocoding/import/objects/classify.ts';
import type { FeatureClass, Tags } from '../../src/geocoding/import/osm/features.ts';
import { readOsm } from '../../src/geocoding/import/osm/read.ts';
import { currentLayer, placesFolder, WORLD_FOLDER } from '../../src/tables/places/generations.ts';
import { createLayerShare, LayerShareSource } from '../../src/tables/places/layer_share.ts';
import type { OsmType } from '../../src/tables/places/place.ts';

export const LANDS = ['liechtenstein', 'monaco', 'malta'] as const;
export type Land = (typeof LANDS)[number];

const FILES: Record<Land, string> = {
  liechtenstein: 'liechtenstein-2025-09-19.osm.pbf',
  monaco: 'monaco-2026-03-10.osm.pbf',
  malta: 'malta-2018-08-27.osm.pbf',
};
export const COUNTRY_CODES: Record<Land, string> = { liechtenstein: 'li', monaco: 'mc', malta: 'mt' };

/** South, west, north, east, degrees: the land, without the waters that belong to it. */
export const LAND_BOXES: Record<Land, readonly [number, number, number, number]> = {
  liechtenstein: [47.048, 9.471, 47.271, 9.636],
  monaco: [43.722, 7.408, 43.753, 7.441],
  malta: [35.785, 14.18, 36.085, 14.58],
};

/** Where the extract of a land is expected. */
export function extractOf(land: Land): string {
  return new URL(`../../../shared/data/osm/${FILES[land]}`, import.meta.url).pathname;
}

/** The first extract that is not there. */
export function missingExtract(): string | undefined {
  return LANDS.map(extractOf).find(file => !existsSync(file));
}

export interface RealGeocoder {
  geocoder: Geocoder;
  close(): Promise<void>;
}

/** @param withExtracts false: with the world's gazetteer alone, as before any import */
export async function openRealGeocoder(withExtracts: boolean): Promise<RealGeocoder> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-real-'));
  if (withExtracts) await importExtracts({ folder, files: LANDS.map(extractOf), onProgress: () => {} });
  return openLayers(folder, withExtracts ? currentLayer(placesFolder(folder)) : undefined);
}

/** @param folder is removed at the end @param extract folder of its layer */
export async function openLayers(folder: string, extract: string | undefined): Promise<RealGeocoder> {
  const share = createLayerShare();
  const source = new LayerShareSource(share);
  source.replace({ world: currentLayer(WORLD_FOLDER), extract });
  const geocoder = await Geocoder.open(share);
  return {
    geocoder,
    close: async () => {
      await geocoder.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * One land as an extract would have it that is cut: without any administrative border, and without the towns that
 * houses name.
 */
export async function openCutGeocoder(land: Land): Promise<RealGeocoder> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-cut-'));
  const options = { files: [extractOf(land)], scratchFolder: folder, onProgress: () => {} };
  const features = await readOsm({
    ...options,
    wants: (type, tags, isClosed) => classify(type, tags, isClosed)?.featureClass,
  });
  const builder = LayerBuilder.start(join(folder, 'layer'));
  const read = function* (featureClass: FeatureClass) {
    for (const feature of features.read(featureClass)) {
      const { 'addr:city': _, ...tags } = feature.tags;
      if (tags.boundary !== 'administrative') yield { ...feature, tags };
    }
  };
  const { boundaries, streets, skipped, counts } = features;
  buildPlaces({ boundaries, streets, skipped, counts, read }, builder, () => {});
  features.close();
  await builder.finish({ licence: 'cut', sources: [] });
  return openLayers(folder, join(folder, 'layer'));
}

/** The members of an address by key. */
export function addressOf(place: FoundPlace): Readonly<Record<string, string>> {
  return Object.fromEntries(place.address.map(({ key, value }) => [key, value]));
}

/** An object of an extract. */
export interface RealObject {
  type: OsmType;
  id: number;
  tags: Tags;
  /** Centroid, degrees. */
  latitude: number;
  longitude: number;
  /** Of a way: where it runs, degrees. */
  points: readonly { latitude: number; longitude: number }[];
}

/** The objects of an extract that are wanted. */
export async function realObjects(land: Land, wants: (type: OsmType, tags: Tags) => boolean): Promise<RealObject[]> {
  const scratchFolder = mkdtempSync(join(tmpdir(), 'sextant-objects-'));
  const features = await readOsm({
    files: [extractOf(land)],
    scratchFolder,
    wants: (type, tags) => (wants(type, tags) ? 'house' : undefined),
    onProgress: () => {},
  });
  const objects = Array.from(features.read('house'), ({ type, id, tags, latitude, longitude, geometry }) => ({
    type,
    id,
    tags,
    latitude,
    longitude,
    points: geometry.kind === 'line' ? pointsOf(geometry.coordinates) : [],
  }));
  features.close();
  rmSync(scratchFolder, { recursive: true });
  return objects;
}

function pointsOf(coordinates: Int32Array): RealObject['points'] {
  return Array.from({ length: coordinates.length / 2 }, (_, i) => ({
    latitude: coordinates[2 * i + 1] / 1e7,
    longitude: coordinates[2 * i] / 1e7,
  }));
}
