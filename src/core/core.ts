// The TypeScript side of the numeric core: typed views over its fixed buffers, and thin methods over its kernels. Write the inputs into the views, call the
// kernel and read the outputs. A kernel that works on buffers returns a status number (`STATUS_*` in wasm/memory.ts); its outputs stay in the core's memory
// until a later call overwrites them. A conversion of single numbers returns its result. Nothing is allocated after the start. A core belongs to one thread.
// After a trap, drop it and call `createCore()` for a fresh one.

import * as layout from '../../wasm/memory.ts';
import { type CoreExports, instantiateCore } from './instantiate.ts';
import { MovingParticles } from './moving_particles.ts';
import { SelectedStations } from './selected_stations.ts';
import { TrackedParticles } from './tracked_particles.ts';

/** Kernels of one core instance. Positions are metres east and north in the frame set by `setFrame`; levels dBm; sigmas standard deviations. */
export class Core {
  /** Stations for `trilaterate`, up to MAX_SOLVE. */
  readonly stationEast: Float64Array;
  readonly stationNorth: Float64Array;
  /** Measured level; NaN or SIGNAL_ABSENT if there is none. */
  readonly stationLevelDbm: Float64Array;
  /** Level expected at one metre. */
  readonly stationReferenceDbm: Float64Array;
  /** Path-loss exponent, above 0. */
  readonly stationExponent: Float64Array;
  /** Shadowing: standard deviation of a level, above 0. */
  readonly stationSigmaDb: Float64Array;
  /** Uncertainty of the station's position along one axis, 0 or more: r50 / 1.1774. */
  readonly stationSigmaMetres: Float64Array;
  /** Multiplies the precision of the station; 0 = takes no part. */
  readonly stationWeight: Float64Array;
  /** Output of `trilaterate`: robust weight of each station, 0 (an outlier) to 1. */
  readonly stationRobustWeight: Float64Array;
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
  /** Particles, up to MAX_PARTICLES; weights sum to 1 after a step. */
  readonly particleEast: Float32Array;
  readonly particleNorth: Float32Array;
  /** Angle in radians from the device's heading clockwise to the true one. */
  readonly particleBias: Float32Array;
  readonly particleWeight: Float32Array;
  private readonly kernels: CoreExports;
  private readonly f64: Float64Array;
  private readonly i32: Int32Array;

  constructor(kernels: CoreExports) {
    const buffer = kernels.memory.buffer;
    const doubles = (offset: number, length: number) => new Float64Array(buffer, offset, length);
    const floats = (offset: number, length: number) => new Float32Array(buffer, offset, length);
    this.kernels = kernels;
    this.f64 = new Float64Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.stationEast = doubles(layout.SOLVE_EAST, layout.MAX_SOLVE);
    this.stationNorth = doubles(layout.SOLVE_NORTH, layout.MAX_SOLVE);
    this.stationLevelDbm = doubles(layout.SOLVE_LEVEL, layout.MAX_SOLVE);
    this.stationReferenceDbm = doubles(layout.SOLVE_REFERENCE, layout.MAX_SOLVE);
    this.stationExponent = doubles(layout.SOLVE_EXPONENT, layout.MAX_SOLVE);
    this.stationSigmaDb = doubles(layout.SOLVE_SIGMA_DB, layout.MAX_SOLVE);
    this.stationSigmaMetres = doubles(layout.SOLVE_SIGMA_METRES, layout.MAX_SOLVE);
    this.stationWeight = doubles(layout.SOLVE_WEIGHT, layout.MAX_SOLVE);
    this.stationRobustWeight = doubles(layout.SOLVE_ROBUST, layout.MAX_SOLVE);
    this.selected = new SelectedStations(kernels);
    this.tracked = new TrackedParticles(kernels);
    this.moving = new MovingParticles(kernels);
    this.estimateEast = doubles(layout.FUSE_EAST, layout.MAX_ESTIMATES);
    this.estimateNorth = doubles(layout.FUSE_NORTH, layout.MAX_ESTIMATES);
    this.estimateVarianceEast = doubles(layout.FUSE_XX, layout.MAX_ESTIMATES);
    this.estimateCovariance = doubles(layout.FUSE_XY, layout.MAX_ESTIMATES);
    this.estimateVarianceNorth = doubles(layout.FUSE_YY, layout.MAX_ESTIMATES);
    this.particleEast = floats(layout.PARTICLE_EAST, layout.MAX_PARTICLES);
    this.particleNorth = floats(layout.PARTICLE_NORTH, layout.MAX_PARTICLES);
    this.particleBias = floats(layout.PARTICLE_BIAS, layout.MAX_PARTICLES);
    this.particleWeight = floats(layout.PARTICLE_WEIGHT, layout.MAX_PARTICLES);
  }

  /** Sets the origin of the local metric frame, degrees. Accurate to 0.2 % within 10 km at 50 degrees; directions within 11 km of a pole are wrong. */
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

  /** Distance in metres at which a level is expected; -1 if an argument is not finite or the exponent is not positive. */
  distanceAt(levelDbm: number, referenceDbm: number, exponent: number): number {
    return this.kernels.distanceAt(levelDbm, referenceDbm, exponent);
  }

  /**
   * Finds the most likely position given the levels of the stations `0..count-1`. Outputs: `east`, `north`, the variances, `cost`, `residualScale`,
   * `iterations` and `stationRobustWeight`. With STATUS_NOT_CONVERGED the outputs are usable too.
   * @param startEast, startNorth start of the search; NaN = the centroid of the stations, weighted by their ranged distances.
   * @param priorSigmaMetres standard deviation along one axis of the prior around (priorEast, priorNorth); 0 = no prior.
   * @param reach how strongly hearing a station says "near it", in addition to its ring of equal level: one standard deviation is `reach` times the ranged
   * distance. Infinity = rings only.
   */
  trilaterate(
    count: number,
    startEast: number,
    startNorth: number,
    priorEast: number,
    priorNorth: number,
    priorSigmaMetres: number,
    reach: number,
  ): number {
    return this.kernels.trilaterate(count, startEast, startNorth, priorEast, priorNorth, priorSigmaMetres, reach);
  }

  /**
   * Fuses the estimates `0..count-1`, most trusted first, as independent Gaussians. Each one joins if its Mahalanobis distance from the fused estimate is at
   * most `gate` (3.03 = 99 %). Outputs: `east`, `north`, the variances and `used` (bit i = estimate i).
   */
  fuse(count: number, gate: number): number {
    return this.kernels.fuse(count, gate);
  }

  /** Radius in metres around the mean that holds the share `p` (0..1, exclusive) of a Gaussian, times `calibration`. Output: `radiusMetres`. */
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

  /** Minus the logarithm of the posterior at the result, without its constant. */
  get cost(): number {
    return this.f64[layout.OUT_COST >> 3];
  }

  /** Size of the level residuals relative to their sigmas, at least 1. The covariance is already inflated by its square. */
  get residualScale(): number {
    return this.f64[layout.OUT_SCALE >> 3];
  }

  get radiusMetres(): number {
    return this.f64[layout.OUT_RADIUS >> 3];
  }

  /** Of `fuse`: bit i is set if it used estimate i. Of `selected.locate`: a number of stations. */
  get used(): number {
    return this.i32[layout.OUT_USED >> 2] >>> 0;
  }

  get iterations(): number {
    return this.i32[layout.OUT_ITERATIONS >> 2];
  }
}

/**
 * A fresh core for this thread.
 * @throws Error when build/core.wasm is missing or was compiled from another layout.
 */
export function createCore(): Core {
  return new Core(instantiateCore());
}
