// The twin of the particle filter in plain JavaScript, over typed arrays and without allocation. The compiled core is compared to it in benchmarks and tests.
// Algorithm, constants and random numbers are the same, but there is no position fix; move_particles.ts and weigh_particles.ts in wasm/tracking/ explain them.

import { MAX_PARTICLES, MAX_SCAN } from '../../wasm/memory.ts';
import {
  BYTES_MEAN,
  BYTES_SCALE,
  MISFIT_CAP,
  MIX_FIRST,
  MIX_SECOND,
  SPREAD_INDEX,
  SPREAD_STEP,
  SPREAD_STREAM,
  STREAM_BIAS,
  STREAM_EAST,
  STREAM_HEADING,
  STREAM_LENGTH,
  STREAM_NORTH,
  STREAM_RESAMPLING,
} from '../../wasm/particle_constants.ts';
import { DB_PER_NEPER, FARTHEST_SQUARED, POSITION_SCATTER } from '../../wasm/trilateration_constants.ts';
import type { PlainStations } from './plain_trilaterate.ts';

const SCAN_OFFSET = new Float64Array(MAX_SCAN);
const SCAN_HALF_SLOPE = new Float64Array(MAX_SCAN);
const SCAN_SOFT = new Float64Array(MAX_SCAN);
const SCAN_PRECISION = new Float64Array(MAX_SCAN);

/** Particles, as in `Core`. */
export class PlainParticles {
  readonly east = new Float32Array(MAX_PARTICLES);
  readonly north = new Float32Array(MAX_PARTICLES);
  readonly bias = new Float32Array(MAX_PARTICLES);
  readonly weight = new Float32Array(MAX_PARTICLES);
  private readonly misfit = new Float32Array(MAX_PARTICLES);
  private readonly next = [new Float32Array(MAX_PARTICLES), new Float32Array(MAX_PARTICLES), new Float32Array(MAX_PARTICLES)] as const;
  effective = 0;
  meanEast = 0;
  meanNorth = 0;

  move(
    count: number,
    seed: number,
    step: number,
    length: number,
    heading: number,
    lengthSigma: number,
    headingSigma: number,
    biasSigma: number,
    driftSigma: number,
  ): void {
    const lengthKey = keyOf(seed, step, STREAM_LENGTH);
    const headingKey = keyOf(seed, step, STREAM_HEADING);
    const biasKey = keyOf(seed, step, STREAM_BIAS);
    const eastKey = keyOf(seed, step, STREAM_EAST);
    const northKey = keyOf(seed, step, STREAM_NORTH);
    const { east, north, bias } = this;
    for (let i = 0; i < count; i++) {
      bias[i] += biasSigma * normal(biasKey, i);
      const angle = heading + bias[i] + headingSigma * normal(headingKey, i);
      const walked = length + lengthSigma * normal(lengthKey, i);
      east[i] += walked * Math.sin(angle) + driftSigma * normal(eastKey, i);
      north[i] += walked * Math.cos(angle) + driftSigma * normal(northKey, i);
    }
  }

  weigh(stations: PlainStations, count: number, scanned: number, seed: number, step: number, resampleBelow: number): void {
    const { east, north, weight, misfit } = this;
    const offset = SCAN_OFFSET;
    const halfSlope = SCAN_HALF_SLOPE;
    const soft = SCAN_SOFT;
    const precision = SCAN_PRECISION;
    for (let s = 0; s < scanned; s++) {
      const k = DB_PER_NEPER * stations.exponent[s];
      const s2 = stations.sigmaMetres[s] * stations.sigmaMetres[s];
      const sigmaDb = stations.sigmaDb[s];
      offset[s] = stations.levelDbm[s] - stations.referenceDbm[s];
      halfSlope[s] = 0.5 * k;
      soft[s] = s2 + 1;
      precision[s] =
        1 / (sigmaDb * sigmaDb + (k * k * s2) / (Math.min(Math.exp((-2 * offset[s]) / k), FARTHEST_SQUARED) + POSITION_SCATTER * s2 + 1));
    }
    let least = Infinity;
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let s = 0; s < scanned; s++) {
        const dx = east[i] - stations.east[s];
        const dy = north[i] - stations.north[s];
        const r = offset[s] + halfSlope[s] * Math.log(dx * dx + dy * dy + soft[s]);
        const u = r * r * precision[s];
        sum += u / (MISFIT_CAP + u);
      }
      misfit[i] = sum;
      if (sum < least && weight[i] > 0) least = sum;
    }
    let sum = 0;
    let squares = 0;
    let x = 0;
    let y = 0;
    for (let i = 0; i < count; i++) {
      weight[i] *= Math.exp(-0.5 * MISFIT_CAP * (misfit[i] - least));
      sum += weight[i];
      squares += weight[i] * weight[i];
      x += weight[i] * east[i];
      y += weight[i] * north[i];
    }
    for (let i = 0; i < count; i++) weight[i] /= sum;
    this.effective = (sum * sum) / squares;
    this.meanEast = x / sum;
    this.meanNorth = y / sum;
    if (this.effective < resampleBelow * count) this.resample(count, mix(keyOf(seed, step, STREAM_RESAMPLING) | 0) / 4294967296);
  }

  private resample(count: number, offset: number): void {
    const [east, north, bias] = this.next;
    let from = 0;
    let cumulated = this.weight[0];
    for (let i = 0; i < count; i++) {
      const mark = (i + offset) / count;
      while (cumulated <= mark && from < count - 1) cumulated += this.weight[++from];
      east[i] = this.east[from];
      north[i] = this.north[from];
      bias[i] = this.bias[from];
    }
    for (let i = 0; i < count; i++) {
      this.east[i] = east[i];
      this.north[i] = north[i];
      this.bias[i] = bias[i];
      this.weight[i] = 1 / count;
    }
  }
}

/** Mixes 32 bits (wasm/random.ts). @returns 0..2^32-1 */
function mix(x: number): number {
  x ^= x >>> 16;
  x = Math.imul(x, MIX_FIRST);
  x ^= x >>> 15;
  x = Math.imul(x, MIX_SECOND);
  return (x ^ (x >>> 15)) >>> 0;
}

function keyOf(seed: number, step: number, stream: number): number {
  return mix((mix((mix(seed) + Math.imul(step, SPREAD_STEP)) | 0) + Math.imul(stream, SPREAD_STREAM)) | 0);
}

function normal(key: number, index: number): number {
  const x = mix((Math.imul(index, SPREAD_INDEX) + key) | 0);
  return ((x & 255) + ((x >>> 8) & 255) + ((x >>> 16) & 255) + (x >>> 24) - BYTES_MEAN) * BYTES_SCALE;
}
