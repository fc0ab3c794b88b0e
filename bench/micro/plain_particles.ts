// The particle filter once more in plain JavaScript, over typed arrays and without allocation: what the compiled core is measured against, and the
// reference in its tests. The same algorithm and the same random numbers; explained in wasm/move_particles.ts and wasm/weigh_particles.ts.

import { MAX_PARTICLES, MAX_SCAN } from '../../wasm/layout.ts';
import type { PlainStations } from './plain_trilaterate.ts';

const K = 10 / Math.LN10;
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
  private readonly surprise = new Float32Array(MAX_PARTICLES);
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
    const lengthKey = keyOf(seed, step, 0);
    const headingKey = keyOf(seed, step, 1);
    const biasKey = keyOf(seed, step, 2);
    const eastKey = keyOf(seed, step, 3);
    const northKey = keyOf(seed, step, 4);
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
    const { east, north, weight, surprise } = this;
    const offset = SCAN_OFFSET;
    const halfSlope = SCAN_HALF_SLOPE;
    const soft = SCAN_SOFT;
    const precision = SCAN_PRECISION;
    for (let s = 0; s < scanned; s++) {
      const k = K * stations.exponent[s];
      const s2 = stations.sigmaMetres[s] * stations.sigmaMetres[s];
      const sigmaDb = stations.sigmaDb[s];
      offset[s] = stations.levelDbm[s] - stations.referenceDbm[s];
      halfSlope[s] = 0.5 * k;
      soft[s] = s2 + 1;
      precision[s] = 1 / (sigmaDb * sigmaDb + (k * k * s2) / (Math.min(Math.exp((-2 * offset[s]) / k), 1e16) + 2.43 * s2 + 1));
    }
    let least = Infinity;
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let s = 0; s < scanned; s++) {
        const dx = east[i] - stations.east[s];
        const dy = north[i] - stations.north[s];
        const r = offset[s] + halfSlope[s] * Math.log(dx * dx + dy * dy + soft[s]);
        const u = r * r * precision[s];
        sum += u / (9 + u);
      }
      surprise[i] = sum;
      if (sum < least && weight[i] > 0) least = sum;
    }
    let sum = 0;
    let squares = 0;
    let x = 0;
    let y = 0;
    for (let i = 0; i < count; i++) {
      weight[i] *= Math.exp(-4.5 * (surprise[i] - least));
      sum += weight[i];
      squares += weight[i] * weight[i];
      x += weight[i] * east[i];
      y += weight[i] * north[i];
    }
    for (let i = 0; i < count; i++) weight[i] /= sum;
    this.effective = (sum * sum) / squares;
    this.meanEast = x / sum;
    this.meanNorth = y / sum;
    if (this.effective < resampleBelow * count) this.resample(count, mix(keyOf(seed, step, 8) | 0) / 4294967296);
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
  x = Math.imul(x, 0x21f0aaad);
  x ^= x >>> 15;
  x = Math.imul(x, 0xd35a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

function keyOf(seed: number, step: number, stream: number): number {
  return mix((mix((mix(seed) + Math.imul(step, 0x9e3779b9)) | 0) + Math.imul(stream, 0x85ebca6b)) | 0);
}

function normal(key: number, index: number): number {
  const x = mix((Math.imul(index, 0x9e3779b9) + key) | 0);
  return ((x & 255) + ((x >>> 8) & 255) + ((x >>> 16) & 255) + (x >>> 24) - 510) * 0.006765875086793228;
}
