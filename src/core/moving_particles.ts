// The particles of a device that is followed outdoors, in the core's memory: drawn from a mixture that has moved, and
// weighed by the points of radio maps (wasm/tracking/).

import * as layout from '../../wasm/memory.ts';
import { Frame } from './frame.ts';
import type { CoreExports } from './instantiate.ts';

/**
 * Typed views of mixture, points and speeds of particles, and the kernels over them. Positions are metres, speeds m/s.
 */
export class MovingParticles {
  /** In which they are placed. */
  readonly frame: Frame;
  /** Components of the mixture, up to MAX_COMPONENTS. */
  readonly componentEast: Float32Array;
  readonly componentNorth: Float32Array;
  readonly componentEastSpeed: Float32Array;
  readonly componentNorthSpeed: Float32Array;
  /** Standard deviation of the position along one axis. */
  readonly componentSigma: Float32Array;
  /** By how much a particle is faster for each metre that it is ahead of its component, 1/s. */
  readonly componentSlope: Float32Array;
  /** Standard deviation of what this leaves of the speed, along one axis. */
  readonly componentSpeedSigma: Float32Array;
  readonly componentWeight: Float32Array;
  /** Points of maps, up to MAX_POINTS, with their likelihoods. */
  readonly pointEast: Float32Array;
  readonly pointNorth: Float32Array;
  readonly pointWeight: Float32Array;
  /** Output of `weigh`: weight of the particles around each point, 0..1. */
  readonly pointDensity: Float32Array;
  /** Particles, up to MAX_PARTICLES; their weights sum to 1 once they are weighed. */
  readonly east: Float32Array;
  readonly north: Float32Array;
  readonly eastSpeed: Float32Array;
  readonly northSpeed: Float32Array;
  readonly weight: Float32Array;
  private readonly kernels: CoreExports;

  constructor(kernels: CoreExports) {
    const { buffer } = kernels.memory;
    const component = (offset: number) => new Float32Array(buffer, offset, layout.MAX_COMPONENTS);
    const particle = (offset: number) => new Float32Array(buffer, offset, layout.MAX_PARTICLES);
    const point = (offset: number) => new Float32Array(buffer, offset, layout.MAX_POINTS);
    this.kernels = kernels;
    this.frame = new Frame(kernels);
    this.componentEast = component(layout.COMPONENT_EAST);
    this.componentNorth = component(layout.COMPONENT_NORTH);
    this.componentEastSpeed = component(layout.COMPONENT_EAST_SPEED);
    this.componentNorthSpeed = component(layout.COMPONENT_NORTH_SPEED);
    this.componentSigma = component(layout.COMPONENT_SIGMA);
    this.componentSlope = component(layout.COMPONENT_SLOPE);
    this.componentSpeedSigma = component(layout.COMPONENT_SPEED_SIGMA);
    this.componentWeight = component(layout.COMPONENT_WEIGHT);
    this.pointEast = point(layout.POINT_EAST);
    this.pointNorth = point(layout.POINT_NORTH);
    this.pointWeight = point(layout.POINT_WEIGHT);
    this.pointDensity = point(layout.POINT_DENSITY);
    this.east = particle(layout.PARTICLE_EAST);
    this.north = particle(layout.PARTICLE_NORTH);
    this.eastSpeed = particle(layout.PARTICLE_EAST_SPEED);
    this.northSpeed = particle(layout.PARTICLE_NORTH_SPEED);
    this.weight = particle(layout.PARTICLE_WEIGHT);
  }

  /**
   * Draws `each` particles from each of the components `0..components-1`; deterministic by (seed, particle).
   * @param first index of the first particle; like `each` a multiple of 4
   * @returns STATUS_*
   */
  draw(first: number, components: number, each: number, seed: number): number {
    return this.kernels.drawMoving(first, components, each, seed);
  }

  /**
   * Multiplies the weights of the particles `0..count-1` by the likelihood of the points `0..points-1`; they then sum
   * to 1. Output: `pointDensity` by the weights before.
   * @param count a multiple of 4
   * @param widthMetres distance at which a point has a quarter of its likelihood, 1..1e6
   * @param background likelihood where there is no point, 0..1e30
   * @returns STATUS_*; with STATUS_DEGENERATE no particle has any weight
   */
  weigh(count: number, points: number, widthMetres: number, background: number): number {
    return this.kernels.weighByPoints(count, points, widthMetres, background);
  }
}
