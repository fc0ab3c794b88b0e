// A data folder with the places of Liechtenstein, access points in all of its houses, and one prepaid key.

import { fileURLToPath } from 'node:url';
import { takeFolder } from '../src/folder/data_folder.ts';
import { importExtracts } from '../src/geocoding/import/import_extracts.ts';
import { currentLayer, placesFolder } from '../src/tables/places/generations.ts';
import { LayerReader } from '../src/tables/places/layer.ts';
import { loadStations } from '../src/tables/stations/load.ts';
import { createKey } from './data_folders.ts';
import { createHouseWorld, type HouseWorld, houseWorldStations, type Point } from './house_world.ts';
import { KEY_BYTES } from './world.ts';

/** The extract, which is no part of a checkout. */
export const LIECHTENSTEIN = fileURLToPath(
  new URL('../../shared/data/osm/liechtenstein-2025-09-19.osm.pbf', import.meta.url),
);

/** Makes the folder, which must be empty or missing. @param seed of the access points */
export async function makeHouseFolder(folder: string, seed: number): Promise<{ houseWorld: HouseWorld; key: string }> {
  const owned = takeFolder(folder, true)!;
  const houseWorld = createHouseWorld(await housesIn(await importLand(folder)), seed);
  const batch = houseWorldStations(houseWorld);
  await loadStations(folder, { keyBytes: KEY_BYTES, added: batch.count, batches: () => [batch] }, () => {});
  owned.release();
  return { houseWorld, key: createKey(folder) };
}

/** Imports the extract into a data folder. @returns the folder of its layer */
export async function importLand(folder: string): Promise<string> {
  await importExtracts({ folder, files: [LIECHTENSTEIN], onProgress: () => {} });
  return currentLayer(placesFolder(folder))!;
}

/** The positions of house numbers. @param layer folder of the layer */
export async function housesIn(layer: string): Promise<Point[]> {
  const reader = new LayerReader(layer);
  const houses: Point[] = [];
  for (let id = 1; id <= reader.meta.count; id++) {
    const { houseNumber, latitude, longitude } = reader.place(id)!;
    if (houseNumber !== '') houses.push({ latitude, longitude });
  }
  await reader.close();
  return houses;
}
