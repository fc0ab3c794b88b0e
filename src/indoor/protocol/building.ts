// A building as GeoJSON, in the words in which models are imported (docs/indoor.md): what is shown of a building can be
// imported again.

import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import { type Position, type ShapeJson, shapeJson } from '../../protocol/answers/geocodejson.ts';
import type { Building, Floor, FloorPlan, Rings } from '../tables/buildings/building.ts';

/** A feature of GeoJSON. */
interface Feature {
  type: 'Feature';
  properties: object;
  geometry: ShapeJson | { type: 'MultiLineString'; coordinates: Position[][] };
}

/** A building as a collection of features. */
export interface BuildingJson {
  type: 'FeatureCollection';
  features: Feature[];
}

/** Numbers of a segment: from and to. */
const SEGMENT = 4;

/** The footprint first, then each floor: its outline, rooms, walls, doors and stairs. */
export function buildingJson(building: Building, floors: readonly Floor[]): BuildingJson {
  const { modelId, buildingId, name, outline } = building;
  const names = {
    ...(modelId !== undefined && { buildingModelId: modelId }),
    ...(buildingId !== undefined && { buildingId }),
    ...(name !== '' && { building: name }),
  };
  return { type: 'FeatureCollection', features: [area(names, outline), ...floors.flatMap(floorFeatures)] };
}

function floorFeatures({ index, label, outline, rooms, ...lines }: Floor): Feature[] {
  const floor = { floorIndex: index, ...(label !== '' && { floorLabel: label }) };
  return [
    ...(outline.length === 0 ? [] : [area(floor, outline)]),
    ...rooms.map(room => area({ ...floor, room: room.name }, room.outline)),
    ...(['walls', 'doors', 'stairs'] as const).flatMap(kind => lineFeatures(floor, kind, lines[kind])),
  ];
}

function area(properties: object, rings: Rings): Feature {
  return { type: 'Feature', properties, geometry: shapeJson({ kind: 'area', rings }, [0, 0]) };
}

/** Segments as one feature, and each that begins and ends at a point as a point. */
function lineFeatures(floor: object, kind: keyof FloorPlan & ('walls' | 'doors' | 'stairs'), segments: Int32Array) {
  const properties = { ...floor, [{ walls: 'wall', doors: 'door', stairs: 'stairs' }[kind]]: true };
  const lines: Position[][] = [];
  const features: Feature[] = [];
  for (let i = 0; i < segments.length; i += SEGMENT) {
    const [from, to] = [positionAt(segments, i), positionAt(segments, i + 2)];
    if (from[0] === to[0] && from[1] === to[1])
      features.push({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: from } });
    else lines.push([from, to]);
  }
  if (lines.length > 0)
    features.push({ type: 'Feature', properties, geometry: { type: 'MultiLineString', coordinates: lines } });
  return features;
}

function positionAt(numbers: Int32Array, i: number): Position {
  return [numbers[i] / UNITS_PER_DEGREE, numbers[i + 1] / UNITS_PER_DEGREE];
}
