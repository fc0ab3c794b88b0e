// Follows a device in a building from request to request, by a particle filter whose particles live for one request. A
// track, which the device carries, is a mixture; particles are drawn from it, moved as the sensors say, weighed by the
// places at which the scan is likely, and summed up into the next track.
//
// A few particles come from the scan alone. They are how a track that has gone wrong is found again, and how much the
// scan has to contradict it for that. A track that leads out of what was surveyed has gone wrong, and begins anew.
//
// Everything is drawn by a seed made of the time of the request, so the same request has the same answer.

import type { Motion } from '../../radio/query/answer.ts';
import type { ParticleMove, TrackedParticles } from '../core/tracked_particles.ts';
import type { Posterior, Summary } from '../fingerprints/posterior.ts';
import { CANDIDATES_MAX, type Candidates, candidatesOf, type PlaceLikelihoods } from './candidates.ts';
import { followedPressure, measuredClimb } from './climb.ts';
import { COMPACTED_MAX, compactParticles } from './compact.ts';
import { isGuided, leavesBuilding, moveOf, plausibleMotion } from './motion.ts';
import { climbed, type Group, groupsOf } from './parts.ts';
import { positionOf, posteriorOf } from './posterior.ts';
import type { StairMap } from './stairs.ts';
import { type Component, decodeTrack, encodeTrack, FARTHEST_METRES, type Track } from './track.ts';
import type { WallMap } from './walls.ts';

/** A request of a device in a building. */
interface TrackedRequest {
  /** Number of the building, 0..2^53-1. */
  building: number;
  /** Milliseconds since 1970. */
  timeMs: number;
  motion: Motion;
  /** Likelihoods of the scan, of at least one place. */
  match: PlaceLikelihoods;
  /**
   * The track that the device carries; undefined without one. Anything else than a track of this building counts as
   * none.
   */
  state: Uint8Array | undefined;
  walls?: WallMap | undefined;
  stairs?: StairMap | undefined;
}

/** Where a device is by its track. */
export interface Tracked {
  /** False if the scan began the track: then the answer to the single scan is better. */
  isFollowed: boolean;
  position: Summary;
  posterior: Posterior;
  /** What the device carries to the next request. */
  state: Uint8Array<ArrayBuffer>;
}

/** An older track says nothing about where the device is. */
const TRACK_MS_MAX = 600_000;
/** Particles for each place when a track begins, and when it goes on. */
const EACH_AT_START = COMPACTED_MAX / CANDIDATES_MAX;
const EACH_RECOVERING = 4;
/**
 * Probability that the device is where the scan says and not where the track leads: at the usual pace, and how it grows
 * with a gap.
 */
const RECOVERY = 0.05;
/**
 * The same where no sensor guides the track: measured on walks without their sensors, of which 0.05 made followed
 * positions worse than single ones.
 */
const RECOVERY_UNGUIDED = 0.2;
const PACE_SECONDS = 5;
const GAP_SECONDS = 90;
/** Distance at which a surveyed place says nothing about a scan any more, and how its surroundings are drawn. */
const REACH_METRES = 3.9;
const PLACE_SIGMA_METRES = 1.6;
/**
 * Beyond this distance from all surveyed places a device is not in the building any more, or its steps are not its own.
 */
const OUTSIDE_METRES = 10;
/** How much the compasses and steps of devices differ. */
const DEVICE_SPREAD = { biasSigma: 0.15, strideSigma: 0.12 };

/**
 * A scan that sees the device this near to the heaviest components of its track, but behind a wall, is worth so much of
 * what it is elsewhere.
 */
const WALL_METRES = 15;
const HEAVIEST = 4;
const THROUGH_WALL = 0.01;

/** Follows devices in buildings. Keeps nothing between requests; belongs to the thread of its core. */
export class IndoorTracker {
  private readonly particles: TrackedParticles;
  private readonly climbs = new Int8Array(COMPACTED_MAX);

  constructor(particles: TrackedParticles) {
    this.particles = particles;
  }

  /**
   * Follows a device by one request.
   * @returns undefined if the device leaves the building, or the map is too wide for tracks
   */
  follow(request: TrackedRequest): Tracked | undefined {
    const { match, motion, timeMs } = request;
    if (leavesBuilding(motion)) return undefined;
    const candidates = candidatesOf(match);
    for (let i = 0; i < candidates.count; i++) {
      const place = candidates.places[i];
      if (!(Math.abs(match.east[place]) < FARTHEST_METRES && Math.abs(match.north[place]) < FARTHEST_METRES))
        return undefined;
    }
    const before = trackBefore(request);
    const seconds = before === undefined ? Number.POSITIVE_INFINITY : secondsSince(before, timeMs);
    const believed = { ...request, motion: plausibleMotion(motion, seconds) };
    if (before !== undefined) {
      const tracked = this.sumUp(believed, this.goOn(before, believed, candidates), before);
      if (!isOutside(match, candidates, tracked.position)) return tracked;
    }
    return this.sumUp(believed, this.begin(match, candidates, timeMs));
  }

  /** What the particles say together. @param before the track that they go on with */
  private sumUp({ motion, timeMs, building }: TrackedRequest, count: number, before?: Track): Tracked {
    const { components, biasSigma, strideSigma } = compactParticles(this.particles, count, this.climbs);
    const climb = components.reduce((sum, component) => sum + component.weight * component.climb, 0);
    const pressureHpa =
      before === undefined
        ? motion.pressureHpa
        : followedPressure(before.pressureHpa, motion.pressureHpa, climb, secondsSince(before, timeMs));
    return {
      isFollowed: before !== undefined,
      position: positionOf(this.particles, count, components),
      posterior: posteriorOf(components),
      state: encodeTrack({ timeMs, building, pressureHpa, biasSigma, strideSigma, components }),
    };
  }

  /** Draws the particles of a new track. @returns their number */
  private begin(match: PlaceLikelihoods, candidates: Candidates, timeMs: number): number {
    this.setCandidates(match, candidates, 1, 0, 1);
    this.particles.draw(
      { first: 0, components: candidates.count, each: EACH_AT_START },
      seedOf(timeMs),
      0,
      DEVICE_SPREAD,
    );
    this.climbs.fill(0);
    return candidates.count * EACH_AT_START;
  }

  /** Draws, moves and weighs the particles of a track. @returns their number */
  private goOn(
    before: Track,
    { match, motion, timeMs, walls, stairs }: TrackedRequest,
    candidates: Candidates,
  ): number {
    const { particles } = this;
    const seconds = secondsSince(before, timeMs);
    const parts = climbed(before, motion.pressureHpa, seconds, stairs);
    const recovery =
      1 -
      (1 - (isGuided(motion) ? RECOVERY : RECOVERY_UNGUIDED)) *
        Math.exp(-Math.max(0, seconds - PACE_SECONDS) / GAP_SECONDS);
    const seed = seedOf(timeMs);
    const { likely, unlikely } = groupsOf(parts);
    let bias = 0;
    let stride = 0;
    for (const part of parts) {
      bias += part.weight * part.bias;
      stride += part.weight * part.stride;
      part.weight *= 1 - recovery;
    }
    this.drawGroup(likely, seed, before);
    this.drawGroup(unlikely, seed, before);
    const moved = unlikely.first + unlikely.parts.length * unlikely.each;
    const move = moveOf(motion, seconds);
    particles.move(moved, seed, 1, move);
    this.setCandidates(match, candidates, recovery, bias, stride);
    if (walls !== undefined) {
      this.stopAtWalls(walls, likely);
      this.stopAtWalls(walls, unlikely);
      const heaviest = parts.slice(0, HEAVIEST).map(part => displaced(part, move));
      this.recoverAroundWalls(walls, candidates, heaviest);
    }
    particles.draw({ first: moved, components: candidates.count, each: EACH_RECOVERING }, seed, 2, before);
    const count = moved + EACH_RECOVERING * candidates.count;
    this.climbs.fill(measuredClimb(before.pressureHpa, motion.pressureHpa), moved, count);
    particles.weigh(count, candidates.count, REACH_METRES, candidates.background);
    return count;
  }

  private drawGroup({ parts, first, each }: Group, seed: number, before: Track): void {
    if (parts.length === 0) return;
    for (const [c, part] of parts.entries()) {
      this.setComponent(c, part);
      this.climbs.fill(part.climb, first + c * each, first + (c + 1) * each);
    }
    this.particles.draw({ first, components: parts.length, each }, seed, 0, before);
  }

  private setComponent(c: number, { east, north, floor, sigma, bias, stride, weight }: Component): void {
    const { particles } = this;
    particles.componentEast[c] = east;
    particles.componentNorth[c] = north;
    particles.componentFloor[c] = floor;
    particles.componentSigma[c] = sigma;
    particles.componentBias[c] = bias;
    particles.componentStride[c] = stride;
    particles.componentWeight[c] = weight;
  }

  /** Writes the candidates as places, and as components that share a weight. */
  private setCandidates(
    match: PlaceLikelihoods,
    { count, places, likelihoods }: Candidates,
    weight: number,
    bias: number,
    stride: number,
  ) {
    const { particles } = this;
    particles.componentSigma.fill(PLACE_SIGMA_METRES, 0, count);
    particles.componentBias.fill(bias, 0, count);
    particles.componentStride.fill(stride, 0, count);
    for (let i = 0; i < count; i++) {
      const place = places[i];
      particles.placeEast[i] = particles.componentEast[i] = match.east[place];
      particles.placeNorth[i] = particles.componentNorth[i] = match.north[place];
      particles.placeFloor[i] = particles.componentFloor[i] = match.floors[place];
      particles.placeWeight[i] = likelihoods[i];
      particles.componentWeight[i] = weight * likelihoods[i];
    }
  }

  /** Takes their weight from particles whose way leads through a wall. */
  private stopAtWalls(walls: WallMap, { parts, first, each }: Group): void {
    for (const [c, { floor, east, north }] of parts.entries())
      walls.stop(this.particles, floor, first + c * each, each, east, north);
  }

  /** Lets no recovery pass a wall: a device that the scan sees just behind one is on this side of it. */
  private recoverAroundWalls(walls: WallMap, { count }: Candidates, moved: readonly Component[]): void {
    const { placeEast, placeNorth, placeFloor, componentWeight } = this.particles;
    for (let p = 0; p < count; p++) {
      for (const { floor, east, north } of moved) {
        if (floor !== placeFloor[p] || Math.hypot(placeEast[p] - east, placeNorth[p] - north) > WALL_METRES) continue;
        if (!walls.block(floor, east, north, placeEast[p], placeNorth[p])) continue;
        componentWeight[p] *= THROUGH_WALL;
        break;
      }
    }
  }
}

/** The track that a request goes on with. */
function trackBefore({ state, building, timeMs }: TrackedRequest): Track | undefined {
  const track = state === undefined ? undefined : decodeTrack(state);
  if (track === undefined || track.building !== building) return undefined;
  const agoMs = timeMs - track.timeMs;
  return agoMs > 0 && agoMs <= TRACK_MS_MAX ? track : undefined;
}

/**
 * True if a position is far from all places of the map, on any floor. The candidates are nearly always enough to know.
 */
function isOutside(
  { count, east, north }: PlaceLikelihoods,
  candidates: Candidates,
  { eastMetres, northMetres }: Summary,
): boolean {
  const isNear = (place: number) => Math.hypot(east[place] - eastMetres, north[place] - northMetres) <= OUTSIDE_METRES;
  for (let i = 0; i < candidates.count; i++) if (isNear(candidates.places[i])) return false;
  for (let place = 0; place < count; place++) if (isNear(place)) return false;
  return true;
}

/** A component after a move. */
function displaced(component: Component, { lengthMetres, heading }: ParticleMove): Component {
  const metres = lengthMetres * component.stride;
  const direction = heading + component.bias;
  return {
    ...component,
    east: component.east + metres * Math.sin(direction),
    north: component.north + metres * Math.cos(direction),
  };
}

function secondsSince({ timeMs }: Track, nowMs: number): number {
  return (nowMs - timeMs) / 1000;
}

function seedOf(timeMs: number): number {
  return Math.floor(timeMs) | 0;
}
