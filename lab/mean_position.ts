// Means of positions. All positions of a mean are within the range of one station and away from the antimeridian, so
// degrees are averaged directly.

import type { Position } from './evaluation/scan.ts';

/** A weighted sum of positions. */
export class PositionSum {
  private latitude = 0;
  private longitude = 0;
  private weight = 0;

  add(position: Position, weight: number): void {
    this.latitude += weight * position.latitude;
    this.longitude += weight * position.longitude;
    this.weight += weight;
  }

  /** The weighted mean; NaN if nothing was added. */
  mean(): Position {
    return { latitude: this.latitude / this.weight, longitude: this.longitude / this.weight };
  }
}

/** The weighted mean of positions. */
export function meanPosition<T extends Position>(positions: readonly T[], weightOf: (position: T) => number): Position {
  const sum = new PositionSum();
  for (const position of positions) sum.add(position, weightOf(position));
  return sum.mean();
}
