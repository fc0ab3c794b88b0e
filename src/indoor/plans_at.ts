// What imported models say of a point, floor by floor: for operators who want to see whether a plan lies where it
// should.

import { isInside } from '../geo/rings.ts';
import { unitsOf } from '../geo/units.ts';
import type { Building, Floor } from './tables/buildings/building.ts';
import type { BuildingReader } from './tables/buildings/reader.ts';

/** A building around a point. */
interface PlanAt {
  building: Omit<Building, 'outline'>;
  floors: FloorAt[];
}

/** One of its floors. */
interface FloorAt {
  index: number;
  label: string;
  /** The first room that contains the point; undefined where none does. */
  room: string | undefined;
}

/**
 * The buildings whose footprints contain a point. @param latitude, longitude degrees @throws Error when the tables
 * cannot be used
 */
export function plansAt(reader: BuildingReader, latitude: number, longitude: number): PlanAt[] {
  const x = unitsOf(longitude);
  const y = unitsOf(latitude);
  const around = reader.around(x, y).filter(({ building }) => isInside(building.outline, x, y));
  return around.map(({ id, building: { outline: _, ...building } }) => ({
    building,
    floors: reader.floors(id).map(floor => floorAt(floor, x, y)),
  }));
}

function floorAt({ index, label, rooms }: Floor, x: number, y: number): FloorAt {
  return { index, label, room: rooms.find(({ outline }) => isInside(outline, x, y))?.name };
}
