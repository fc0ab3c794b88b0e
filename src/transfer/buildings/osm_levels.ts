// Reads the tag `level` of OpenStreetMap: `0`, `-1`, `0;1`, `0-2`, `-2--1`, and lists of these. 0 is the ground level,
// as in the interface. Levels between two floors, such as `0.5`, are no floors.

import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../../tables/buildings/building.ts';

const SPAN = /^(-?\d{1,3})(?:\s*-\s*(-?\d{1,3}))?$/;

/** The floors that a level names, each once; none where it is no level, or there is none. */
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
