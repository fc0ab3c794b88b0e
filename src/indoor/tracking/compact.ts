// Makes the mixture that a track remembers of the particles of a filter. Particles are sorted by floor and along a
// curve that keeps neighbours together (Morton order), and cut into runs of equal weight. A run becomes one component:
// its mean and its spread. 24 such components lose less of the posterior than the filter's own chance does, where as
// many particles picked out cost 3 % of the accuracy.

import type { TrackedParticles } from '../core/tracked_particles.ts';
import { COMPONENTS_MAX, type Component } from './track.ts';

/** Share of the weight in a component; the last of each floor has less. */
const QUOTA = 1 / 24;
/** A run may jump from one end of its floor to the other: its component does not become that wide. */
const SIGMA_METRES_MAX = 6;
const INDEX_BITS = 10;
/** Particles that can be sorted: as many as an index has room for. */
export const COMPACTED_MAX = 1 << INDEX_BITS;
const INDEX_MASK = COMPACTED_MAX - 1;
/** Particles with less weight are left out: all of them together have less than a hundredth. */
const WEIGHT_MIN = 1e-5;
const AXIS_CELLS = 255;
const FLOOR_SHIFT = 26;
const FLOORS = 64;
const CELL_METRES_MIN = 0.5;

const KEYS = new Uint32Array(COMPACTED_MAX);
/** By cell of an axis; the last cell has room for rounding. */
const SPREAD = Uint16Array.from({ length: AXIS_CELLS + 2 }, (_, cell) => spreadBits(Math.min(AXIS_CELLS, cell)));
/** Two rounds of a radix sort, by 11 bits each: quicker than one that compares. */
const DIGIT_BITS = 11;
const DIGITS = new Uint16Array(1 << DIGIT_BITS);
const SORTED = new Uint32Array(COMPACTED_MAX);

/** The components, of sum 1, and the spread of bias and stride within them. */
interface Compacted {
  components: Component[];
  biasSigma: number;
  strideSigma: number;
}

/**
 * Sums the particles `0..count-1` up, at most COMPACTED_MAX, whose weights have the sum 1.
 * @param climbs of each particle
 * @returns at least one component, the heaviest first
 */
export function compactParticles(particles: TrackedParticles, count: number, climbs: Int8Array): Compacted {
  const { east: easts, north: norths, floor: floors, bias: biases, stride: strides, weight: weights } = particles;
  const sorted = sortParticles(particles, count);
  const runs: Run[] = [];
  for (let k = 0; k < sorted; ) {
    const floor = floors[KEYS[k] & INDEX_MASK];
    // Sums in variables of their own: as members of an object they take twice the time.
    let [weight, east, north, square, bias, biasSquare, stride, strideSquare, climb, most] = [
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    for (; k < sorted && weight < QUOTA; k++) {
      const i = KEYS[k] & INDEX_MASK;
      if (floors[i] !== floor) break;
      const share = weights[i];
      const [x, y, turn, length] = [easts[i], norths[i], biases[i], strides[i]];
      weight += share;
      east += share * x;
      north += share * y;
      square += share * (x * x + y * y);
      bias += share * turn;
      biasSquare += share * turn * turn;
      stride += share * length;
      strideSquare += share * length * length;
      if (share > most) {
        most = share;
        climb = climbs[i];
      }
    }
    runs.push({ floor, weight, east, north, square, bias, biasSquare, stride, strideSquare, climb });
  }
  const kept = runs.sort((a, b) => b.weight - a.weight).slice(0, COMPONENTS_MAX);
  let total = 0;
  let biasVariance = 0;
  let strideVariance = 0;
  for (const { weight, bias, biasSquare, stride, strideSquare } of kept) {
    total += weight;
    biasVariance += Math.max(0, biasSquare - (bias * bias) / weight);
    strideVariance += Math.max(0, strideSquare - (stride * stride) / weight);
  }
  return {
    components: kept.map(each => componentOf(each, total)),
    biasSigma: Math.sqrt(biasVariance / total),
    strideSigma: Math.sqrt(strideVariance / total),
  };
}

/** Weighted sums over the particles of a component. */
interface Run {
  floor: number;
  weight: number;
  east: number;
  north: number;
  square: number;
  bias: number;
  biasSquare: number;
  stride: number;
  strideSquare: number;
  /** Of its heaviest particle. */
  climb: number;
}

function componentOf(run: Run, total: number): Component {
  const { weight } = run;
  const east = run.east / weight;
  const north = run.north / weight;
  const variance = Math.max(0, run.square / weight - east * east - north * north) / 2;
  return {
    east,
    north,
    floor: run.floor,
    weight: weight / total,
    sigma: Math.min(SIGMA_METRES_MAX, Math.sqrt(variance)),
    bias: run.bias / weight,
    stride: run.stride / weight,
    climb: run.climb,
  };
}

/**
 * Sorts the particles that count by floor and Morton order into KEYS, their indices in the low bits. @returns their
 * number
 */
function sortParticles(particles: TrackedParticles, count: number): number {
  const { east: easts, north: norths, floor: floors, weight: weights } = particles;
  let west = Number.POSITIVE_INFINITY;
  let south = west;
  let lowest = west;
  let east = Number.NEGATIVE_INFINITY;
  let north = east;
  for (let i = 0; i < count; i++) {
    if (!(weights[i] >= WEIGHT_MIN)) continue;
    const [x, y, floor] = [easts[i], norths[i], floors[i]];
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
    if (floor < lowest) lowest = floor;
  }
  const scale = 1 / Math.max(CELL_METRES_MIN, Math.max(east - west, north - south) / AXIS_CELLS);
  let sorted = 0;
  for (let i = 0; i < count; i++) {
    if (!(weights[i] >= WEIGHT_MIN)) continue;
    const column = SPREAD[((easts[i] - west) * scale) | 0];
    const row = SPREAD[((norths[i] - south) * scale) | 0];
    const floor = Math.min(FLOORS - 1, floors[i] - lowest);
    KEYS[sorted++] = (floor << FLOOR_SHIFT) | ((column | (row << 1)) << INDEX_BITS) | i;
  }
  sortByDigit(KEYS, SORTED, sorted, INDEX_BITS);
  sortByDigit(SORTED, KEYS, sorted, INDEX_BITS + DIGIT_BITS);
  return sorted;
}

/**
 * Sorts numbers by one digit, those of the same digit in the order in which they were. @param shift bits below the
 * digit
 */
function sortByDigit(from: Uint32Array, to: Uint32Array, count: number, shift: number): void {
  const mask = DIGITS.length - 1;
  DIGITS.fill(0);
  for (let i = 0; i < count; i++) DIGITS[(from[i] >>> shift) & mask]++;
  let before = 0;
  for (let digit = 0; digit < DIGITS.length; digit++) {
    const here = DIGITS[digit];
    DIGITS[digit] = before;
    before += here;
  }
  for (let i = 0; i < count; i++) to[DIGITS[(from[i] >>> shift) & mask]++] = from[i];
}

/** Puts a zero behind each of the lowest eight bits of a number. */
function spreadBits(value: number): number {
  let bits = value;
  bits = (bits | (bits << 4)) & 0x0f0f;
  bits = (bits | (bits << 2)) & 0x3333;
  return (bits | (bits << 1)) & 0x5555;
}
