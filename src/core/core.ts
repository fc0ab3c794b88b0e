// The TypeScript side of the numeric core: typed views over its fixed buffers, and thin methods over its kernels. Write
// the inputs into the views, call the kernel and read the outputs. A kernel that works on buffers returns a status
// number (`STATUS_*` in wasm/memory.ts); its outputs stay in the core's memory until a later call overwrites them. A
// conversion of single numbers returns its result. Nothing is allocated after the start. A core belongs to one thread.
// After a trap, drop it and call `createCore()` for a fresh one.

import * as layout from '../../wasm/memory.ts';
import { type CoreExports, instantiateCore } from './instantiate.ts';
import { MovingParticles } from './moving_particles.ts';
import { SelectedStations } from './selected_stations.ts';
import { TrackedParticles } from './tracked_particles.ts';

/**
 * Kernels of one core instance. Positions are metres east and north in the frame set by `setFrame`; levels dBm; sigmas
 * standard deviations.
 */
export class Core {
  /** Stations of a query by which the device is located. */
  readonly selected: SelectedStations;
  /** The particles as those of a device that is tracked in a building, and of one that is followed outdoors. */
  readonly tracked: TrackedParticles;
  readonly moving: MovingParticles;
  /** Estimates for `fuse`, up to MAX_ESTIMATES, the most trusted first. Variances and covariance in square metres. */
  readonly estimateEast: Float64Array;
  readonly estimateNorth: Float64Array;
  readonly estimateVarianceEast: Float64Array;
  readonly estimateCovariance: Float64Array;
  readonly estimateVarianceNorth: Float64Array;
  protected readonly kernels: CoreExports;
  protected readonly f64: Float64Array;
  protected readonly i32: Int32Array;

  constructor(kernels: CoreExports) {
    const buffer = kernels.memory.buffer;
    const doubles = (offset: number, length: number) => new Float64Array(buffer, offset, length);
    this.kernels = kernels;
    this.f64 = new Float64Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.selected = new SelectedStations(kernels);
    this.tracked = new TrackedParticles(kernels);
    this.moving = new MovingParticles(kernels);
    this.estimateEast = doubles(layout.FUSE_EAST, layout.MAX_ESTIMATES);
    this.estimateNorth = doubles(layout.FUSE_NORTH, layout.MAX_ESTIMATES);
    this.estimateVarianceEast = doubles(layout.FUSE_XX, layout.MAX_ESTIMATES);
    this.estimateCovariance = doubles(layout.FUSE_XY, layout.MAX_ESTIMATES);
    this.estimateVarianceNorth = doubles(layout.FUSE_YY, layout.MAX_ESTIMATES);
  }

  /**
   * Sets the origin of the local metric frame, degrees. Accurate to 0.2 % within 10 km at 50 degrees; directions within
   * 11 km of a pole are wrong.
   */
  setFrame(latitude: number, longitude: number): number {
    return this.kernels.setFrame(latitude, longitude);
  }

  /** Converts a position in degrees to metres in the frame: `east`, `north`. Safe across the antimeridian. */
  toLocal(latitude: number, longitude: number): number {
    return this.kernels.toLocal(latitude, longitude);
  }

  /** Latitude in degrees, -90..90, of metres north in the frame. */
  latitudeOf(north: number): number {
    return this.kernels.latitudeOf(north);
  }

  /** Longitude in degrees, -180..180, of metres east in the frame. */
  longitudeOf(east: number): number {
    return this.kernels.longitudeOf(east);
  }

  /**
   * Fuses the estimates `0..count-1`, most trusted first, as independent Gaussians. Each one joins if its Mahalanobis
   * distance from the fused estimate is at most `gate` (3.03 = 99 %). Outputs: `east`, `north`, the variances and
   * `used` (bit i = estimate i).
   */
  fuse(count: number, gate: number): number {
    return this.kernels.fuse(count, gate);
  }

  /**
   * Radius in metres around the mean that holds the share `p` (0..1, exclusive) of a Gaussian, times `calibration`.
   * Output: `radiusMetres`.
   */
  radius(varianceEast: number, covariance: number, varianceNorth: number, p: number, calibration: number): number {
    return this.kernels.radius(varianceEast, covariance, varianceNorth, p, calibration);
  }

  get east(): number {
    return this.f64[layout.OUT_EAST >> 3];
  }

  get north(): number {
    return this.f64[layout.OUT_NORTH >> 3];
  }
  /** Square metres. */
  get varianceEast(): number {
    return this.f64[layout.OUT_XX >> 3];
  }

  /** Square metres. */
  get covariance(): number {
    return this.f64[layout.OUT_XY >> 3];
  }

  /** Square metres. */
  get varianceNorth(): number {
    return this.f64[layout.OUT_YY >> 3];
  }

  get radiusMetres(): number {
    return this.f64[layout.OUT_RADIUS >> 3];
  }

  /** Of `fuse`: bit i is set if it used estimate i. Of `selected.locate`: a number of stations. */
  get used(): number {
    return this.i32[layout.OUT_USED >> 2] >>> 0;
  }
}

/**
 * A fresh core for this thread.
 * @throws Error when build/core.wasm is missing or was compiled from another layout.
 */
export function createCore(): Core {
  return new Core(instantiateCore());
}
