// Reads building models from OpenStreetMap extracts with Simple Indoor Tagging
// (wiki.openstreetmap.org/wiki/Simple_Indoor_Tagging):
//
//   building=* a footprint: a closed way or a multipolygon; only buildings with something of a floor in them are taken
//   indoor=level                  the outline of a floor; `level:ref` or `name` is its label
//   indoor=room|corridor|area     a room, where it has a `name` or a `ref`
//   indoor=wall                   a wall: a way, closed or not
//   door=*, entrance=*            a door, at a node; an entrance without `level` is on the ground
//   stairs=yes, room=stairs|elevator, highway=steps|elevator
//                                 stairs, escalators and lifts: a node, a way or an area; those of a room are one as
//                                 well
//
// `level` says on which floors an object is, and may be a list or a range; `repeat_on` adds others; without `level`,
// `min_level` and `max_level` span them. What lies in no building, or on no floor, is counted and left out: maps have
// mistakes.

import { type Box, boxOf, isInBox } from '../../../geo/box.ts';
import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../../../geo/floor.ts';
import { planeUnitsOf } from '../../../geo/plane.ts';
import { isInside } from '../../../geo/rings.ts';
import type {
  FeatureClass,
  OsmFeature,
  OsmFeatures,
  OsmProgress,
  SkippedObject,
  Tags,
} from '../../../geocoding/import/osm/features.ts';
import { readOsm } from '../../../geocoding/import/osm/read.ts';
import { assembleRings } from '../../../geocoding/import/osm/rings.ts';
import { OSM_NODE, type OsmType } from '../../../tables/places/place.ts';
import type { Rings } from '../../tables/buildings/building.ts';
import { BuildingDraft } from './building_draft.ts';

/**
 * Footprints, walls, and whatever else belongs to a floor; the classes decide in which shape the reader gives an
 * object.
 */
const FOOTPRINT: FeatureClass = 'area';
const WALL: FeatureClass = 'road';
const PART: FeatureClass = 'house';
const ROOMS = ['room', 'corridor', 'area'];
const STAIRS_ROOMS = ['stairs', 'elevator'];
const STAIRS_WAYS = ['steps', 'elevator'];
const TEXT_CHARACTERS_MAX = 200;

/** What was read. */
export interface OsmBuildings {
  drafts: BuildingDraft[];
  skipped: SkippedObject[];
}

/** Something of a floor. */
interface Part {
  feature: OsmFeature;
  floors: number[];
  /** A point of it, units. */
  x: number;
  y: number;
}

interface Footprint {
  feature: OsmFeature;
  rings: Rings;
  box: Box;
  draft: BuildingDraft;
}

/** Notes an object that cannot be used. */
type Skip = (feature: OsmFeature, reason: string) => void;

/**
 * Reads the buildings of extracts.
 * @param scratchFolder an existing folder for scratch files
 * @throws Error that names the file when it cannot be read
 */
export async function readOsmBuildings(
  files: readonly string[],
  scratchFolder: string,
  onProgress: (progress: OsmProgress) => void,
): Promise<OsmBuildings> {
  const features = await readOsm({ files, scratchFolder, wants, onProgress });
  try {
    return placeParts(features);
  } finally {
    features.close();
  }
}

function wants(type: OsmType, tags: Tags, isClosed: boolean): FeatureClass | undefined {
  if (type === OSM_NODE) return isDoor(tags) || isStairs(tags) ? PART : undefined;
  if (tags.indoor === 'wall' || (isStairs(tags) && !isClosed)) return WALL;
  if (!isClosed) return undefined;
  if (tags.indoor === 'level' || ROOMS.includes(tags.indoor) || isStairs(tags)) return PART;
  return tags.building !== undefined && tags.building !== 'no' ? FOOTPRINT : undefined;
}

function isDoor({ door, entrance }: Tags): boolean {
  return (door !== undefined && door !== 'no') || (entrance !== undefined && entrance !== 'no');
}

/** Stairs outside are none: all of these need a floor. */
function isStairs({ stairs, room, highway, level, repeat_on, min_level }: Tags): boolean {
  if (level === undefined && repeat_on === undefined && min_level === undefined) return false;
  return stairs === 'yes' || STAIRS_ROOMS.includes(room) || STAIRS_WAYS.includes(highway);
}

function placeParts(features: OsmFeatures): OsmBuildings {
  const skipped = [...features.skipped];
  const skip = ({ type, id }: OsmFeature, reason: string): void => void skipped.push({ type, id, reason });
  const parts: Part[] = [];
  for (const featureClass of [PART, WALL]) {
    for (const feature of features.read(featureClass)) if (feature.type !== OSM_NODE) parts.push(...partOf(feature));
  }
  const footprints = readFootprints(features, parts, skip);
  const used = new Set<BuildingDraft>();
  for (const part of parts) {
    const owner = footprints.find(({ box, rings }) => isInBox(box, part.x, part.y) && isInside(rings, part.x, part.y));
    if (owner === undefined) skip(part.feature, 'It lies in no building.');
    else if (addPart(owner.draft, part, skip)) used.add(owner.draft);
  }
  const drafts = footprints.filter(({ draft }) => used.has(draft));
  // Last and one by one, because a map has many doors, and few of them in buildings with a plan.
  for (const feature of features.read(PART)) {
    if (feature.type !== OSM_NODE) continue;
    for (const part of partOf(feature)) {
      const { x, y } = part;
      const owner = drafts.find(
        ({ box, rings }) => isInBox(box, x, y) && (isInside(rings, x, y) || isCorner(rings, x, y)),
      );
      if (owner !== undefined) addPart(owner.draft, part, skip);
    }
  }
  return { drafts: drafts.filter(footprint => canFinish(footprint, skip)).map(({ draft }) => draft), skipped };
}

/** False for a building of which parts cover each other, such as a floor that is drawn twice. */
function canFinish({ draft, feature }: Footprint, skip: Skip): boolean {
  try {
    draft.finish();
    return true;
  } catch (error) {
    skip(feature, sentenceOf(error));
    return false;
  }
}

/**
 * The footprints in whose boxes there is a part, the smallest first: of buildings within one another that is the one
 * that is meant.
 */
function readFootprints(features: OsmFeatures, parts: readonly Part[], skip: Skip): Footprint[] {
  const grid = new PartGrid(parts);
  const footprints: Footprint[] = [];
  for (const feature of features.read(FOOTPRINT)) {
    if (feature.geometry.kind !== 'area' || !grid.meets(boxOf(feature.geometry.rings))) continue;
    try {
      const rings = ringsOf(feature);
      const about = { modelId: undefined, buildingId: feature.id, name: textOf(feature.tags.name) };
      footprints.push({ feature, rings, box: boxOf(rings), draft: new BuildingDraft(about, rings) });
    } catch (error) {
      skip(feature, sentenceOf(error));
    }
  }
  const size = ({ west, south, east, north }: Box): number => (east - west) * (north - south);
  return footprints.sort((a, b) => size(a.box) - size(b.box));
}

/** An object on its floors; none where it is on no floor. */
function partOf(feature: OsmFeature): Part[] {
  const { tags, type } = feature;
  const isEntrance = type === OSM_NODE && tags.entrance !== undefined;
  const stated = floorsOfTags(tags);
  const floors = stated.length === 0 && isEntrance && tags.level === undefined ? [0] : stated;
  if (floors.length === 0) return [];
  return [{ feature, floors, x: planeUnitsOf(feature.longitude), y: planeUnitsOf(feature.latitude) }];
}

/** @returns false when it could not be used */
function addPart(draft: BuildingDraft, part: Part, skip: Skip): boolean {
  try {
    for (const floor of part.floors) addToFloor(draft, floor, part);
    return true;
  } catch (error) {
    skip(part.feature, sentenceOf(error));
    return false;
  }
}

function addToFloor(draft: BuildingDraft, floor: number, { feature, x, y }: Part): void {
  const { geometry, tags } = feature;
  if (isStairs(tags)) {
    const lines =
      geometry.kind === 'point'
        ? [Int32Array.of(x, y)]
        : geometry.kind === 'line'
          ? [geometry.coordinates]
          : ringsOf(feature);
    draft.addLines(floor, 'stairs', lines);
  }
  if (geometry.kind === 'point') {
    if (isDoor(tags)) draft.addLines(floor, 'doors', [Int32Array.of(x, y)]);
  } else if (geometry.kind === 'line') {
    if (!isStairs(tags)) draft.addLines(floor, 'walls', [geometry.coordinates]);
  } else if (tags.indoor === 'level') {
    draft.setLabel(floor, textOf(tags['level:ref'] ?? tags.name));
    draft.addOutline(floor, ringsOf(feature));
  } else {
    const name = textOf(tags.name ?? tags.ref);
    if (name !== '') draft.addRoom(floor, name, ringsOf(feature));
  }
}

function ringsOf({ geometry }: OsmFeature): Rings {
  const rings = geometry.kind === 'area' ? assembleRings(geometry.rings) : [];
  if (typeof rings === 'string') throw new Error('it encloses nothing');
  return rings;
}

function isCorner(rings: Rings, x: number, y: number): boolean {
  return rings.some(ring => ring.some((value, i) => i % 2 === 0 && value === x && ring[i + 1] === y));
}

/** Names of the map may be long, and hold anything. */
function textOf(text: string | undefined): string {
  return (text ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, TEXT_CHARACTERS_MAX);
}

function sentenceOf(error: unknown): string {
  const { message } = error as Error;
  return `${message[0].toUpperCase()}${message.slice(1)}.`;
}

/** Where parts are, in cells of 2^15 units, some 365 metres: most buildings of a map have none anywhere near. */
class PartGrid {
  private readonly cells = new Map<number, Part[]>();

  constructor(parts: readonly Part[]) {
    for (const part of parts) {
      const key = this.key(part.x >> 15, part.y >> 15);
      const cell = this.cells.get(key);
      if (cell === undefined) this.cells.set(key, [part]);
      else cell.push(part);
    }
  }

  /** True if a part lies in the box. */
  meets(box: Box): boolean {
    for (let row = box.south >> 15; row <= box.north >> 15; row++) {
      for (let column = box.west >> 15; column <= box.east >> 15; column++) {
        if (this.cells.get(this.key(column, row))?.some(({ x, y }) => isInBox(box, x, y))) return true;
      }
    }
    return false;
  }

  private key(column: number, row: number): number {
    return row * 2 ** 18 + column;
  }
}

// Reads the tag `level` of OpenStreetMap: `0`, `-1`, `0;1`, `0-2`, `-2--1`, and lists of these. 0 is the ground level,
// as in the interface. Levels between two floors, such as `0.5`, are no floors.

const SPAN = /^(-?\d{1,3})(?:\s*-\s*(-?\d{1,3}))?$/;

const WHOLE = /^\s*-?\d{1,3}\s*$/;

/** The floors on which an object with these tags is, each once; none where they name none. */
export function floorsOfTags({ level, repeat_on, min_level, max_level }: Partial<Tags>): number[] {
  const isSpan = level === undefined && WHOLE.test(min_level ?? '') && WHOLE.test(max_level ?? '');
  const floors = floorsOfLevel(isSpan ? `${min_level!.trim()}-${max_level!.trim()}` : level);
  return [...new Set([...floors, ...floorsOfLevel(repeat_on)])];
}

/** The floors that a level names; none where it is no level, or there is none. */
export function floorsOfLevel(level: string | undefined): number[] {
  const floors = new Set<number>();
  for (const part of (level ?? '').split(';')) {
    const match = SPAN.exec(part.trim());
    if (match === null) continue;
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    for (let floor = Math.max(first, FLOOR_INDEX_MIN); floor <= Math.min(last, FLOOR_INDEX_MAX); floor++)
      floors.add(floor);
  }
  return [...floors];
}
