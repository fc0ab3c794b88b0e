// What is known of the inside of the building at a position. A position belongs to a building if at least half of it lies in the footprint. The box around such a
// footprint contains the position: all of the box lies on one side of any other point, and less than half of a position does. So only buildings whose boxes
// contain it are looked at, and of several the one that holds most.

import { unitsOf } from '../geo/units.ts';
import type { BuildingReader } from '../tables/buildings/reader.ts';
import { shareInside } from './share_inside.ts';

/** What is known, in the words of the interface. Members that are not known are absent. */
export interface Indoor {
  buildingModelId?: number;
  buildingId?: number;
  building?: string;
}

/** Share of a position from which on it belongs to a building. */
const SHARE_MIN = 0.5;

/**
 * What is known at a position.
 * @param latitude, longitude degrees
 * @param shareWithin the share of the position within a radius in metres
 * @returns undefined where nothing is known
 * @throws Error when the tables cannot be used
 */
export function indoorAt(
  reader: BuildingReader,
  latitude: number,
  longitude: number,
  shareWithin: (metres: number) => number,
): Indoor | undefined {
  const x = unitsOf(longitude);
  const y = unitsOf(latitude);
  let best: Indoor | undefined;
  let most = SHARE_MIN;
  for (const { building } of reader.around(x, y)) {
    const share = shareInside(building.outline, x, y, shareWithin);
    const { modelId, buildingId, name } = building;
    // One of which nothing is known hides no other.
    if (!(share >= most) || (name === '' && modelId === undefined && buildingId === undefined)) continue;
    most = share;
    best = {
      ...(modelId !== undefined && { buildingModelId: modelId }),
      ...(buildingId !== undefined && { buildingId }),
      ...(name !== '' && { building: name }),
    };
  }
  return best;
}
