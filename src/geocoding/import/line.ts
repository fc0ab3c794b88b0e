// Lines in the plane of degrees: longitude counts as much as latitude, as the rules of OpenStreetMap's geocoder have it. Coordinates are pairs,
// longitude first, in any unit.

type Coordinates = ArrayLike<number>;

/** The square of the distance of a point to a stretch of a line. @param start, end first number of the first point and of the last one */
export function squareDistance(coordinates: Coordinates, start: number, end: number, x: number, y: number): number {
  let nearest = Infinity;
  for (let i = start; i < end; i += 2) {
    const x0 = coordinates[i];
    const y0 = coordinates[i + 1];
    const dx = coordinates[i + 2] - x0;
    const dy = coordinates[i + 3] - y0;
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / length));
    const east = x0 + share * dx - x;
    const north = y0 + share * dy - y;
    nearest = Math.min(nearest, east * east + north * north);
  }
  return nearest;
}

/** Lengths from the beginning of a line to each of its points. */
export function lengthsOf(coordinates: Coordinates): Float64Array {
  const lengths = new Float64Array(coordinates.length / 2);
  for (let i = 1; i < lengths.length; i++) {
    const dx = coordinates[2 * i] - coordinates[2 * i - 2];
    const dy = coordinates[2 * i + 1] - coordinates[2 * i - 1];
    lengths[i] = lengths[i - 1] + Math.sqrt(dx * dx + dy * dy);
  }
  return lengths;
}

/**
 * The stretch of a line between two fractions of its length, 0..1. Equal fractions give one point.
 * @returns pairs, rounded to whole units
 */
export function cutLine(coordinates: Coordinates, from: number, to: number): Int32Array {
  const lengths = lengthsOf(coordinates);
  const length = lengths[lengths.length - 1];
  const cut = [...pointAlong(coordinates, lengths, from * length)];
  if (to > from) {
    for (let i = 0; i < lengths.length; i++) {
      if (lengths[i] > from * length && lengths[i] < to * length) cut.push(coordinates[2 * i], coordinates[2 * i + 1]);
    }
    cut.push(...pointAlong(coordinates, lengths, to * length));
  }
  return Int32Array.from(cut, Math.round);
}

/** The same line from its end. */
export function reverseLine(coordinates: Coordinates): Int32Array {
  const reversed = new Int32Array(coordinates.length);
  for (let i = 0; i < coordinates.length; i += 2) {
    reversed[i] = coordinates[coordinates.length - 2 - i];
    reversed[i + 1] = coordinates[coordinates.length - 1 - i];
  }
  return reversed;
}

function pointAlong(coordinates: Coordinates, lengths: Float64Array, distance: number): [number, number] {
  let i = 1;
  while (i < lengths.length - 1 && lengths[i] < distance) i++;
  const step = lengths[i] - lengths[i - 1];
  const share = step === 0 ? 0 : Math.min(1, (distance - lengths[i - 1]) / step);
  return [
    coordinates[2 * i - 2] + share * (coordinates[2 * i] - coordinates[2 * i - 2]),
    coordinates[2 * i - 1] + share * (coordinates[2 * i + 1] - coordinates[2 * i - 1]),
  ];
}
