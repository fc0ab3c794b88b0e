// Rings in the plane of longitude and latitude, both in ten-millionths of a degree: their area, what is inside of them, and which lies in which.

/** Half-open in latitude, so that a line through a corner crosses one of the two sides that meet there. */
function crosses(ring: Int32Array, i: number, latitude: number): boolean {
  return ring[i + 1] > latitude !== ring[i + 3] > latitude;
}

/** Longitude at which the side from corner `i` crosses a latitude. */
function crossing(ring: Int32Array, i: number, latitude: number): number {
  return ring[i] + ((latitude - ring[i + 1]) / (ring[i + 3] - ring[i + 1])) * (ring[i + 2] - ring[i]);
}

/** Square units; above zero for a ring that runs counter-clockwise. */
export function signedArea(ring: Int32Array): number {
  const west = ring[0];
  const south = ring[1];
  let twice = 0;
  // From the first corner, as the products of whole coordinates would not be exact.
  for (let i = 0; i + 3 < ring.length; i += 2) {
    twice += (ring[i] - west) * (ring[i + 3] - south) - (ring[i + 2] - west) * (ring[i + 1] - south);
  }
  return twice / 2;
}

/** Longitudes at which the rings cross a latitude, from west to east: inside is between the first and the second, the third and the fourth … */
export function crossingsOf(rings: readonly Int32Array[], latitude: number): number[] {
  const longitudes: number[] = [];
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) if (crosses(ring, i, latitude)) longitudes.push(crossing(ring, i, latitude));
  }
  return longitudes.sort((a, b) => a - b);
}

/** True for a point inside of an odd number of rings. */
export function isInside(rings: readonly Int32Array[], longitude: number, latitude: number): boolean {
  let isIn = false;
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      if (crosses(ring, i, latitude) && longitude < crossing(ring, i, latitude)) isIn = !isIn;
    }
  }
  return isIn;
}

/** For each ring, inside of how many others it lies. Rings may touch each other but share no side. */
export function depthsOf(rings: readonly Int32Array[]): number[] {
  if (rings.length === 1) return [0];
  const boxes = rings.map(boxOf);
  return rings.map((ring, number) => {
    const [longitude, latitude] = pointOnLongestSide(ring);
    let depth = 0;
    for (const [other, [west, south, east, north]] of boxes.entries()) {
      if (other === number || longitude < west || longitude > east || latitude < south || latitude > north) continue;
      if (isInside([rings[other]], longitude, latitude)) depth++;
    }
    return depth;
  });
}

/** West, south, east, north. */
export function boxOf(ring: Int32Array): [number, number, number, number] {
  let [west, south, east, north] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < ring.length; i += 2) {
    west = Math.min(west, ring[i]);
    east = Math.max(east, ring[i]);
    south = Math.min(south, ring[i + 1]);
    north = Math.max(north, ring[i + 1]);
  }
  return [west, south, east, north];
}

/** Corners may lie on other rings; the middle of a side does not. */
function pointOnLongestSide(ring: Int32Array): [number, number] {
  let longest = -1;
  let point: [number, number] = [ring[0], ring[1]];
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const length = Math.hypot(ring[i + 2] - ring[i], ring[i + 3] - ring[i + 1]);
    if (length <= longest) continue;
    longest = length;
    point = [(ring[i] + ring[i + 2]) / 2, (ring[i + 1] + ring[i + 3]) / 2];
  }
  return point;
}
