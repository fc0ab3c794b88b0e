// Where a device may be by the cells that it hears now and by where it was: a particle filter over position and
// velocity, which forgets all but a few places from request to request (compact.ts).
//
//   - A place moves on by an Ornstein-Uhlenbeck velocity, which stays alike for minutes, and wanders besides, as roads
//     bend and maps have gaps. Both are Gaussian,
//     so the mixture of the places is moved by formula, and particles are drawn of what it is then.
//   - A few particles begin where this scan alone says: a track that is wrong has an end.
//   - A particle is weighed by the points of the maps around it (points.ts). Successive scans err alike, because they
//     hear the same cells and are compared with the
//     same maps: one that follows after a second says less than one after five.
//   - Where no point is, a particle is as likely as if the maps explained the scan badly: a device may be where its
//     cells were never observed.
//
// The answer is among the points, each weighed by the scan and by the particles that lead to it, and the places, which
// stand for what was never observed.
//
// The constants were compared on drives and walks with cells alone (cork, jiading and belgium; lab/accuracy.md).

import { MAX_POINTS, STATUS_OK } from '../../../../wasm/memory.ts';
import type { MovingParticles } from '../../../core/moving_particles.ts';
import { centre, type Weighted } from '../map/centre.ts';
import { TEMPERATURE } from '../map/compare.ts';
import { CANDIDATES_MAX, type MapMatch } from '../map/map_radii.ts';
import { compactPlaces } from './compact.ts';
import { type CellPast, type PastPlace, PLACES_MAX } from './past.ts';
import { ALL_POINTS, type Points } from './points.ts';

/** Particles of each place, and of each point where this scan alone says that the device is. */
const PARTICLES_A_PLACE = 16;
const PARTICLES_A_POINT = 4;
/** Such points where a track begins, and beside a track, with the share of the weight that these have then. */
const POINTS_AT_BEGIN = 160;
const POINTS_BESIDE = 10;
const SHARE_BESIDE = 0.0005;
/** How long a velocity stays alike. */
const VELOCITY_SECONDS = 300;
/** No device is so many times as fast as usual: one that has come to rest has lost its speed. */
const FASTEST = 2;
/** How far a device wanders besides, in a second: so many times its usual speed; it grows with the root of time. */
const WANDER = 1.67;
/** Distance from a point at which a device hears what was heard there. */
const POINT_METRES = 75;
/** Power of the likelihood of a scan where a track begins, and for the answer. */
const POWER_AT_BEGIN = 0.7;
const POWER_OF_ANSWER = 0.7;
/** Elsewhere the power grows to 1 with the time since the last scan, as 1 - e^(-t / this). */
const ALIKE_SECONDS = 2;
/**
 * Likelihood where no point is, against that of a point: as if all points explained the scan so badly, by the number of
 * cells that are compared.
 */
const BACKGROUND = 0.1;
const BACKGROUND_COST = 3;
const BACKGROUND_COST_OF_CELL = 1.5;
/** Keeps that within what single precision can hold. */
const BACKGROUND_EXPONENT_MAX = 30;
/** Share of the particles that leads to a point where none does. */
const ELSEWHERE = 0.0002;
/** Likelihood of all places together to be where the maps have no point. */
const UNOBSERVED = 0.4;
/** Width of the kernel that finds the middle of what is likely. */
const KERNEL_METRES = 100;

const weight = new Float64Array(CANDIDATES_MAX);
const east = new Float64Array(CANDIDATES_MAX);
const north = new Float64Array(CANDIDATES_MAX);
const prior = new Float64Array(CANDIDATES_MAX);
const squaredDistance = new Float64Array(CANDIDATES_MAX);
const relative = new Float64Array(ALL_POINTS);

/** The places now, and how the candidates match, seen from where the device is. */
interface Followed {
  places: PastPlace[];
  match: MapMatch;
}

/**
 * Follows a device to where it is now, in the frame of the particles.
 * @param gathered at least one point (points.ts)
 * @param single the match by this scan alone
 */
export function followPlaces(particles: MovingParticles, past: CellPast, gathered: Points, single: MapMatch): Followed {
  const points = { ...gathered, count: Math.min(gathered.count, MAX_POINTS) };
  weighPriors(points);
  const begun = drawPast(particles, past);
  const drawn = begun + drawPoints(particles, past, points, begun);
  const power = begun === 0 ? POWER_AT_BEGIN : 1 - Math.exp(-past.seconds / ALIKE_SECONDS);
  const worst = BACKGROUND_COST + BACKGROUND_COST_OF_CELL * single.cells;
  weigh(particles, points, drawn, worst, power / TEMPERATURE);
  const places = compactPlaces(particles, drawn);
  const candidates = weighAnswer(particles, places, points);
  const middle = centre(candidates, KERNEL_METRES);
  for (let c = 0; c < candidates.count; c++)
    squaredDistance[c] = (east[c] - middle.east) ** 2 + (north[c] - middle.north) ** 2;
  return { places, match: { ...single, candidates: candidates.count, middle, squaredDistance, weight, prior } };
}

/**
 * Observations of the points, as far as they count beside a track, which says where the device goes: their fourth root,
 * 1 in the mean.
 */
function weighPriors(points: Points): void {
  let sum = 0;
  for (let p = 0; p < points.count; p++) {
    relative[p] = Math.sqrt(points.prior[p]);
    sum += relative[p];
  }
  for (let p = 0; p < points.count; p++) relative[p] *= points.count / sum;
}

/** Draws particles of the places, moved. @returns their number; 0 where a track begins */
function drawPast(particles: MovingParticles, { places, seconds, usualSpeed, seed }: CellPast): number {
  const { frame } = particles;
  const kept = Math.exp(-seconds / VELOCITY_SECONDS);
  const lasting = ((1 + kept) / 2) * seconds;
  const fresh = (1 - kept * kept) * usualSpeed * usualSpeed;
  const wandered = (WANDER * usualSpeed) ** 2 * seconds;
  let components = 0;
  let sum = 0;
  for (const place of places) {
    if (components === PLACES_MAX) break;
    const { sigmaMetres } = place;
    const slower = Math.min(
      1,
      (FASTEST * usualSpeed) / Math.hypot(place.eastSpeed, place.northSpeed, place.speedSigma),
    );
    const eastSpeed = slower * place.eastSpeed;
    const northSpeed = slower * place.northSpeed;
    const speedVariance = (slower * place.speedSigma) ** 2;
    const variance =
      sigmaMetres * sigmaMetres + lasting * lasting * speedVariance + (fresh * seconds * seconds) / 4 + wandered;
    const covariance = lasting * kept * speedVariance + (fresh * seconds) / 2;
    particles.componentEast[components] = frame.eastOf(place.longitude) + lasting * eastSpeed;
    particles.componentNorth[components] = frame.northOf(place.latitude) + lasting * northSpeed;
    particles.componentEastSpeed[components] = kept * eastSpeed;
    particles.componentNorthSpeed[components] = kept * northSpeed;
    particles.componentSigma[components] = Math.sqrt(variance);
    particles.componentSlope[components] = covariance / variance;
    particles.componentSpeedSigma[components] = Math.sqrt(
      Math.max(0, kept * kept * speedVariance + fresh - (covariance * covariance) / variance),
    );
    particles.componentWeight[components] = place.weight;
    sum += place.weight;
    components++;
  }
  if (components === 0) return 0;
  for (let c = 0; c < components; c++) particles.componentWeight[c] *= (1 - SHARE_BESIDE) / sum;
  mustBeOk(particles.draw(0, components, PARTICLES_A_PLACE, seed));
  return components * PARTICLES_A_PLACE;
}

/** Draws particles of the points that are likeliest by this scan alone. @param begun particles that there are */
function drawPoints(
  particles: MovingParticles,
  { usualSpeed, seed }: CellPast,
  { count, east: easts, north: norths, cost, least }: Points,
  begun: number,
): number {
  for (let p = 0; p < count; p++)
    weight[p] = relative[p] * Math.exp(-POWER_AT_BEGIN * (cost[p] / TEMPERATURE - least / TEMPERATURE));
  const likeliest = likeliestOf(count, begun === 0 ? POINTS_AT_BEGIN : POINTS_BESIDE);
  const sum = likeliest.reduce((total, p) => total + weight[p], 0);
  const share = (begun === 0 ? 1 : SHARE_BESIDE) / sum;
  for (const [c, p] of likeliest.entries()) {
    particles.componentEast[c] = easts[p];
    particles.componentNorth[c] = norths[p];
    particles.componentEastSpeed[c] = 0;
    particles.componentNorthSpeed[c] = 0;
    particles.componentSigma[c] = POINT_METRES / 2;
    particles.componentSlope[c] = 0;
    particles.componentSpeedSigma[c] = usualSpeed;
    particles.componentWeight[c] = weight[p] * share;
  }
  mustBeOk(particles.draw(begun, likeliest.length, PARTICLES_A_POINT, seed));
  return likeliest.length * PARTICLES_A_POINT;
}

/** The points with most weight, the likeliest first. */
function likeliestOf(points: number, most: number): number[] {
  const first: number[] = [];
  for (let p = 0; p < points; p++) {
    if (first.length === most && weight[p] <= weight[first[most - 1]]) continue;
    let to = first.length;
    while (to > 0 && weight[first[to - 1]] < weight[p]) to--;
    first.splice(to, 0, p);
    if (first.length > most) first.pop();
  }
  return first;
}

/**
 * Weighs the particles by the points, and these by the particles. @param worst cost where no point is @param power of
 * the likelihood
 */
function weigh(
  particles: MovingParticles,
  { count, east: easts, north: norths, cost, least }: Points,
  drawn: number,
  worst: number,
  power: number,
): void {
  for (let p = 0; p < count; p++) {
    particles.pointEast[p] = easts[p];
    particles.pointNorth[p] = norths[p];
    particles.pointWeight[p] = relative[p] * Math.exp(-power * (cost[p] - least));
  }
  const exponent = Math.min(BACKGROUND_EXPONENT_MAX, power * (least - worst));
  mustBeOk(particles.weigh(drawn, count, POINT_METRES, BACKGROUND * Math.exp(exponent)));
}

/** Weighs what may be the answer: the points, and the places. */
function weighAnswer({ frame, pointDensity }: MovingParticles, places: readonly PastPlace[], points: Points): Weighted {
  const { answerCost } = points;
  let least = Number.POSITIVE_INFINITY;
  for (let p = 0; p < points.count; p++) least = Math.min(least, answerCost[p]);
  let sum = 0;
  for (let p = 0; p < points.count; p++) {
    east[p] = points.east[p];
    north[p] = points.north[p];
    prior[p] = points.prior[p];
    const likely = relative[p] * Math.exp((-POWER_OF_ANSWER * (answerCost[p] - least)) / TEMPERATURE);
    weight[p] = (pointDensity[p] + ELSEWHERE) * likely;
    sum += weight[p];
  }
  let { count } = points;
  for (const place of places) {
    east[count] = frame.eastOf(place.longitude);
    north[count] = frame.northOf(place.latitude);
    prior[count] = 0;
    weight[count++] = UNOBSERVED * sum * place.weight;
  }
  for (let c = 0; c < count; c++) weight[c] /= (1 + UNOBSERVED) * sum;
  return { count, east, north, weight };
}

/** Particles and points are finite and as many as there is room for. */
function mustBeOk(status: number): void {
  if (status !== STATUS_OK)
    throw new Error(`The core cannot follow a device by its particles: it returned status ${status}.`);
}
