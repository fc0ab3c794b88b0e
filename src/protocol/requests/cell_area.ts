// A question for the cells of an area, which only keys with the setting `cells` may ask, and what is told of each.

import type { Box } from '../../geo/box.ts';

/** Which cells are asked for. Members that are absent leave all. */
export interface CellArea {
  /** Degrees. */
  box: Box;
  /** KIND_* of the radio type. */
  kind?: number | undefined;
  mcc?: number | undefined;
  /** Network code; of cdma the system. */
  mnc?: number | undefined;
  /** Area code; of cdma the network. */
  area?: number | undefined;
  /** How many are left out before the first. */
  offset: number;
  /** Most that are told; 0 for their number alone. */
  limit: number;
}

/** A cell of an area. */
export interface CellInArea {
  /** KIND_* of its radio type. */
  kind: number;
  /** -1 for cdma. */
  mcc: number;
  mnc: number;
  /** AREA_NONE where it is not known. */
  area: number;
  cell: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Radius that holds 95 % of those who hear it. */
  r95Metres: number;
  samples: number;
}

/** The cells of an area. */
export interface CellsInArea {
  /** How many there are. */
  total: number;
  cells: readonly CellInArea[];
}
