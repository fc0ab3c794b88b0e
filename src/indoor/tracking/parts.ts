// What a track is continued from: its components on every floor that the device may be on by now, and how many
// particles each of them gets. Most of the weight lies in few of them, since nearly nobody changes floor between two
// requests, so particles are not shared out evenly.

import { type Climbs, climbsOf } from './climb.ts';
import type { StairMap } from './stairs.ts';
import type { Component, Track } from './track.ts';

/** Components that get as many particles each, and the first of those. */
export interface Group {
  parts: readonly Component[];
  first: number;
  each: number;
}

/**
 * Particles drawn where the track is likely, shared by those components. The others, such as those after a change of
 * floor that nothing speaks for, get few.
 */
const FOLLOWING = 448;
const LIKELY = 0.01;
const EACH_UNLIKELY = 4;
const UNLIKELY_MAX = 24;

/**
 * The components of a track after the floors that the device may have changed, the heaviest first; weights of sum 1.
 * @param seconds since the track
 * @param stairs where it can, as far as that is known
 */
export function climbed(
  { components, pressureHpa }: Track,
  measuredHpa: number,
  seconds: number,
  stairs?: StairMap,
): Component[] {
  const parts: Component[] = [];
  // Most components have climbed as much as each other, and differ in nothing else that the pressure says.
  const known = new Map<number, Climbs>();
  let total = 0;
  for (const component of components) {
    const climbs = known.get(component.climb) ?? climbsOf(component.climb, measuredHpa, pressureHpa, seconds);
    known.set(component.climb, climbs);
    const { floor, east, north, sigma } = component;
    const factor = stairs?.factorAt(floor, east, north, sigma, seconds) ?? 1;
    for (const { floors, probability } of climbs.climbs) {
      const weight = component.weight * climbs.likelihood * probability * (floors === 0 ? 1 : factor);
      parts.push({ ...component, floor: component.floor + floors, climb: component.climb + floors, weight });
      total += weight;
    }
  }
  for (const part of parts) part.weight /= total;
  return parts.sort((a, b) => b.weight - a.weight);
}

/** Shares the particles out. @param parts the heaviest first */
export function groupsOf(parts: readonly Component[]): { likely: Group; unlikely: Group } {
  let count = 1;
  while (count < parts.length && parts[count].weight >= LIKELY) count++;
  const each = 4 * Math.floor(FOLLOWING / 4 / count);
  return {
    likely: { parts: parts.slice(0, count), first: 0, each },
    unlikely: { parts: parts.slice(count, count + UNLIKELY_MAX), first: count * each, each: EACH_UNLIKELY },
  };
}
