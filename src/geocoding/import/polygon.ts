// An area that is asked again and again whether it holds a point.
//
// A point is inside where a ray from it to the east crosses the rings an odd number of times. A ray meets only edges that reach its latitude, so the
// edges are sorted into bands of latitude at the first question; an edge over several bands stands in each.

/** Edges that a band should hold, about. */
const EDGES_PER_BAND = 8;
const BANDS_MAX = 4096;
/** Numbers of one edge: both ends. */
const EDGE_NUMBERS = 4;

/** The edges of each band, one band after the other. */
interface Bands {
  edges: Int32Array;
  /** First number in `edges` of each band, and the end. */
  starts: Uint32Array;
  /** Units of latitude. */
  height: number;
}

export class Polygon {
  /** Ten-millionths of a degree. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  private readonly rings: readonly Int32Array[];
  private bands: Bands | undefined;

  /** @param rings closed, longitude first, in ten-millionths of a degree */
  constructor(rings: readonly Int32Array[]) {
    const box = boxOf(rings);
    this.west = box.west;
    this.south = box.south;
    this.east = box.east;
    this.north = box.north;
    this.rings = rings;
  }

  /** Of the box around it, in square units. */
  get boxSize(): number {
    return (this.east - this.west) * (this.north - this.south);
  }

  contains(x: number, y: number): boolean {
    if (x < this.west || x > this.east || y < this.south || y > this.north) return false;
    this.bands ??= sortIntoBands(this.rings, this.south, this.north);
    const { edges, starts, height } = this.bands;
    const band = Math.floor((y - this.south) / height);
    let isInside = false;
    for (let i = starts[band]; i < starts[band + 1]; i += EDGE_NUMBERS) {
      const y0 = edges[i + 1];
      const y1 = edges[i + 3];
      if (y0 > y === y1 > y) continue;
      const x0 = edges[i];
      if (x < x0 + ((edges[i + 2] - x0) * (y - y0)) / (y1 - y0)) isInside = !isInside;
    }
    return isInside;
  }
}

/** The box around shapes, in their units. */
export function boxOf(lines: readonly Int32Array[]): { west: number; south: number; east: number; north: number } {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) {
      if (line[i] < west) west = line[i];
      if (line[i] > east) east = line[i];
      if (line[i + 1] < south) south = line[i + 1];
      if (line[i + 1] > north) north = line[i + 1];
    }
  }
  return { west, south, east, north };
}

function sortIntoBands(rings: readonly Int32Array[], south: number, north: number): Bands {
  let edgeCount = 0;
  for (const ring of rings) edgeCount += ring.length / 2 - 1;
  const bandCount = Math.max(1, Math.min(BANDS_MAX, Math.floor(edgeCount / EDGES_PER_BAND)));
  const height = (north - south + 1) / bandCount;
  const starts = new Uint32Array(bandCount + 1);
  const bandOf = (y: number) => Math.floor((y - south) / height);
  forEachEdge(rings, (_x0, y0, _x1, y1) => {
    const last = bandOf(Math.max(y0, y1));
    for (let band = bandOf(Math.min(y0, y1)); band <= last; band++) starts[band + 1] += EDGE_NUMBERS;
  });
  for (let band = 0; band < bandCount; band++) starts[band + 1] += starts[band];
  const edges = new Int32Array(starts[bandCount]);
  const next = starts.slice();
  forEachEdge(rings, (x0, y0, x1, y1) => {
    const last = bandOf(Math.max(y0, y1));
    for (let band = bandOf(Math.min(y0, y1)); band <= last; band++) {
      edges[next[band]++] = x0;
      edges[next[band]++] = y0;
      edges[next[band]++] = x1;
      edges[next[band]++] = y1;
    }
  });
  return { edges, starts, height };
}

/** Calls for each edge that is not level: a ray along a parallel crosses no other. */
function forEachEdge(rings: readonly Int32Array[], call: (x0: number, y0: number, x1: number, y1: number) => void): void {
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      if (ring[i + 1] !== ring[i + 3]) call(ring[i], ring[i + 1], ring[i + 2], ring[i + 3]);
    }
  }
}
