// Reads the floor plans of indoor walks. They are in a folder next to the walks' file, named after its first word
// (`ilc20_maps` for
// `ilc20_site1_dev.jsonl.gz`), with two files for each floor. `<building>_<floor>_floor_info.json` has the plan's width
// and height in metres. The first feature of `<building>_<floor>_geojson_map.json` is the same rectangle in degrees; x
// points east and y north.

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listOf, membersOf, numberOf } from './line_value.ts';

const METRES_MAX = 100_000;

/** The rectangle of one floor. */
export interface FloorPlan {
  /** Degrees. */
  latitudeMin: number;
  latitudeMax: number;
  longitudeMin: number;
  longitudeMax: number;
  /** Metres. */
  width: number;
  height: number;
}

/**
 * Latitude and longitude of a point on a floor, degrees. @param x metres east of the plan's west edge @param y metres
 * north of its south edge
 */
export function positionOnPlan(plan: FloorPlan, x: number, y: number): [latitude: number, longitude: number] {
  return [
    plan.latitudeMin + (y / plan.height) * (plan.latitudeMax - plan.latitudeMin),
    plan.longitudeMin + (x / plan.width) * (plan.longitudeMax - plan.longitudeMin),
  ];
}

/** The folder with the floor plans of a walks' file. */
export function mapsFolder(file: string): string {
  return join(dirname(file), `${basename(file).split(/[_.]/, 1)[0]}_maps`);
}

/** Reads the plan of a floor. @throws Error naming the file that is missing or wrong */
export function readFloorPlan(folder: string, building: string, floor: string): FloorPlan {
  const info = join(folder, `${building}_${floor}_floor_info.json`);
  const map = join(folder, `${building}_${floor}_geojson_map.json`);
  const size = readJson(info, value => {
    const { width, height } = membersOf(membersOf(value, 'the file').map_info, 'map_info');
    return { width: numberOf(width, 'width', 0.01, METRES_MAX), height: numberOf(height, 'height', 0.01, METRES_MAX) };
  });
  return { ...readJson(map, readBox), ...size };
}

function readBox(value: unknown): Omit<FloorPlan, 'width' | 'height'> {
  const [outline] = listOf(membersOf(value, 'the file').features, 'features');
  const geometry = membersOf(membersOf(outline, 'features[0]').geometry, 'features[0].geometry');
  const box = { latitudeMin: 90, latitudeMax: -90, longitudeMin: 180, longitudeMax: -180 };
  const widen = (coordinates: readonly unknown[]): void => {
    if (Array.isArray(coordinates[0])) {
      for (const part of coordinates) widen(listOf(part, 'coordinates'));
      return;
    }
    const longitude = numberOf(coordinates[0], 'a longitude of features[0]', -180, 180);
    const latitude = numberOf(coordinates[1], 'a latitude of features[0]', -90, 90);
    box.latitudeMin = Math.min(box.latitudeMin, latitude);
    box.latitudeMax = Math.max(box.latitudeMax, latitude);
    box.longitudeMin = Math.min(box.longitudeMin, longitude);
    box.longitudeMax = Math.max(box.longitudeMax, longitude);
  };
  widen(listOf(geometry.coordinates, 'features[0].geometry.coordinates'));
  return box;
}

function readJson<T>(file: string, read: (value: unknown) => T): T {
  if (!existsSync(file)) throw new Error(`the floor plan ${file} is missing.`);
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`the floor plan ${file} cannot be read: ${(error as Error).message}`);
  }
}

// The index of a floor by what surveys and lifts call it. `F1` and `L1` are the ground level, as where walks come from:
// there floors are counted from 1.

const GROUND = /^(g|gf|ground)$/i;
const BASEMENT = /^b(\d{1,2})$/i;
const FROM_ONE = /^[fl](\d{1,3})$/i;
const INDEX = /^-?\d{1,3}$/;

/**
 * The index of a floor: `B1` is -1, `G`, `F1` and `L1` are 0, `F3` is 2; a number is the index itself.
 * @returns undefined for any other name
 */
export function floorIndexOf(name: string): number | undefined {
  if (GROUND.test(name)) return 0;
  if (INDEX.test(name)) return Number(name);
  const basement = BASEMENT.exec(name);
  if (basement !== null && Number(basement[1]) > 0) return -Number(basement[1]);
  const floor = FROM_ONE.exec(name);
  return floor !== null && Number(floor[1]) > 0 ? Number(floor[1]) - 1 : undefined;
}
