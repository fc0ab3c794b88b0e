// A usual particle filter, to which the service is compared: particles take the steps of the walker, and are weighed by
// how far they are from the answer of a simple method to the scan. Its constants are those of the reference figures:
// 600 particles, a stride of 0.62 m (0.08), an error of each heading of 0.15 rad beside a bias that drifts, and a
// heavy-tailed likelihood of max(4 m, 1.2 times the radius). The floor is that of the simple method. Draws are seeded
// by the walk.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import type { IndoorAnswer } from '../client.ts';
import { normal, seededRandom } from '../draws.ts';
import type { IndoorScan } from './indoor_scan.ts';
import type { SimpleMethod } from './nearest_scans.ts';
import type { Walked } from './walked_steps.ts';

const PARTICLES = 600;
const STRIDE_METRES = 0.62;
const STRIDE_SIGMA = 0.08;
const HEADING_SIGMA = 0.15;
const BIAS_SIGMA = 0.1;
const BIAS_DRIFT = 0.03;
/** How far somebody may go in a second besides what steps say, metres. */
const DIFFUSION_METRES = 0.3;
const SIGMA_METRES_MIN = 4;
const SIGMA_RADII = 1.2;
const RESAMPLE_SHARE = 0.5;

interface Particle {
  east: number;
  north: number;
  stride: number;
  bias: number;
  weight: number;
}

/** Follows one walk. */
export class WalkedParticles {
  private readonly method: SimpleMethod;
  private readonly random: () => number;
  private origin: { latitude: number; longitude: number } | undefined;
  private particles: Particle[] = [];

  /** @param method locates single scans @param seed of the draws */
  constructor(method: SimpleMethod, seed: number) {
    this.method = method;
    this.random = seededRandom(seed);
  }

  /** Where the walker is by a scan. @param walked since the scan before @param seconds since then */
  locate(scan: IndoorScan, walked: Walked | undefined, seconds: number): IndoorAnswer | undefined {
    const answer = this.method.answer(scan);
    if (answer === undefined) return undefined;
    this.origin ??= answer;
    const scale = METRES_PER_DEGREE * Math.cos(this.origin.latitude * RADIANS_PER_DEGREE);
    const east = (answer.longitude - this.origin.longitude) * scale;
    const north = (answer.latitude - this.origin.latitude) * METRES_PER_DEGREE;
    const sigma = Math.max(SIGMA_METRES_MIN, SIGMA_RADII * (answer.accuracyMetres ?? 0));
    if (this.particles.length === 0) this.begin(east, north, sigma);
    else this.move(walked, seconds);
    this.weigh(east, north, sigma);
    const middle = this.mean();
    const distances = this.particles.map(each => ({
      metres: Math.hypot(each.east - middle.east, each.north - middle.north),
      ...each,
    }));
    const located = {
      ...answer,
      latitude: this.origin.latitude + middle.north / METRES_PER_DEGREE,
      longitude: this.origin.longitude + middle.east / scale,
    };
    this.resample();
    return { ...located, accuracyMetres: Math.max(1, medianOf(distances)) };
  }

  private begin(east: number, north: number, sigma: number): void {
    this.particles = Array.from({ length: PARTICLES }, () => ({
      east: east + sigma * normal(this.random),
      north: north + sigma * normal(this.random),
      stride: STRIDE_METRES + STRIDE_SIGMA * normal(this.random),
      bias: BIAS_SIGMA * normal(this.random),
      weight: 1 / PARTICLES,
    }));
  }

  private move(walked: Walked | undefined, seconds: number): void {
    const diffusion = DIFFUSION_METRES * Math.sqrt(seconds);
    for (const particle of this.particles) {
      particle.bias += BIAS_DRIFT * normal(this.random);
      const heading = (walked?.heading ?? 0) * RADIANS_PER_DEGREE + particle.bias + HEADING_SIGMA * normal(this.random);
      const metres = (walked?.steps ?? 0) * particle.stride;
      particle.east += metres * Math.sin(heading) + diffusion * normal(this.random);
      particle.north += metres * Math.cos(heading) + diffusion * normal(this.random);
    }
  }

  private weigh(east: number, north: number, sigma: number): void {
    let sum = 0;
    for (const particle of this.particles) {
      const away = Math.hypot(particle.east - east, particle.north - north) / sigma;
      particle.weight *= (1 + away * away) ** -1.5;
      sum += particle.weight;
    }
    for (const particle of this.particles) particle.weight /= sum;
  }

  private mean(): { east: number; north: number } {
    const sum = (of: (particle: Particle) => number): number =>
      this.particles.reduce((total, each) => total + each.weight * of(each), 0);
    return { east: sum(({ east }) => east), north: sum(({ north }) => north) };
  }

  /** Draws particles by their weights where few have most of it. */
  private resample(): void {
    const effective = 1 / this.particles.reduce((sum, { weight }) => sum + weight * weight, 0);
    if (effective >= RESAMPLE_SHARE * PARTICLES) return;
    const drawn: Particle[] = [];
    const start = this.random();
    let taken = 0;
    for (const particle of this.particles) {
      taken += particle.weight * PARTICLES;
      while (drawn.length < PARTICLES && start + drawn.length < taken)
        drawn.push({ ...particle, weight: 1 / PARTICLES });
    }
    while (drawn.length < PARTICLES)
      drawn.push({ ...this.particles[this.particles.length - 1], weight: 1 / PARTICLES });
    this.particles = drawn;
  }
}

/** The distance that holds half of the weight. */
function medianOf(distances: { metres: number; weight: number }[]): number {
  let held = 0;
  distances.sort((a, b) => a.metres - b.metres);
  for (const { metres, weight } of distances) {
    held += weight;
    if (held >= 0.5) return metres;
  }
  return distances[distances.length - 1].metres;
}
