// A building as an import gathers it: its footprint first, then whatever the files say of its floors, in any order.

import { EARTH_RADIUS_METRES, RADIANS_PER_DEGREE } from '../../../../wasm/earth_constants.ts';
import { type Box, boxOf } from '../../../geo/box.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import { assembleRings } from '../../../geocoding/import/osm/rings.ts';
import type { Building, BuildingModel, Floor, Rings } from '../../tables/buildings/building.ts';

/** Wider than any building; more is a mistake of units, or a footprint across the antimeridian. */
const EXTENT_METRES_MAX = 10_000;
const METRES_PER_UNIT = (EARTH_RADIUS_METRES * RADIANS_PER_DEGREE) / UNITS_PER_DEGREE;
/** The number of a room has 16 bits. */
const ROOMS_MAX = 65_535;

interface FloorDraft {
  label: string;
  outline: Int32Array[];
  rooms: { name: string; outline: Rings }[];
  walls: number[];
  doors: number[];
  stairs: number[];
}

/**
 * One building being gathered. Its methods throw Errors whose messages are the end of a sentence, without a full stop.
 */
export class BuildingDraft {
  readonly about: Omit<Building, 'outline'>;
  private readonly footprint: Int32Array[] = [];
  private readonly floors = new Map<number, FloorDraft>();
  private readonly box: Box;

  /** @param footprint its first rings */
  constructor(about: BuildingDraft['about'], footprint: Rings) {
    this.about = about;
    this.footprint.push(...footprint);
    this.box = boxOf(footprint);
    this.checkExtent();
  }

  /** Adds another part of the footprint. */
  addFootprint(rings: Rings): void {
    this.footprint.push(...rings);
    Object.assign(this.box, boxOf(this.footprint));
    this.checkExtent();
  }

  /** Names a floor. @param label empty = says nothing */
  setLabel(index: number, label: string): void {
    const floor = this.floor(index);
    if (label === '' || floor.label === label) return;
    if (floor.label !== '')
      throw new Error(
        `floor ${index} of its building has the label "${floor.label}" and cannot have "${label}" as well`,
      );
    floor.label = label;
  }

  addOutline(index: number, rings: Rings): void {
    this.checkPlace(rings);
    this.floor(index).outline.push(...rings);
  }

  addRoom(index: number, name: string, outline: Rings): void {
    this.checkPlace(outline);
    const { rooms } = this.floor(index);
    if (rooms.length === ROOMS_MAX) throw new Error(`floor ${index} of its building has more than ${ROOMS_MAX} rooms`);
    rooms.push({ name, outline });
  }

  /** @param kind what the lines are; a door, stairs or a lift may be a single point */
  addLines(index: number, kind: 'walls' | 'doors' | 'stairs', lines: readonly Int32Array[]): void {
    this.checkPlace(lines);
    const segments = this.floor(index)[kind];
    for (const line of lines) {
      if (line.length === 2) segments.push(line[0], line[1], line[0], line[1]);
      for (let i = 2; i < line.length; i += 2) segments.push(line[i - 2], line[i - 1], line[i], line[i + 1]);
    }
  }

  /** The building, with its floors from the lowest to the highest. */
  finish(): BuildingModel {
    const floors = [...this.floors]
      .sort(([a], [b]) => a - b)
      .map(([index, draft]): Floor => {
        const { label, rooms } = draft;
        const [walls, doors, stairs] = [draft.walls, draft.doors, draft.stairs].map(segments =>
          Int32Array.from(segments),
        );
        return { index, label, rooms, outline: joined(draft.outline), walls, doors, stairs };
      });
    return { building: { ...this.about, outline: joined(this.footprint) }, floors };
  }

  private floor(index: number): FloorDraft {
    const known = this.floors.get(index);
    if (known !== undefined) return known;
    const floor: FloorDraft = { label: '', outline: [], rooms: [], walls: [], doors: [], stairs: [] };
    this.floors.set(index, floor);
    return floor;
  }

  private checkExtent(): void {
    const { west, south, east, north } = this.box;
    const scale = Math.cos(((south + north) / 2 / UNITS_PER_DEGREE) * RADIANS_PER_DEGREE);
    const metres = Math.max(north - south, (east - west) * scale) * METRES_PER_UNIT;
    if (metres > EXTENT_METRES_MAX)
      throw new Error(
        `its building would be ${Math.round(metres / 1_000)} km wide, and at most ${EXTENT_METRES_MAX / 1_000} ` +
          `km are taken`,
      );
  }

  /** What belongs to a building meets its box: latitude and longitude are easily swapped. */
  private checkPlace(lines: readonly Int32Array[]): void {
    const { west, south, east, north } = boxOf(lines);
    const { box } = this;
    if (west > box.east || east < box.west || south > box.north || north < box.south)
      throw new Error('it lies outside of its building');
  }
}

/** Parts that share sides become one, and rings run the way they should. */
function joined(rings: readonly Int32Array[]): Rings {
  if (rings.length === 0) return [];
  const joined = assembleRings(rings);
  if (typeof joined === 'string') throw new Error('its parts cover each other');
  return joined;
}
