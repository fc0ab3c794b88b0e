// The twin of trilateration in plain JavaScript, over typed arrays and without allocation, to which the compiled core
// is compared. It takes the same steps with the same constants; wasm/posterior.ts explains the model.

import { MAX_SOLVE } from '../../wasm/memory.ts';
import {
  ABSENT_BELOW,
  ASSUMED_DBM,
  BETTER_BY,
  CANDIDATES,
  DAMPING_FALL,
  DAMPING_FIRST,
  DAMPING_LEAST,
  DAMPING_RISE,
  DB_PER_NEPER,
  FARTHEST_SQUARED,
  FEWEST_FOR_RESTARTS,
  FREEDOM,
  ITERATIONS,
  OUTLIER_WEIGHT,
  POSITION_FREEDOM,
  POSITION_SCATTER,
  PRIOR_RESIDUALS,
  REGULAR,
  SETTLED,
} from '../../wasm/trilateration_constants.ts';

/** Stations of one trilateration, as in `Core`. */
export class PlainStations {
  readonly east = new Float64Array(MAX_SOLVE);
  readonly north = new Float64Array(MAX_SOLVE);
  readonly levelDbm = new Float64Array(MAX_SOLVE);
  readonly referenceDbm = new Float64Array(MAX_SOLVE);
  readonly exponent = new Float64Array(MAX_SOLVE);
  readonly sigmaDb = new Float64Array(MAX_SOLVE);
  readonly sigmaMetres = new Float64Array(MAX_SOLVE);
  readonly weight = new Float64Array(MAX_SOLVE);
  readonly robust = new Float64Array(MAX_SOLVE);
}

/** Trilateration of two or more stations without a prior; the outputs are fields. */
export class PlainTrilateration {
  atEast = 0;
  atNorth = 0;
  best = 0;
  varianceEast = 0;
  covariance = 0;
  varianceNorth = 0;
  iterations = 0;
  private readonly offset = new Float64Array(MAX_SOLVE);
  private readonly halfSlope = new Float64Array(MAX_SOLVE);
  private readonly soft = new Float64Array(MAX_SOLVE);
  private readonly levelPrecision = new Float64Array(MAX_SOLVE);
  private readonly nearPrecision = new Float64Array(MAX_SOLVE);
  private centreEast = 0;
  private centreNorth = 0;
  private regular = 0;
  private cost = 0;
  private gx = 0;
  private gy = 0;
  private hxx = 0;
  private hxy = 0;
  private hyy = 0;
  private endXx = 0;
  private endXy = 0;
  private endYy = 0;
  private outliers = 0;

  solve(stations: PlainStations, count: number, reach: number): void {
    this.prepare(stations, count, reach);
    this.descend(stations, count, this.centreEast, this.centreNorth);
    this.writeResult(stations, count);
    if (this.outliers > 0 && count >= FEWEST_FOR_RESTARTS) this.restart(stations, count);
  }

  private restart(stations: PlainStations, count: number): void {
    let lowest = Infinity;
    let start = 0;
    let last = Infinity;
    let lastAt = -1;
    for (let round = 0; round < CANDIDATES; round++) {
      let nearest = -1;
      let highest = -Infinity;
      for (let i = 0; i < count; i++) {
        if (stations.weight[i] === 0) continue;
        const nearness = this.offset[i] / this.halfSlope[i];
        if (nearness > highest && (nearness < last || (nearness === last && i > lastAt))) {
          highest = nearness;
          nearest = i;
        }
      }
      if (nearest < 0) break;
      last = highest;
      lastAt = nearest;
      this.evaluate(stations, count, stations.east[nearest], stations.north[nearest]);
      if (this.cost < lowest) {
        lowest = this.cost;
        start = nearest;
      }
    }
    const before = this.best;
    const iterations = this.iterations;
    const east = this.atEast;
    const north = this.atNorth;
    this.descend(stations, count, stations.east[start], stations.north[start]);
    if (this.best < before - BETTER_BY) {
      this.writeResult(stations, count);
    } else {
      this.best = before;
      this.iterations = iterations;
      this.atEast = east;
      this.atNorth = north;
    }
  }

  private prepare(stations: PlainStations, count: number, reach: number): void {
    let sum = 0;
    let east = 0;
    let north = 0;
    let total = 0;
    let spread = 0;
    for (let i = 0; i < count; i++) {
      const level = stations.levelDbm[i];
      const k = DB_PER_NEPER * stations.exponent[i];
      const measured = level > ABSENT_BELOW;
      const offset = (measured ? level : ASSUMED_DBM) - stations.referenceDbm[i];
      const s2 = stations.sigmaMetres[i] * stations.sigmaMetres[i];
      const ranged2 = Math.min(Math.exp((-2 * offset) / k), FARTHEST_SQUARED);
      const sigmaDb = stations.sigmaDb[i];
      const weight = stations.weight[i];
      this.offset[i] = offset;
      this.halfSlope[i] = 0.5 * k;
      this.soft[i] = s2 + 1;
      this.levelPrecision[i] = measured
        ? 1 / (sigmaDb * sigmaDb + (k * k * s2) / (ranged2 + POSITION_SCATTER * s2 + 1))
        : 0;
      this.nearPrecision[i] = 1 / (s2 + (measured ? reach * reach * ranged2 : ranged2) + 1);
      const centring = weight / (ranged2 + s2 + 1);
      sum += centring;
      east += centring * stations.east[i];
      north += centring * stations.north[i];
      total += weight;
      spread += weight * (ranged2 + s2 + 1);
    }
    this.centreEast = east / sum;
    this.centreNorth = north / sum;
    this.regular = total / (REGULAR * REGULAR * spread);
  }

  private evaluate(stations: PlainStations, count: number, x: number, y: number): void {
    const { east, north, weight } = stations;
    const { offset, halfSlope, soft, levelPrecision, nearPrecision } = this;
    let cost = 0;
    let gx = 0;
    let gy = 0;
    let hxx = 0;
    let hxy = 0;
    let hyy = 0;
    for (let i = 0; i < count; i++) {
      const dx = x - east[i];
      const dy = y - north[i];
      const d2 = dx * dx + dy * dy;
      const rho2 = d2 + soft[i];
      const half = halfSlope[i];
      const r = offset[i] + half * Math.log(rho2);
      const inverseWeight = 1 + (r * r * levelPrecision[i] + d2 * nearPrecision[i]) * (1 / FREEDOM);
      cost += weight[i] * Math.log(inverseWeight);
      const inverse = 1 / (inverseWeight * rho2);
      const robust = weight[i] * inverse * rho2;
      const slope = 2 * half * inverse * inverseWeight;
      const level = robust * levelPrecision[i] * slope;
      const near = robust * nearPrecision[i];
      const pull = level * r + near;
      const curve = level * slope;
      gx += pull * dx;
      gy += pull * dy;
      hxx += curve * dx * dx + near;
      hxy += curve * dx * dy;
      hyy += curve * dy * dy + near;
    }
    const cx = x - this.centreEast;
    const cy = y - this.centreNorth;
    this.cost = 0.5 * (FREEDOM * cost + this.regular * (cx * cx + cy * cy));
    this.gx = gx + this.regular * cx;
    this.gy = gy + this.regular * cy;
    this.hxx = hxx + this.regular;
    this.hxy = hxy;
    this.hyy = hyy + this.regular;
  }

  private descend(stations: PlainStations, count: number, startEast: number, startNorth: number): void {
    this.evaluate(stations, count, startEast, startNorth);
    let x = startEast;
    let y = startNorth;
    let lowest = this.cost;
    let { gx, gy, hxx, hxy, hyy } = this;
    let damping = 0;
    let iterations = 0;
    while (iterations < ITERATIONS) {
      iterations++;
      const extra = damping * (hxx + hyy);
      const a = hxx + extra;
      const c = hyy + extra;
      const inverse = 1 / (a * c - hxy * hxy);
      const sx = (hxy * gy - c * gx) * inverse;
      const sy = (hxy * gx - a * gy) * inverse;
      if (-(gx * sx + gy * sy) < SETTLED) break;
      this.evaluate(stations, count, x + sx, y + sy);
      if (this.cost < lowest) {
        lowest = this.cost;
        x += sx;
        y += sy;
        gx = this.gx;
        gy = this.gy;
        hxx = this.hxx;
        hxy = this.hxy;
        hyy = this.hyy;
        damping = damping > DAMPING_LEAST ? damping * DAMPING_FALL : 0;
      } else {
        damping = damping > 0 ? damping * DAMPING_RISE : DAMPING_FIRST;
      }
    }
    this.atEast = x;
    this.atNorth = y;
    this.best = lowest;
    this.endXx = hxx;
    this.endXy = hxy;
    this.endYy = hyy;
    this.iterations = iterations;
  }

  private writeResult(stations: PlainStations, count: number): void {
    let squares = 0;
    let total = 0;
    this.outliers = 0;
    for (let i = 0; i < count; i++) {
      const dx = this.atEast - stations.east[i];
      const dy = this.atNorth - stations.north[i];
      const d2 = dx * dx + dy * dy;
      const r = this.offset[i] + this.halfSlope[i] * Math.log(d2 + this.soft[i]);
      const u = r * r * this.levelPrecision[i];
      const robust = 1 / (1 + (u + d2 * this.nearPrecision[i]) / FREEDOM);
      const weight = stations.weight[i];
      stations.robust[i] = weight > 0 ? robust : 0;
      if (weight > 0 && robust < OUTLIER_WEIGHT) this.outliers++;
      if (this.levelPrecision[i] > 0) {
        squares += weight * robust * u;
        total += weight * robust;
      }
    }
    const scale2 = Math.max((squares + PRIOR_RESIDUALS) / (Math.max(total - POSITION_FREEDOM, 0) + PRIOR_RESIDUALS), 1);
    const determinant = this.endXx * this.endYy - this.endXy * this.endXy;
    this.varianceEast = (scale2 * this.endYy) / determinant;
    this.covariance = (-scale2 * this.endXy) / determinant;
    this.varianceNorth = (scale2 * this.endXx) / determinant;
  }
}
