// Means of positions. The positions of one mean lie within one network's reach of each other, so degrees are averaged as they are, away from the antimeridian.

/** A position, degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** A sum of positions, each times its weight. */
export class PositionSum {
  private latitude = 0;
  private longitude = 0;
  private weight = 0;

  add(position: Position, weight: number): void {
    this.latitude += weight * position.latitude;
    this.longitude += weight * position.longitude;
    this.weight += weight;
  }

  /** The weighted mean; not a number where nothing was added. */
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
