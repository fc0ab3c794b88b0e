// The shapes of ways that are part of an area, on disk until the areas are assembled.

import { ScratchFile } from '../../../tables/environment/scratch_file.ts';

/** Ways by id, each in its newest version. */
export class MemberWays {
  private readonly ids: Float64Array;
  private readonly versions: Uint32Array;
  /** Where each shape is in the file, and its numbers; none for a way that is missing or incomplete. */
  private readonly starts: Float64Array;
  private readonly lengths: Uint32Array;
  private readonly file: ScratchFile;

  /**
   * @param ids of all ways that are needed, ascending and distinct
   * @param scratchFolder existing
   */
  constructor(ids: Float64Array, scratchFolder: string) {
    this.ids = ids;
    this.versions = new Uint32Array(ids.length);
    this.starts = new Float64Array(ids.length);
    this.lengths = new Uint32Array(ids.length);
    this.file = new ScratchFile(scratchFolder);
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
    this.starts[at] = this.file.bytes;
    this.lengths[at] = shape === null ? 0 : shape.length;
    if (shape !== null) this.file.append(new Uint8Array(shape.buffer, shape.byteOffset, shape.byteLength));
  }

  /** `null` for a way that is missing or incomplete. */
  shapeOf(id: number): Int32Array | null {
    const at = this.find(id);
    if (this.lengths[at] === 0) return null;
    const shape = new Int32Array(this.lengths[at]);
    this.file.read(new Uint8Array(shape.buffer), this.starts[at]);
    return shape;
  }

  /** Gives the disk back. */
  close(): void {
    this.file.close();
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
