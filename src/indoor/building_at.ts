// The building to which a point belongs whose floor is known: the imported one whose footprint contains it.

import { isInside } from '../geo/rings.ts';
import { unitsOf } from '../geo/units.ts';
import type { Building } from './tables/buildings/building.ts';
import type { BuildingReader } from './tables/buildings/reader.ts';

/** What tells a building from others. */
export type NamedBuilding = Pick<Building, 'modelId' | 'buildingId' | 'name'>;

/**
 * Finds the building; of several the one that was imported last.
 * @param latitude, longitude degrees
 * @returns undefined where there is none with a name or a number
 * @throws Error when the tables cannot be used
 */
export function buildingAt(reader: BuildingReader, latitude: number, longitude: number): NamedBuilding | undefined {
  const x = unitsOf(longitude);
  const y = unitsOf(latitude);
  const named = reader
    .around(x, y)
    .filter(({ building }) => isNamed(building) && isInside(building.outline, x, y))
    .at(-1)?.building;
  return named && { modelId: named.modelId, buildingId: named.buildingId, name: named.name };
}

function isNamed({ modelId, buildingId, name }: Building): boolean {
  return name !== '' || modelId !== undefined || buildingId !== undefined;
}
