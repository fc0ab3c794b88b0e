// Buildings as imports bring them: a footprint, and floors with rooms, walls, doors and stairs.
//
// Coordinates are pairs in units (geo/units.ts), longitude first. A ring is closed, its last point repeats its first,
// and it meets no point twice. A point is inside where an odd number of rings contain it. Rings around an area run
// counter-clockwise and holes clockwise, so that signed sums over them add up.

import { must, or, type RecordOf, record, text } from '../../../tables/environment/record.ts';
import { number, rings, segments } from './building_record.ts';

/** Closed rings. */
export type Rings = readonly Int32Array[];

const NO_RINGS: Rings = [];
const NO_SEGMENTS = new Int32Array();

/** The record of a building as a whole. */
export const BUILDING = record('building', {
  modelId: or(0, number, undefined, 'Number of its model, whole.'),
  buildingId: or(1, number, undefined, 'Its own number, whole.'),
  name: or(2, text, '', 'What it is called; empty = it has no name.'),
  outline: must(3, rings, 'Its footprint, ring after ring.'),
});

/** The record of a room, or of any other part of a floor that has a name. */
export const ROOM = record('room', {
  name: must(0, text, 'What it is called.'),
  outline: must(1, rings, 'Ring after ring.'),
});

/** The record of a floor, without its index and its rooms. */
export const FLOOR = record('floor', {
  label: or(0, text, '', 'What stands in the lift: `G`, `Mezzanine`; empty = nothing.'),
  outline: or(1, rings, NO_RINGS, 'Ring after ring; empty = that of the building.'),
  walls: or(2, segments, NO_SEGMENTS, 'What nobody walks through.'),
  doors: or(3, segments, NO_SEGMENTS, 'Where a wall can be passed; a door that is a point begins and ends there.'),
  stairs: or(
    4,
    segments,
    NO_SEGMENTS,
    'Outlines of stairs, escalators, ramps and lifts, by which one leaves the floor; one that is a point begins and ' +
      'ends there.',
  ),
});

/** What is known of a building as a whole. */
export type Building = RecordOf<typeof BUILDING.fields>;
/** A room, or any other part of a floor that has a name. */
export type Room = RecordOf<typeof ROOM.fields>;
/** A floor without its rooms. */
export type FloorPlan = RecordOf<typeof FLOOR.fields>;

/** One floor of a building. */
export interface Floor extends FloorPlan {
  /** 0 is the ground level; FLOOR_INDEX_MIN..FLOOR_INDEX_MAX. */
  index: number;
  rooms: readonly Room[];
}

/** A building with its floors, no two of one index. */
export interface BuildingModel {
  building: Building;
  floors: readonly Floor[];
}
