// Scans in buildings, with what is true of them.

import type { Scan } from '../evaluation/scan.ts';

/** Name of the room that is between the shops of a floor. */
export const CONCOURSE = 'Concourse';

/** A scan at a known point of a known floor. */
export interface IndoorScan extends Scan {
  /** Name of the building. */
  building: string;
  /** Floor index; 0 is ground level. */
  floor: number;
  /** Name of the room; undefined where there is no plan. */
  room: string | undefined;
}

/** A walk: its scans in their order, and the walker's steps. */
export interface Walk {
  id: string;
  scans: readonly IndoorScan[];
  /** Time of each step in milliseconds since 1970, and its heading in radians from north, clockwise. */
  steps: readonly (readonly [timeMs: number, headingRadians: number])[];
}
