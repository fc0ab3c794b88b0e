// What is known of the inside of the building at a position: the building, and where fingerprints tell the floor, that
// and the room.
//
// A position belongs to a building if at least half of it lies in the footprint. The box around such a footprint
// contains the position: all of the box lies on one side of any other point, and less than half of a position does. So
// only buildings whose boxes contain it are looked at, and of several the one that holds most. Fingerprints know their
// building better than any footprint: if they name one, that is meant, and a model says more of it only if it is of the
// same one. Those that name none are of the building whose footprint it is, if that has their floor.

import { unitsOf } from '../geo/units.ts';
import { roomAt, type Whereabouts } from './room_at.ts';
import { shareInside } from './share_inside.ts';
import type { Building, Floor } from './tables/buildings/building.ts';
import type { BuildingReader } from './tables/buildings/reader.ts';

/** What is known, in the words of the interface. Members that are not known are absent. */
export interface Indoor {
  buildingModelId?: number;
  buildingId?: number;
  building?: string;
  floorIndex?: number;
  floorLabel?: string;
  room?: string;
}

/** What names a building. */
type Names = Pick<Building, 'modelId' | 'buildingId' | 'name'>;

/** What fingerprints tell of a position. */
export interface Storey {
  /** The building of the fingerprints. */
  building: Names;
  /** The most likely floor, and its probability. */
  floor: number;
  floorProbability: number;
  where: Whereabouts;
}

/** Share of a position from which on it belongs to a building, and probability from which on a floor is told. */
const SHARE_MIN = 0.5;

/**
 * What is known at a position.
 * @param latitude, longitude degrees
 * @param shareWithin the share of the position within a radius in metres
 * @param storey undefined where fingerprints tell nothing
 * @returns undefined where nothing is known
 * @throws Error when the tables cannot be used
 */
export function indoorAt(
  reader: BuildingReader,
  latitude: number,
  longitude: number,
  shareWithin: (metres: number) => number,
  storey?: Storey,
): Indoor | undefined {
  const named = storey?.building;
  const found = buildingAt(reader, unitsOf(longitude), unitsOf(latitude), shareWithin, named);
  const isOther = found !== undefined && named !== undefined && !isSameBuilding(found.building, named);
  const isNamed = named !== undefined && isKnown(named);
  const model = isOther && isNamed ? undefined : found;
  const building = model?.building ?? named;
  if (building === undefined) return undefined;
  const floors = model === undefined ? [] : reader.floors(model.id);
  const isFloorOfOther =
    isOther && !isNamed && floors.length > 0 && !floors.some(({ index }) => index === storey?.floor);
  const indoor = { ...namesOf(building), ...(isFloorOfOther ? {} : floorOf(floors, storey)) };
  return Object.keys(indoor).length === 0 ? undefined : indoor;
}

function buildingAt(
  reader: BuildingReader,
  x: number,
  y: number,
  shareWithin: (metres: number) => number,
  named: Names | undefined,
): { id: number; building: Building } | undefined {
  const around = reader.around(x, y);
  const same = named && around.find(({ building }) => isSameBuilding(building, named));
  if (same !== undefined) return same;
  let best: { id: number; building: Building } | undefined;
  let most = SHARE_MIN;
  for (const candidate of around) {
    const share = shareInside(candidate.building.outline, x, y, shareWithin);
    // One of which nothing is known hides no other.
    if (!(share >= most) || !isKnown(candidate.building)) continue;
    most = share;
    best = candidate;
  }
  return best;
}

function isKnown({ modelId, buildingId, name }: Names): boolean {
  return name !== '' || modelId !== undefined || buildingId !== undefined;
}

/** True if number or name of two buildings are equal, and nothing that both have differs. */
export function isSameBuilding(a: Names, b: Names): boolean {
  const differs = (one: unknown, other: unknown): boolean => one !== undefined && other !== undefined && one !== other;
  const [nameA, nameB] = [a.name || undefined, b.name || undefined];
  if (differs(a.modelId, b.modelId) || differs(a.buildingId, b.buildingId) || differs(nameA, nameB)) return false;
  return (a.buildingId !== undefined && a.buildingId === b.buildingId) || (nameA !== undefined && nameA === nameB);
}

function namesOf({ modelId, buildingId, name }: Names): Indoor {
  return {
    ...(modelId !== undefined && { buildingModelId: modelId }),
    ...(buildingId !== undefined && { buildingId }),
    ...(name !== '' && { building: name }),
  };
}

/** Floor and room. Without fingerprints the floor is known where the model has exactly one. */
function floorOf(floors: readonly Floor[], storey: Storey | undefined): Indoor {
  if (storey === undefined) return floors.length === 1 ? indoorOn(floors[0].index, floors[0]) : {};
  const { floor: index, floorProbability, where } = storey;
  if (floorProbability < SHARE_MIN) return {};
  const floor = floors.find(each => each.index === index);
  const room = floor && roomAt(floor.rooms, index, where);
  return { ...indoorOn(index, floor), ...(room !== undefined && { room: room.name }) };
}

function indoorOn(floorIndex: number, floor: Floor | undefined): Indoor {
  return { floorIndex, ...(floor !== undefined && floor.label !== '' && { floorLabel: floor.label }) };
}
