// A core with the solver at hand: the buffers of one trilateration, its kernel and all of its outputs. The service
// reaches them by a fix only (src/core/selected_stations.ts); the solver's tests, its benchmark and the twin of a fix
// in plain JavaScript use them by themselves.

import { type CoreExports, instantiateCore } from '../../src/core/instantiate.ts';
import { SelectedStations } from '../../src/core/selected_stations.ts';
import * as layout from '../../wasm/memory.ts';

/** The outputs of the solver stay in its memory until the next call, as within the core. */
export class SolverCore {
  readonly selected: SelectedStations;
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

  private readonly kernels: CoreExports;
  private readonly f64: Float64Array;
  private readonly i32: Int32Array;

  constructor(kernels: CoreExports) {
    const { buffer } = kernels.memory;
    const doubles = (offset: number, length: number) => new Float64Array(buffer, offset, length);
    this.kernels = kernels;
    this.f64 = new Float64Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.selected = new SelectedStations(kernels);
    this.stationEast = doubles(layout.SOLVE_EAST, layout.MAX_SOLVE);
    this.stationNorth = doubles(layout.SOLVE_NORTH, layout.MAX_SOLVE);
    this.stationLevelDbm = doubles(layout.SOLVE_LEVEL, layout.MAX_SOLVE);
    this.stationReferenceDbm = doubles(layout.SOLVE_REFERENCE, layout.MAX_SOLVE);
    this.stationExponent = doubles(layout.SOLVE_EXPONENT, layout.MAX_SOLVE);
    this.stationSigmaDb = doubles(layout.SOLVE_SIGMA_DB, layout.MAX_SOLVE);
    this.stationSigmaMetres = doubles(layout.SOLVE_SIGMA_METRES, layout.MAX_SOLVE);
    this.stationWeight = doubles(layout.SOLVE_WEIGHT, layout.MAX_SOLVE);
    this.stationRobustWeight = doubles(layout.SOLVE_ROBUST, layout.MAX_SOLVE);
  }

  /**
   * Distance in metres at which a level is expected; -1 if an argument is not finite or the exponent is not positive.
   */
  distanceAt(levelDbm: number, referenceDbm: number, exponent: number): number {
    return this.kernels.distanceAt(levelDbm, referenceDbm, exponent);
  }

  /**
   * Finds the most likely position given the levels of the stations `0..count-1`. Outputs: `east`, `north`, the
   * variances, `cost`, `residualScale`,
   * `iterations` and `stationRobustWeight`. With STATUS_NOT_CONVERGED the outputs are usable too.
   * @param startEast, startNorth start of the search; NaN = the centroid of the stations, weighted by their ranged
   *   distances.
   * @param priorSigmaMetres standard deviation along one axis of the prior around (priorEast, priorNorth); 0 = no
   *   prior.
   * @param reach how strongly hearing a station says "near it", in addition to its ring of equal level: one standard
   *   deviation is `reach` times the ranged distance. Infinity = rings only.
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

  /**
   * Size of the level residuals relative to their sigmas, at least 1. The covariance is already inflated by its square.
   */
  get residualScale(): number {
    return this.f64[layout.OUT_SCALE >> 3];
  }

  get iterations(): number {
    return this.i32[layout.OUT_ITERATIONS >> 2];
  }
}

/** A fresh core. */
export function createSolverCore(): SolverCore {
  return new SolverCore(instantiateCore());
}
