// Layers drawn for one test, on the disk and handed out as a server does it, and a geocoder over them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Geometry } from '../../../src/geo/rings.ts';
import { Geocoder } from '../../../src/geocoding/geocoder.ts';
import { LayerBuilder } from '../../../src/geocoding/import/layer_builder.ts';
import { writeCoasts } from '../../../src/geocoding/index/coast_sections.ts';
import { createLayerShare, type LayerName, LayerShareSource } from '../../../src/tables/places/layer_share.ts';
import { OSM_NONE, type Place } from '../../../src/tables/places/place.ts';
import { type Box, boxOf, placeOf, type Said } from './place.ts';

/** A place that is drawn: a point, or a box from south-west to north-east in degrees. */
export interface Drawn {
  said: Said;
  box?: Box;
}

/** Builds a layer in a new folder, on request with the coasts of the world, as the gazetteer has them. */
export async function writeLayer(
  folder: string,
  licence: string,
  places: readonly [Place, Geometry][],
  { coasts }: { coasts: boolean } = { coasts: false },
): Promise<void> {
  const builder = LayerBuilder.start(folder);
  for (const each of places) builder.add(...each);
  if (coasts) writeCoasts(builder);
  await builder.finish({ licence, sources: ['a drawing'] });
}

/** Builds a layer of what is drawn. @returns its folder, which the caller removes */
export async function drawLayer(
  licence: string,
  drawn: readonly Drawn[],
  parts?: { coasts: boolean },
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-layer-'));
  await writeLayer(
    join(folder, 'layer'),
    licence,
    drawn.map(({ said, box }) => [
      placeOf({ ...(box && middleOf(box)), ...said }),
      box === undefined ? { kind: 'point' } : boxOf(box),
    ]),
    parts,
  );
  return folder;
}

/** Opens a geocoder over layers, and closes all of it afterwards. @param folders absolute paths */
export async function withGeocoder<T>(
  folders: Partial<Record<LayerName, string>>,
  use: (geocoder: Geocoder, source: LayerShareSource) => T,
): Promise<T> {
  const { geocoder, source, close } = await openGeocoder(folders);
  try {
    return await use(geocoder, source);
  } finally {
    await close();
  }
}

/** The same until it is closed. */
export async function openGeocoder(
  folders: Partial<Record<LayerName, string>>,
): Promise<{ geocoder: Geocoder; source: LayerShareSource; close: () => Promise<void> }> {
  const state = createLayerShare();
  const source = new LayerShareSource(state);
  source.replace(folders);
  const geocoder = await Geocoder.open(state);
  return { geocoder, source, close: () => geocoder.close() };
}

/**
 * Draws layers and asks a geocoder over them. @param coasts whether the gazetteer has those of the world, which takes a
 * moment
 */
export async function withDrawn<T>(
  { world, extract, coasts = false }: Partial<Record<LayerName, readonly Drawn[]>> & { coasts?: boolean },
  use: (geocoder: Geocoder) => T,
): Promise<T> {
  const roots: string[] = [];
  const draw = async (licence: string, drawn: readonly Drawn[], parts?: { coasts: boolean }) => {
    roots.push(await drawLayer(licence, drawn, parts));
    return join(roots.at(-1)!, 'layer');
  };
  try {
    const folders: Partial<Record<LayerName, string>> = {};
    if (world !== undefined) folders.world = await draw('the gazetteer', world, { coasts });
    if (extract !== undefined) folders.extract = await draw('the extract', extract);
    return await withGeocoder(folders, use);
  } finally {
    for (const root of roots) rmSync(root, { recursive: true, force: true });
  }
}

/** A place of the gazetteer. */
export function worldPlace(
  type: string,
  name: string,
  rank: number,
  latitude: number,
  longitude: number,
  said: Said = {},
): Drawn {
  const addressRank = rank < 16 || rank > 20 ? rank : 16;
  return {
    said: {
      osmType: OSM_NONE,
      osmId: 0,
      category: 'place',
      type,
      names: { name },
      searchRank: rank,
      addressRank,
      latitude,
      longitude,
      ...said,
    },
  };
}

function middleOf([south, west, north, east]: Box): Said {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 };
}
