// Estimates of one device in the core's memory, which fuses them (wasm/fuse.ts), and the radius of a Gaussian.

import * as layout from '../../wasm/memory.ts';
import { Frame } from './frame.ts';
import type { CoreExports } from './instantiate.ts';

/** A position in the frame, metres, and its variances in square metres. */
export interface Gaussian {
  east: number;
  north: number;
  varianceEast: number;
  covariance: number;
  varianceNorth: number;
}

/** Typed views of the estimates, up to MAX_ESTIMATES, the most trusted first. */
export class Fusion {
  readonly frame: Frame;
  readonly east: Float64Array;
  readonly north: Float64Array;
  readonly varianceEast: Float64Array;
  readonly covariance: Float64Array;
  readonly varianceNorth: Float64Array;
  private readonly kernels: CoreExports;
  private readonly gaussian: Float64Array;
  private readonly used: Uint32Array;

  constructor(kernels: CoreExports) {
    const doubles = (offset: number) => new Float64Array(kernels.memory.buffer, offset, layout.MAX_ESTIMATES);
    this.kernels = kernels;
    this.frame = new Frame(kernels);
    this.east = doubles(layout.FUSE_EAST);
    this.north = doubles(layout.FUSE_NORTH);
    this.varianceEast = doubles(layout.FUSE_XX);
    this.covariance = doubles(layout.FUSE_XY);
    this.varianceNorth = doubles(layout.FUSE_YY);
    this.gaussian = gaussianView(kernels);
    this.used = new Uint32Array(kernels.memory.buffer, layout.OUT_USED, 1);
  }

  /**
   * Fuses the estimates `0..count-1` as independent Gaussians. Each one joins if its Mahalanobis distance from the
   * fused estimate is at most `gate` (3.03 = 99 %).
   * @returns undefined where none is usable; bit i of `used` is set if estimate i joined
   */
  fuse(count: number, gate: number): (Gaussian & { used: number }) | undefined {
    if (this.kernels.fuse(count, gate) !== layout.STATUS_OK) return undefined;
    const { gaussian, used } = this;
    return {
      east: gaussian[0],
      north: gaussian[1],
      varianceEast: gaussian[2],
      covariance: gaussian[3],
      varianceNorth: gaussian[4],
      used: used[0],
    };
  }

  /**
   * Radius in metres around the mean that holds the share `p` (0..1, exclusive) of a Gaussian; NaN where its
   * variances, square metres, are those of none.
   */
  radius(varianceEast: number, covariance: number, varianceNorth: number, p: number): number {
    return this.kernels.radius(varianceEast, covariance, varianceNorth, p);
  }
}

/** What a kernel leaves in the memory of its core: the members of `Gaussian`, in their order. */
export function gaussianView(kernels: CoreExports): Float64Array {
  return new Float64Array(kernels.memory.buffer, layout.OUT_EAST, 5);
}
