// Means of places. The places of one mean lie within one network's reach of each other, so degrees are averaged as they are, away from the antimeridian.

/** A place, degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}

/** A sum of places, each times its weight. */
export class PlaceSum {
  private latitude = 0;
  private longitude = 0;
  private weight = 0;

  add(place: Place, weight: number): void {
    this.latitude += weight * place.latitude;
    this.longitude += weight * place.longitude;
    this.weight += weight;
  }

  /** The weighted mean; not a number where nothing was added. */
  mean(): Place {
    return { latitude: this.latitude / this.weight, longitude: this.longitude / this.weight };
  }
}

/** The weighted mean of places. */
export function meanPlace<T extends Place>(places: readonly T[], weightOf: (place: T) => number): Place {
  const sum = new PlaceSum();
  for (const place of places) sum.add(place, weightOf(place));
  return sum.mean();
}
