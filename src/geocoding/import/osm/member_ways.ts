// The shapes of the ways that make up areas, kept until the areas are assembled.

/** Ways by id, each in its newest version. */
export class MemberWays {
  private readonly ids: Float64Array;
  private readonly versions: Uint32Array;
  /** `null` for a way with missing nodes. */
  private readonly shapes: (Int32Array | null)[];

  /** @param ids of all ways that are needed, ascending and distinct */
  constructor(ids: Float64Array) {
    this.ids = ids;
    this.versions = new Uint32Array(ids.length);
    this.shapes = new Array(ids.length).fill(null);
  }

  /** True for a way that is needed and not yet known in this version or a newer one. */
  needs(id: number, version: number): boolean {
    const at = this.find(id);
    return at >= 0 && this.versions[at] < version;
  }

  /** @param shape longitude, latitude, longitude …; `null` if nodes are missing */
  put(id: number, version: number, shape: Int32Array | null): void {
    const at = this.find(id);
    this.versions[at] = version;
    this.shapes[at] = shape;
  }

  /** `null` for a way that is missing or incomplete. */
  shapeOf(id: number): Int32Array | null {
    return this.shapes[this.find(id)];
  }

  private find(id: number): number {
    let low = 0;
    let high = this.ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return this.ids[low] === id ? low : -1;
  }
}
