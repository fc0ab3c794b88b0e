// The particles of a tracked device in the core's memory: drawn from a mixture, moved, and weighed by the places of a
// fingerprint map (wasm/tracking/).

import * as layout from '../../../wasm/memory.ts';
import type { CoreExports } from '../../core/instantiate.ts';

/**
 * Particles that are drawn together: `each` from each component, from the index `first` on. Both are multiples of 4.
 */
interface Draw {
  first: number;
  components: number;
  each: number;
}

/** How much particles differ from their component. */
interface Spread {
  /** Radians, around the component's bias. */
  biasSigma: number;
  /** Around the component's stride. */
  strideSigma: number;
}

/** A move of all particles. Standard deviations are noise. */
export interface ParticleMove {
  /** Metres at a stride of 1. */
  lengthMetres: number;
  /** Radians clockwise from north. */
  heading: number;
  /** Metres. */
  lengthSigma: number;
  /** Radians. */
  headingSigma: number;
  /** Radians by which the heading bias drifts. */
  biasSigma: number;
  /** Metres of unexplained movement along each axis. */
  driftSigma: number;
}

/**
 * Typed views of mixture, places and particles, and the kernels over them. Positions are metres, floors are floor
 * indices.
 */
export class TrackedParticles {
  /** Components of the mixture, up to MAX_COMPONENTS. */
  readonly componentEast: Float32Array;
  readonly componentNorth: Float32Array;
  readonly componentFloor: Float32Array;
  /** Standard deviation along one axis. */
  readonly componentSigma: Float32Array;
  /** Mean bias of the heading, radians, and mean stride. */
  readonly componentBias: Float32Array;
  readonly componentStride: Float32Array;
  readonly componentWeight: Float32Array;
  /** Places, up to MAX_PLACES, with their likelihoods. */
  readonly placeEast: Float32Array;
  readonly placeNorth: Float32Array;
  readonly placeFloor: Float32Array;
  readonly placeWeight: Float32Array;
  /** Particles, up to MAX_PARTICLES; their weights sum to 1 once they are weighed. */
  readonly east: Float32Array;
  readonly north: Float32Array;
  readonly floor: Float32Array;
  /** Angle in radians from the device's heading clockwise to the true one. */
  readonly bias: Float32Array;
  /** Length of its steps relative to the usual one. */
  readonly stride: Float32Array;
  readonly weight: Float32Array;
  /**
   * Walls, up to MAX_NEAR_WALLS, four numbers each: one end, from where the way begins, and the vector to the other,
   * metres.
   */
  readonly walls: Float32Array;
  /** Out: west, south, east and north end of particles. */
  readonly edges: Float32Array;
  private readonly kernels: CoreExports;

  constructor(kernels: CoreExports) {
    const { buffer } = kernels.memory;
    const component = (offset: number) => new Float32Array(buffer, offset, layout.MAX_COMPONENTS);
    const particle = (offset: number) => new Float32Array(buffer, offset, layout.MAX_PARTICLES);
    const place = (offset: number) => new Float32Array(buffer, offset, layout.MAX_PLACES);
    this.kernels = kernels;
    this.componentEast = component(layout.COMPONENT_EAST);
    this.componentNorth = component(layout.COMPONENT_NORTH);
    this.componentFloor = component(layout.COMPONENT_FLOOR);
    this.componentSigma = component(layout.COMPONENT_SIGMA);
    this.componentBias = component(layout.COMPONENT_BIAS);
    this.componentStride = component(layout.COMPONENT_STRIDE);
    this.componentWeight = component(layout.COMPONENT_WEIGHT);
    this.placeEast = place(layout.PLACE_EAST);
    this.placeNorth = place(layout.PLACE_NORTH);
    this.placeFloor = place(layout.PLACE_FLOOR);
    this.placeWeight = place(layout.PLACE_WEIGHT);
    this.east = particle(layout.PARTICLE_EAST);
    this.north = particle(layout.PARTICLE_NORTH);
    this.floor = particle(layout.PARTICLE_FLOOR);
    this.bias = particle(layout.PARTICLE_BIAS);
    this.stride = particle(layout.PARTICLE_STRIDE);
    this.weight = particle(layout.PARTICLE_WEIGHT);
    this.walls = new Float32Array(buffer, layout.NEAR_WALLS, 4 * layout.MAX_NEAR_WALLS);
    this.edges = new Float32Array(buffer, layout.OUT_BOX, 4);
  }

  /** Draws particles from the components; deterministic by (seed, step, particle). @returns STATUS_* */
  draw({ first, components, each }: Draw, seed: number, step: number, { biasSigma, strideSigma }: Spread): number {
    return this.kernels.drawParticles(first, components, each, seed, step, biasSigma, strideSigma);
  }

  /** Moves the particles `0..count-1`; deterministic by (seed, step, particle). @returns STATUS_* */
  move(count: number, seed: number, step: number, move: ParticleMove): number {
    const { lengthMetres, heading, lengthSigma, headingSigma, biasSigma, driftSigma } = move;
    return this.kernels.moveParticles(
      count,
      seed,
      step,
      lengthMetres,
      heading,
      lengthSigma,
      headingSigma,
      biasSigma,
      driftSigma,
    );
  }

  /**
   * Multiplies the weights of the particles `0..count-1` by the likelihood of the places `0..places-1`; they then sum
   * to 1.
   * @param count a multiple of 4
   * @param reachMetres distance at which a place says nothing any more, 0.1..1e6
   * @param background likelihood where there is no place
   * @returns STATUS_*; with STATUS_DEGENERATE no particle has any weight
   */
  weigh(count: number, places: number, reachMetres: number, background: number): number {
    return this.kernels.weighByPlaces(count, places, reachMetres, background);
  }

  /** Writes the box around some particles to `edges`. @param first, count multiples of 4 @returns STATUS_* */
  box(first: number, count: number): number {
    return this.kernels.boxOfParticles(first, count);
  }

  /**
   * Takes their weight from the particles whose way from one point crosses one of the first walls.
   * @param first, count multiples of 4
   * @returns STATUS_*
   */
  stopAtWalls(first: number, count: number, walls: number, fromEast: number, fromNorth: number): number {
    return this.kernels.stopAtWalls(first, count, walls, fromEast, fromNorth);
  }
}
