// Lines in the plane of degrees. A degree of longitude counts as much as one of latitude, as in the rules of
// OpenStreetMap's geocoder. Coordinates are pairs, longitude first, in any unit.

type Coordinates = ArrayLike<number>;

/** The point of a line nearest to a query point. */
export interface NearPoint {
  /** Squared distance, units. */
  square: number;
  /** Units; longitude may be beyond an end of the plane. */
  x: number;
  y: number;
  /** Its segment, by the point at which that begins, and how far along it is, 0..1. */
  point: number;
  share: number;
}

/**
 * Finds the nearest point on the segments between two points of a line, or the point itself if they are one. @param
 * near takes the result
 */
export function measure(
  coordinates: Int32Array,
  first: number,
  last: number,
  x: number,
  y: number,
  near: NearPoint,
): void {
  let nearest = Number.POSITIVE_INFINITY;
  let point = first;
  do {
    const dx = coordinates[2 * point] - x;
    const dy = coordinates[2 * point + 1] - y;
    const next = Math.min(point + 1, last);
    const alongX = coordinates[2 * next] - x - dx;
    const alongY = coordinates[2 * next + 1] - y - dy;
    const share = shareNearest(dx, dy, alongX, alongY);
    const nearX = dx + share * alongX;
    const nearY = dy + share * alongY;
    const square = nearX * nearX + nearY * nearY;
    if (square < nearest) {
      nearest = square;
      near.square = square;
      near.x = x + nearX;
      near.y = y + nearY;
      near.point = point;
      near.share = share;
    }
    point++;
  } while (point < last);
}

/**
 * How far along a segment the point nearest to the origin is.
 * @param dx, dy where the segment begins
 * @param alongX, alongY vector from there to its end
 * @returns 0..1; 0 for a segment without length
 */
export function shareNearest(dx: number, dy: number, alongX: number, alongY: number): number {
  const square = alongX * alongX + alongY * alongY;
  return square === 0 ? 0 : Math.min(1, Math.max(0, -(dx * alongX + dy * alongY) / square));
}

/** Distances along a line from its start to each of its points. */
export function lengthsOf(coordinates: Coordinates): Float64Array {
  const lengths = new Float64Array(coordinates.length / 2);
  for (let i = 1; i < lengths.length; i++) lengths[i] = lengths[i - 1] + sideLength(coordinates, 2 * i - 2);
  return lengths;
}

/**
 * The part of a line between two fractions of its length, 0..1. Equal fractions give one point.
 * @returns pairs, rounded to whole units
 */
export function cutLine(coordinates: Coordinates, from: number, to: number): Int32Array {
  const lengths = lengthsOf(coordinates);
  const length = lengths[lengths.length - 1];
  const end = coordinates.length - 2;
  const cut = [...pointAlong(coordinates, 0, end, from * length)];
  if (to > from) {
    for (let i = 0; i < lengths.length; i++) {
      if (lengths[i] > from * length && lengths[i] < to * length) cut.push(coordinates[2 * i], coordinates[2 * i + 1]);
    }
    cut.push(...pointAlong(coordinates, 0, end, to * length));
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

/** Length of a line between two of its points. @param start, end index of the first number of each */
export function lengthOf(coordinates: Coordinates, start: number, end: number): number {
  let length = 0;
  for (let i = start; i < end; i += 2) length += sideLength(coordinates, i);
  return length;
}

/**
 * The point at a distance along a part of a line.
 * @param start, end index of the first number of its first and last point, which may be the same
 * @returns the last point if the part is shorter
 */
export function pointAlong(
  coordinates: Coordinates,
  start: number,
  end: number,
  distance: number,
): [x: number, y: number] {
  let left = distance;
  for (let i = start; i < end; i += 2) {
    const length = sideLength(coordinates, i);
    if (length > 0 && left <= length) {
      const share = left / length;
      return [
        coordinates[i] + share * (coordinates[i + 2] - coordinates[i]),
        coordinates[i + 1] + share * (coordinates[i + 3] - coordinates[i + 1]),
      ];
    }
    left -= length;
  }
  return [coordinates[end], coordinates[end + 1]];
}

/** Length of the side that begins at `i`. */
function sideLength(coordinates: Coordinates, i: number): number {
  const dx = coordinates[i + 2] - coordinates[i];
  const dy = coordinates[i + 3] - coordinates[i + 1];
  return Math.sqrt(dx * dx + dy * dy);
}

/**
 * The points of a line or ring that a simpler one keeps: none of the others is farther from it than the tolerance
 * (Douglas and Peucker, 1973).
 * @param least points that are kept in any case, of a ring four
 * @returns 1 for each point that is kept
 */
export function keptPoints(line: Coordinates, tolerance: number, least = 2): Uint8Array {
  const count = line.length / 2;
  const kept = new Uint8Array(count);
  kept[0] = 1;
  kept[count - 1] = 1;
  const open = [0, count - 1];
  let left = least - 2;
  while (open.length > 0) {
    const last = open.pop()!;
    const first = open.pop()!;
    const farthest = farthestOf(line, first, last, left > 0 ? -1 : tolerance * tolerance);
    if (farthest < 0) continue;
    left--;
    kept[farthest] = 1;
    open.push(first, farthest, farthest, last);
  }
  return kept;
}

/** The point between two others that is farthest from the line through them, or -1 if all are near. */
function farthestOf(line: Coordinates, first: number, last: number, nearSquare: number): number {
  const [x, y] = [line[2 * first], line[2 * first + 1]];
  const [dx, dy] = [line[2 * last] - x, line[2 * last + 1] - y];
  const lengthSquare = dx * dx + dy * dy;
  let farthest = -1;
  let most = nearSquare;
  for (let i = first + 1; i < last; i++) {
    const [east, south] = [line[2 * i] - x, line[2 * i + 1] - y];
    // The two ends of a ring are one point.
    const along = lengthSquare === 0 ? 0 : Math.min(1, Math.max(0, (east * dx + south * dy) / lengthSquare));
    const square = (east - along * dx) ** 2 + (south - along * dy) ** 2;
    if (square <= most) continue;
    most = square;
    farthest = i;
  }
  return farthest;
}
