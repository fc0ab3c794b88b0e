// The walls of a building in the plane of its fingerprints, for devices that are followed in it: those of the model that has the same name or number.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../geo/units.ts';
import { isSameBuilding } from '../indoor/indoor_at.ts';
import type { Floor } from '../tables/buildings/building.ts';
import type { BuildingReader } from '../tables/buildings/reader.ts';
import type { FingerprintedBuilding } from '../tables/fingerprints/fingerprint.ts';
import { WallMap } from '../tracking/indoor/walls.ts';

/** Those of the floors that a reader keeps. */
const KNOWN = new WeakMap<readonly Floor[], WallMap>();

/**
 * The walls of a building.
 * @returns undefined where no model has any
 * @throws Error when the tables cannot be used
 */
export function wallsOf(reader: BuildingReader, building: FingerprintedBuilding): WallMap | undefined {
  const { latitude, longitude } = building;
  const model = reader.around(unitsOf(longitude), unitsOf(latitude)).find(each => isSameBuilding(each.building, building));
  const floors = model === undefined ? [] : reader.floors(model.id);
  if (floors.every(({ walls }) => walls.length === 0)) return undefined;
  const known = KNOWN.get(floors);
  if (known !== undefined) return known;
  const inMetres = (segments: Int32Array): Float64Array => metresOf(segments, latitude, longitude);
  const walls = new WallMap(floors.map(floor => ({ floor: floor.index, walls: inMetres(floor.walls), doors: inMetres(floor.doors) })));
  KNOWN.set(floors, walls);
  return walls;
}

/** Pairs in units as metres east and north of an origin in degrees. */
function metresOf(units: Int32Array, latitude: number, longitude: number): Float64Array {
  const north = METRES_PER_DEGREE / UNITS_PER_DEGREE;
  const east = north * Math.cos(latitude * RADIANS_PER_DEGREE);
  return Float64Array.from(units, (value, i) =>
    i % 2 === 0 ? (value - longitude * UNITS_PER_DEGREE) * east : (value - latitude * UNITS_PER_DEGREE) * north,
  );
}
