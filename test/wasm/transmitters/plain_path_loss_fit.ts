// The twin of wasm/transmitters/path_loss_fit.ts in plain JavaScript, which has the model.

import type { RadioModel } from '../../../src/positioning/transmitters/fix.ts';
import type { SolverCore } from '../../kits/solver_core.ts';

/** Largest number of stations: as many as the core solves. */
const STATIONS_LIMIT = 512;
/** dB per unit of the natural logarithm: 10 / ln 10. */
const DB_PER_LOGARITHM = 10 / Math.LN10;
/** Passes of reweighting. */
const PASSES = 3;
/** Degrees of freedom of the Student t, as in the core. */
const FREEDOM = 4;
/** Signals do not fade more slowly than this anywhere. */
const EXPONENT_MIN = 1.5;

/** Passes of the first guess, and the distance at which a station counts half, as a share of the mean distance. */
const GUESS_PASSES = 4;
const GUESS_SPREAD = 0.7;
/** Added to the spread in quadrature, so that it is never 0; metres. */
const GUESS_METRES = 10;
/**
 * Number of dB over which a station's weight in the guess changes by e: 10^(s / 60). If it were less, one strong
 * station that has moved would pull it along.
 */
const GUESS_DB_PER_LOGARITHM = 60 / Math.LN10;
/** Level in the guess of a station that was sent without one. */
const GUESS_DBM_UNKNOWN = -85;

/** Fits the constants of one scan in the core's buffers. Scratch memory is kept from scan to scan. */
export class PathLossFit {
  /** The result of `guess`, metres in the core's frame. */
  guessEast = 0;
  guessNorth = 0;
  /** Minus the logarithm of the prior density of the last fit, up to a constant. */
  priorCost = 0;
  private readonly weight = new Float64Array(STATIONS_LIMIT);
  private readonly residual = new Float64Array(STATIONS_LIMIT);
  private readonly slope = new Float64Array(STATIONS_LIMIT);

  /**
   * Guesses the device's position among the stations `0..count-1` of the core: a robust centre that depends little on
   * levels.
   */
  guess(core: SolverCore, count: number): void {
    const { stationEast, stationNorth, stationLevelDbm } = core;
    const { weight } = this;
    let weights = 0;
    let east = 0;
    let north = 0;
    for (let i = 0; i < count; i++) {
      const level = stationLevelDbm[i];
      weight[i] = Math.exp((Number.isNaN(level) ? GUESS_DBM_UNKNOWN : level) / GUESS_DB_PER_LOGARITHM);
      weights += weight[i];
      east += weight[i] * stationEast[i];
      north += weight[i] * stationNorth[i];
    }
    east /= weights;
    north /= weights;
    for (let pass = 0; pass < GUESS_PASSES; pass++) {
      let distances = 0;
      for (let i = 0; i < count; i++) {
        const dx = stationEast[i] - east;
        const dy = stationNorth[i] - north;
        distances += Math.sqrt(dx * dx + dy * dy);
      }
      const spread = (GUESS_SPREAD * distances) / count;
      const spread2 = spread * spread + GUESS_METRES * GUESS_METRES;
      let sum = 0;
      let sumEast = 0;
      let sumNorth = 0;
      for (let i = 0; i < count; i++) {
        const dx = stationEast[i] - east;
        const dy = stationNorth[i] - north;
        const robustWeight = weight[i] / (spread2 + dx * dx + dy * dy);
        sum += robustWeight;
        sumEast += robustWeight * stationEast[i];
        sumNorth += robustWeight * stationNorth[i];
      }
      east = sumEast / sum;
      north = sumNorth / sum;
    }
    this.guessEast = east;
    this.guessNorth = north;
  }

  /**
   * Fits references and exponents of the core's stations `0..count-1` to their levels at a position.
   * @param hasOwnFit 1 for stations whose exponent is their own
   */
  fit(core: SolverCore, count: number, east: number, north: number, prior: RadioModel, hasOwnFit: Uint8Array): void {
    const { stationReferenceDbm, stationExponent } = core;
    const pivotDb = DB_PER_LOGARITHM * Math.log(prior.pivotMetres);
    this.takeResiduals(core, count, east, north, pivotDb, hasOwnFit);
    const { weight, residual, slope } = this;
    const offsetPrecision = 1 / (prior.offsetSigmaDb * prior.offsetSigmaDb);
    const slopePrecision = 1 / (prior.exponentSigma * prior.exponentSigma);
    let offset = 0;
    let change = 0;
    for (let pass = 0; pass < PASSES; pass++) {
      let a = offsetPrecision;
      let b = 0;
      let c = slopePrecision;
      let p = 0;
      let q = 0;
      for (let i = 0; i < count; i++) {
        const z = slope[i];
        const r = residual[i] - offset - change * z;
        // The first pass is not robust: before an offset is fitted every station may look like an outlier.
        const w = pass === 0 ? weight[i] : weight[i] / (1 + (r * r * weight[i]) / FREEDOM);
        a += w;
        b += w * z;
        c += w * z * z;
        p += w * residual[i];
        q += w * z * residual[i];
      }
      const inverse = 1 / (a * c - b * b);
      offset = (c * p - b * q) * inverse;
      change = (a * q - b * p) * inverse;
    }
    this.priorCost = 0.5 * (offsetPrecision * offset * offset + slopePrecision * change * change);
    for (let i = 0; i < count; i++) {
      stationReferenceDbm[i] += offset;
      if (hasOwnFit[i] === 1) continue;
      const exponent = Math.max(EXPONENT_MIN, stationExponent[i] + change);
      stationReferenceDbm[i] += (exponent - stationExponent[i]) * pivotDb;
      stationExponent[i] = exponent;
    }
  }

  /** Works out the residuals of the levels, their precision, and how they change with the exponent. */
  private takeResiduals(
    core: SolverCore,
    count: number,
    east: number,
    north: number,
    pivotDb: number,
    hasOwnFit: Uint8Array,
  ): void {
    const { weight, residual, slope } = this;
    for (let i = 0; i < count; i++) {
      const level = core.stationLevelDbm[i];
      if (Number.isNaN(level)) {
        weight[i] = 0;
        residual[i] = 0;
        slope[i] = 0;
        continue;
      }
      const dx = core.stationEast[i] - east;
      const dy = core.stationNorth[i] - north;
      const d2 = dx * dx + dy * dy;
      const s2 = core.stationSigmaMetres[i] * core.stationSigmaMetres[i];
      const exponent = core.stationExponent[i];
      const rangeDb = 0.5 * DB_PER_LOGARITHM * Math.log(d2 + s2 + 1);
      const k = DB_PER_LOGARITHM * exponent;
      const sigmaDb = core.stationSigmaDb[i];
      residual[i] = level - core.stationReferenceDbm[i] + exponent * rangeDb;
      slope[i] = hasOwnFit[i] === 1 ? 0 : pivotDb - rangeDb;
      weight[i] = core.stationWeight[i] / (sigmaDb * sigmaDb + (k * k * s2) / (d2 + 2.43 * s2 + 1));
    }
  }
}
