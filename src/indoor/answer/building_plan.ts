// The plan of a building in the plane of its fingerprints, for devices that are followed in it: walls, and stairs and
// lifts, of the model that has the same name or number.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../../geo/units.ts';
import { isSameBuilding } from '../indoor_at.ts';
import type { Floor } from '../tables/buildings/building.ts';
import type { BuildingReader } from '../tables/buildings/reader.ts';
import type { FingerprintedBuilding } from '../tables/fingerprints/fingerprint_record.ts';
import { StairMap } from '../tracking/stairs.ts';
import { WallMap } from '../tracking/walls.ts';

/** What stops a device, and where it changes floor; undefined where no model says so. */
interface BuildingPlan {
  walls: WallMap | undefined;
  stairs: StairMap | undefined;
}

const NO_PLAN: BuildingPlan = { walls: undefined, stairs: undefined };
/** Those of the floors that a reader keeps. */
const KNOWN = new WeakMap<readonly Floor[], BuildingPlan>();

/** The plan of a building. @throws Error when the tables cannot be used */
export function planOf(reader: BuildingReader, building: FingerprintedBuilding): BuildingPlan {
  const { latitude, longitude } = building;
  const model = reader
    .around(unitsOf(longitude), unitsOf(latitude))
    .find(each => isSameBuilding(each.building, building));
  if (model === undefined) return NO_PLAN;
  const floors = reader.floors(model.id);
  const known = KNOWN.get(floors);
  if (known !== undefined) return known;
  const inMetres = (segments: Int32Array): Float64Array => metresOf(segments, latitude, longitude);
  const plan = {
    walls: floors.every(({ walls }) => walls.length === 0)
      ? undefined
      : new WallMap(
          floors.map(floor => ({ floor: floor.index, walls: inMetres(floor.walls), doors: inMetres(floor.doors) })),
        ),
    stairs: floors.every(({ stairs }) => stairs.length === 0)
      ? undefined
      : new StairMap(floors.map(floor => ({ floor: floor.index, stairs: inMetres(floor.stairs) }))),
  };
  KNOWN.set(floors, plan);
  return plan;
}

/** Pairs in units as metres east and north of an origin in degrees. */
function metresOf(units: Int32Array, latitude: number, longitude: number): Float64Array {
  const north = METRES_PER_DEGREE / UNITS_PER_DEGREE;
  const east = north * Math.cos(latitude * RADIANS_PER_DEGREE);
  return Float64Array.from(units, (value, i) =>
    i % 2 === 0 ? (value - longitude * UNITS_PER_DEGREE) * east : (value - latitude * UNITS_PER_DEGREE) * north,
  );
}
