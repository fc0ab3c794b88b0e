// The outlines of what an answer names, for a map.

import type { Shape } from '../../api/explain/surroundings.ts';
import { unitsOf } from '../../geo/units.ts';
import { shapeJson } from '../../protocol/answers/geocodejson.ts';
import { type Indoor, isSameBuilding } from '../indoor_at.ts';
import type { Rings } from '../tables/buildings/building.ts';
import { BuildingReader } from '../tables/buildings/reader.ts';

/**
 * The outlines of the building, the floor and the room that an answer names, the largest first; none where there is no
 * model of the building. @throws Error when a table cannot be used
 */
export async function outlinesOf(folder: string, response: object): Promise<Shape[]> {
  const { location, indoor } = response as { location?: { lat: number; lng: number }; indoor?: Indoor };
  if (location === undefined || indoor === undefined) return [];
  const reader = new BuildingReader(folder);
  try {
    const { buildingModelId: modelId, buildingId, building: name = '', floorIndex, room } = indoor;
    const around = reader.around(unitsOf(location.lng), unitsOf(location.lat));
    const found = around.find(({ building }) => isSameBuilding(building, { modelId, buildingId, name }));
    if (found === undefined) return [];
    const floor = reader.floors(found.id).find(({ index }) => index === floorIndex);
    const { outline } = found.building;
    return [
      shape('building', name || String(buildingId ?? modelId), outline),
      ...(floor === undefined
        ? []
        : [shape('floor', floor.label || String(floor.index), floor.outline.length > 0 ? floor.outline : outline)]),
      ...(floor?.rooms ?? []).filter(each => each.name === room).map(each => shape('room', each.name, each.outline)),
    ];
  } finally {
    await reader.close();
  }
}

function shape(about: Shape['about'], name: string, rings: Rings): Shape {
  return { about, name, geometry: shapeJson({ kind: 'area', rings }, [0, 0]) };
}
