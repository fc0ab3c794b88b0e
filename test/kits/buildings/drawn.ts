// Drawn building models. Coordinates are metres east and north of an origin, so that a test reads like a plan.

import { unitsOf } from '../../../src/geo/units.ts';
import type { Building, BuildingModel, Floor } from '../../../src/indoor/tables/buildings/building.ts';

export type Metres = readonly [east: number, north: number];

/** Where the plans stand, degrees. */
export const ORIGIN = { latitude: 47.14, longitude: 9.52 };
const METRES_PER_DEGREE = (6_371_008.8 * Math.PI) / 180;
const EAST_SCALE = Math.cos((ORIGIN.latitude * Math.PI) / 180);

/** Longitude and latitude of a point of a plan. */
export function degreesAt([east, north]: Metres): [longitude: number, latitude: number] {
  return [ORIGIN.longitude + east / METRES_PER_DEGREE / EAST_SCALE, ORIGIN.latitude + north / METRES_PER_DEGREE];
}

/** The same in units. */
export function unitsAt(point: Metres): [x: number, y: number] {
  const [longitude, latitude] = degreesAt(point);
  return [unitsOf(longitude), unitsOf(latitude)];
}

/** The corners of a rectangle, counter-clockwise, the first again at the end. */
export function corners([west, south]: Metres, [east, north]: Metres): Metres[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** A ring in units. */
export function ring(points: readonly Metres[]): Int32Array {
  return Int32Array.from(points.flatMap(unitsAt));
}

/** A rectangle in units. */
export function rectangle(southWest: Metres, northEast: Metres): Int32Array {
  return ring(corners(southWest, northEast));
}

/** A building of 40 by 30 metres, unless its outline says otherwise. */
export function drawnBuilding(changes: Partial<Building> = {}): Building {
  return { modelId: undefined, buildingId: undefined, name: '', outline: [rectangle([0, 0], [40, 30])], ...changes };
}

/** A floor without anything on it. */
export function drawnFloor(index: number, changes: Partial<Floor> = {}): Floor {
  return {
    index,
    label: '',
    outline: [],
    rooms: [],
    walls: new Int32Array(),
    doors: new Int32Array(),
    stairs: new Int32Array(),
    ...changes,
  };
}

/** A building without floors. */
export function drawnModel(building: Partial<Building> = {}, floors: readonly Floor[] = []): BuildingModel {
  return { building: drawnBuilding(building), floors };
}
