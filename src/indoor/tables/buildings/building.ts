// Buildings as imports bring them: a footprint, and floors with rooms, walls, doors and stairs.
//
// Coordinates are pairs in units (geo/units.ts), longitude first. A ring is closed, its last point repeats its first,
// and it meets no point twice. A point is inside where an odd number of rings contain it. Rings around an area run
// counter-clockwise and holes clockwise, so that signed sums over them add up.

/** Closed rings. */
export type Rings = readonly Int32Array[];

/** What is known of a building as a whole. */
export interface Building {
  /** Number of its model, 0..2^53-1. */
  modelId: number | undefined;
  /** Its own number, 0..2^53-1. */
  buildingId: number | undefined;
  /** Empty = none. */
  name: string;
  /** Its footprint, at least one ring. */
  outline: Rings;
}

/** A room, or any other part of a floor that has a name. */
export interface Room {
  name: string;
  /** At least one ring. */
  outline: Rings;
}

/** A floor without its rooms. */
export interface FloorPlan {
  /** What stands in the lift: `G`, `Mezzanine`. Empty = none. */
  label: string;
  /** Empty where it is that of the building. */
  outline: Rings;
  /** Segments that nobody walks through: four numbers each, from and to. */
  walls: Int32Array;
  /** Segments at which a wall can be passed; a door that is a point begins and ends there. */
  doors: Int32Array;
  /**
   * Outlines of stairs, escalators, ramps and lifts, by which one leaves the floor, as segments; one that is a point
   * begins and ends there.
   */
  stairs: Int32Array;
}

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
