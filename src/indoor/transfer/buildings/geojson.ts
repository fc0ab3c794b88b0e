// Reads building models in plain GeoJSON, in the words of the interface. What a feature is follows from its geometry
// and its properties:
//
//   footprint a polygon with neither `floorIndex` nor `room`; names its building by `buildingModelId`, `buildingId` or
//   `building`, or several of them
//   floor       a polygon with `floorIndex`
//   room        a polygon with `floorIndex` and `room`
//   wall        a line with `floorIndex` and `wall`
//   door        a line or a point with `floorIndex` and `door`
//   stairs      a polygon, a line or a point with `floorIndex` and `stairs`: stairs, an escalator, a ramp or a lift
//
// What belongs to a floor names its building by any of the three, or by none where all files together hold only one.
// `floorLabel` may stand on any feature of a floor. Other properties mean nothing.

import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../../../geo/floor.ts';
import { BuildingDraft } from './building_draft.ts';
import { forEachFeature, type GeoJsonFeature, isArea, linesOf, readFeatures, ringsOf, shown } from './geometry.ts';

const TEXT_CHARACTERS_MAX = 200;
const PRINTABLE = /^\P{Cc}+$/u;

/** How a feature names its building; what it does not say is undefined. */
interface Naming {
  buildingModelId: number | undefined;
  buildingId: number | undefined;
  building: string | undefined;
}

/** A file of features. */
interface GeoJsonFile {
  /** As in messages. */
  name: string;
  text: string;
}

/**
 * Reads the buildings of files that belong together: footprints may stand in one and floors in another.
 * @param onFeatures called with the number of features read so far
 * @throws Error that names file, feature and property
 */
export function readGeoJson(files: readonly GeoJsonFile[], onFeatures: (done: number) => void): BuildingDraft[] {
  const collections = files.map(({ name, text }) => ({ name, features: readFeatures(name, text) }));
  const buildings = new NamedBuildings();
  let done = 0;
  // Footprints first: a floor may stand before its building.
  for (const isFootprint of [true, false]) {
    for (const { name, features } of collections) {
      forEachFeature(name, features, feature => {
        if (isFootprintOf(feature) !== isFootprint) return;
        if (isFootprint) buildings.addFootprint(feature);
        else addPart(buildings.find(namingOf(feature)), feature);
        onFeatures(++done);
      });
    }
  }
  return buildings.drafts();
}

class NamedBuildings {
  private readonly known: { naming: Naming; draft: BuildingDraft }[] = [];

  addFootprint(feature: GeoJsonFeature): void {
    const naming = namingOf(feature);
    if (isNameless(naming))
      throw new Error(
        'properties must hold buildingModelId, buildingId or building, or, if it is part of a floor, floorIndex',
      );
    const rings = ringsOf(feature.geometry);
    const same = this.known.find(other => isSame(other.naming, naming));
    if (same !== undefined) {
      same.draft.addFootprint(rings);
      return;
    }
    const about = { modelId: naming.buildingModelId, buildingId: naming.buildingId, name: naming.building ?? '' };
    this.known.push({ naming, draft: new BuildingDraft(about, rings) });
  }

  /** The building that a feature names. */
  find(naming: Naming): BuildingDraft {
    const found = this.known.filter(other => fits(other.naming, naming));
    if (found.length === 1) return found[0].draft;
    const named = isNameless(naming)
      ? 'properties names no building'
      : `properties names the building ${shown(naming)}`;
    if (found.length === 0) throw new Error(`${named}, and there is no footprint of it: a polygon without floorIndex`);
    throw new Error(`${named}, and there are ${found.length} that it could be`);
  }

  drafts(): BuildingDraft[] {
    return this.known.map(({ draft }) => draft);
  }
}

function addPart(draft: BuildingDraft, { geometry, properties }: GeoJsonFeature): void {
  const index = wholeOf(properties, 'floorIndex', FLOOR_INDEX_MIN, FLOOR_INDEX_MAX);
  if (index === undefined) throw new Error('properties.floorIndex is missing');
  const room = textOf(properties, 'room');
  const isWall = flagOf(properties, 'wall');
  const isDoor = flagOf(properties, 'door');
  const isStairs = flagOf(properties, 'stairs');
  if (Number(room !== undefined) + Number(isWall) + Number(isDoor) + Number(isStairs) > 1)
    throw new Error('properties holds more than one of room, wall, door and stairs');
  draft.setLabel(index, textOf(properties, 'floorLabel') ?? '');
  if (isWall) draft.addLines(index, 'walls', linesOf(geometry, false));
  else if (isDoor) draft.addLines(index, 'doors', linesOf(geometry, true));
  else if (isStairs) draft.addLines(index, 'stairs', isArea(geometry) ? ringsOf(geometry) : linesOf(geometry, true));
  else if (room !== undefined) draft.addRoom(index, room, ringsOf(geometry));
  else draft.addOutline(index, ringsOf(geometry));
}

/** A footprint has no property of a floor. Anything that has one must be complete. */
function isFootprintOf({ properties }: GeoJsonFeature): boolean {
  return !['floorIndex', 'floorLabel', 'room', 'wall', 'door', 'stairs'].some(
    member => (properties?.[member] ?? undefined) !== undefined,
  );
}

function namingOf({ properties }: GeoJsonFeature): Naming {
  return {
    buildingModelId: wholeOf(properties, 'buildingModelId', 0, Number.MAX_SAFE_INTEGER),
    buildingId: wholeOf(properties, 'buildingId', 0, Number.MAX_SAFE_INTEGER),
    building: textOf(properties, 'building'),
  };
}

function isNameless({ buildingModelId, buildingId, building }: Naming): boolean {
  return buildingModelId === undefined && buildingId === undefined && building === undefined;
}

function isSame(a: Naming, b: Naming): boolean {
  return a.buildingModelId === b.buildingModelId && a.buildingId === b.buildingId && a.building === b.building;
}

/** True if what the feature says is what the building has. */
function fits(building: Naming, feature: Naming): boolean {
  return (Object.keys(feature) as (keyof Naming)[]).every(
    member => feature[member] === undefined || feature[member] === building[member],
  );
}

type Properties = GeoJsonFeature['properties'];

/** A whole number, or its digits as text, which some programs write. */
function wholeOf(properties: Properties, member: string, least: number, most: number): number | undefined {
  const value = properties?.[member] ?? undefined;
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(number) || (number as number) < least || (number as number) > most)
    throw new Error(
      `properties.${member} must be a whole number from ${least} to ${most}, not ${shown(value)}; leave it out ` +
        `where it is not known`,
    );
  return number as number;
}

/** A text, or a number: rooms are often called 101. */
function textOf(properties: Properties, member: string): string | undefined {
  const value = properties?.[member] ?? undefined;
  if (value === undefined) return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !PRINTABLE.test(text) || text.length > TEXT_CHARACTERS_MAX)
    throw new Error(
      `properties.${member} must be a text of 1 to ${TEXT_CHARACTERS_MAX} printable characters, not ${shown(value)}`,
    );
  return text;
}

function flagOf(properties: Properties, member: string): boolean {
  const value = properties?.[member] ?? false;
  if (value === true || value === 1) return true;
  if (value === false || value === 0) return false;
  throw new Error(`properties.${member} must be true or false, not ${shown(value)}`);
}
