// House numbers along a line, of which only some are on the map.
//
// A way tagged `addr:interpolation` says that the numbers between those of its nodes are spread along it. It is split
// at the numbered nodes. Each section is cut to the numbers strictly between its ends, because the ends are on the map
// themselves.

import { cutLine, lengthsOf, reverseLine } from '../../../geo/line.ts';
import type { HouseRange } from '../../../tables/places/place.ts';

/** A node of the way with a number. */
export interface NumberedNode {
  /** Index of the node in the way. */
  index: number;
  number: number;
}

/** A stretch of the way with numbers of its own. */
export interface Section {
  range: HouseRange;
  /** Pairs, longitude first; a single pair if the range is one number. */
  coordinates: Int32Array;
  /** The nodes at its ends, in the order of the way. */
  first: NumberedNode;
  last: NumberedNode;
}

const NUMBER = /^\d{1,6}$/;
const STEP = /^[1-9]$/;

/** A house number as a number; undefined unless it is plain digits, at most six. */
export function plainNumberOf(houseNumber: string): number | undefined {
  return NUMBER.test(houseNumber) ? Number(houseNumber) : undefined;
}

/** The step between the numbers of an interpolation; undefined if they cannot be counted, as for `alphabetic`. */
export function stepOf(interpolation: string): number | undefined {
  if (interpolation === 'odd' || interpolation === 'even') return 2;
  if (interpolation === 'all') return 1;
  return STEP.test(interpolation) ? Number(interpolation) : undefined;
}

/**
 * The sections of a way.
 * @param interpolation value of `addr:interpolation`
 * @param coordinates of the way, units
 * @param nodes in the order of the way; a line that returns to one of its points is used up to there
 */
export function sectionsOf(interpolation: string, coordinates: Int32Array, nodes: readonly NumberedNode[]): Section[] {
  const step = stepOf(interpolation);
  if (step === undefined) return [];
  const end = firstReturn(coordinates);
  const sections: Section[] = [];
  for (let i = 1; i < nodes.length && nodes[i].index < end; i++) {
    const first = nodes[i - 1];
    const last = nodes[i];
    const isDownwards = first.number > last.number;
    const low = Math.min(first.number, last.number);
    const high = Math.max(first.number, last.number);
    if (high - low <= step) continue;
    const stretch = coordinates.subarray(2 * first.index, 2 * last.index + 2);
    const lengths = lengthsOf(stretch);
    const start = firstInner(interpolation, low, step);
    if (start >= high || lengths[lengths.length - 1] === 0) continue;
    const endNumber = start + Math.floor((high - 1 - start) / step) * step;
    sections.push({
      range: { start, end: endNumber, step },
      coordinates: cutLine(
        isDownwards ? reverseLine(stretch) : stretch,
        (start - low) / (high - low),
        (endNumber - low) / (high - low),
      ),
      first,
      last,
    });
  }
  return sections;
}

/** The first number above the lower end: the next odd or even one, or the next at all. */
function firstInner(interpolation: string, low: number, step: number): number {
  const isOfParity = interpolation === 'odd' ? low % 2 === 1 : interpolation === 'even' ? low % 2 === 0 : true;
  return isOfParity ? low + step : low + 1;
}

/** The first point at which a line returns to an earlier one; its number of points if it never does. */
function firstReturn(coordinates: Int32Array): number {
  const seen = new Set<string>();
  for (let i = 0; i < coordinates.length; i += 2) {
    const point = `${coordinates[i]},${coordinates[i + 1]}`;
    if (seen.has(point)) return i / 2;
    seen.add(point);
  }
  return coordinates.length / 2;
}
