// Where the contributors place a station, and distances around it: plane geometry over the reference points of a
// candidate. Every sighting asks for the middle of its station, so nothing here allocates memory but for a result.

import { EARTH_RADIUS_METRES, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { wrapE7 } from '../geo/angle.ts';
import { type ReferencePoint, SLOT_OTHERS, SLOT_TRUSTED } from '../tables/stations/learned_record.ts';

/** Metres a unit of latitude, of which there are ten millions in a degree, and its angle. */
export const METRES_PER_E7 = (EARTH_RADIUS_METRES * Math.PI) / 180 / 1e7;
export const RADIANS_PER_E7 = RADIANS_PER_DEGREE / 1e7;
const SLOT_COUNT = SLOT_OTHERS + 1;
/** Above the number of points of any candidate. */
export const POINTS_LIMIT = 256;

/** A position in degrees times 1e7. */
export interface Position {
  latitudeE7: number;
  longitudeE7: number;
}

/** Weighted mean of points. */
export function meanOf(points: readonly ReferencePoint[], weights: Float64Array): Position {
  const [first] = points;
  let sum = 0;
  let north = 0;
  let east = 0;
  for (let p = 0; p < points.length; p++) {
    const weight = weights[p];
    sum += weight;
    north += weight * (points[p].latitudeE7 - first.latitudeE7);
    east += weight * wrapE7(points[p].longitudeE7 - first.longitudeE7);
  }
  return offsetFrom(first, north / sum, east / sum);
}

/** By slot: the sum of the weights of its points, and of their weighted distances north and east of the first point. */
const slotWeight = new Float64Array(SLOT_COUNT);
const slotNorth = new Float64Array(SLOT_COUNT);
const slotEast = new Float64Array(SLOT_COUNT);

/**
 * Where the contributors place a station: the median of their means, north and east. Each contributor has one vote,
 * however much it reports and wherever. Trusted contributors together have two; where there are none, an imported
 * position has theirs.
 * @param imported position of the imported record; undefined where there is none, or it does not count
 * @param weights of the points, instead of their own
 */
export function middleOf(
  points: readonly ReferencePoint[],
  imported: Position | undefined,
  weights?: Float64Array,
): Position {
  const [first] = points;
  slotWeight.fill(0);
  slotNorth.fill(0);
  slotEast.fill(0);
  for (let p = 0; p < points.length; p++) {
    const { slot, latitudeE7, longitudeE7 } = points[p];
    const weight = weights === undefined ? points[p].weight : weights[p];
    slotWeight[slot] += weight;
    slotNorth[slot] += weight * (latitudeE7 - first.latitudeE7);
    slotEast[slot] += weight * wrapE7(longitudeE7 - first.longitudeE7);
  }
  northVotes.clear();
  eastVotes.clear();
  for (let slot = 0; slot < SLOT_COUNT; slot++) {
    if (slotWeight[slot] === 0) continue;
    northVotes.cast(slot, slotNorth[slot] / slotWeight[slot]);
    eastVotes.cast(slot, slotEast[slot] / slotWeight[slot]);
  }
  if (imported !== undefined) {
    northVotes.castImported(imported.latitudeE7 - first.latitudeE7);
    eastVotes.castImported(wrapE7(imported.longitudeE7 - first.longitudeE7));
  }
  return offsetFrom(first, northVotes.median(), eastVotes.median());
}

/** Votes of contributors: one each, two for the trusted ones together or for the imported record in their stead. */
export class Votes {
  /** In rising order. */
  private readonly values = new Float64Array(SLOT_COUNT + 1);
  private count = 0;
  private hasTrusted = false;

  /** Forgets all votes. */
  clear(): void {
    this.count = 0;
    this.hasTrusted = false;
  }

  /** The vote of a slot. */
  cast(slot: number, value: number): void {
    this.insert(value);
    if (slot !== SLOT_TRUSTED) return;
    this.insert(value);
    this.hasTrusted = true;
  }

  /** The vote of the imported record, cast after all slots: it counts where no trusted contributor has voted. */
  castImported(value: number): void {
    if (!this.hasTrusted) this.cast(SLOT_TRUSTED, value);
  }

  median(): number {
    return (this.values[(this.count - 1) >> 1] + this.values[this.count >> 1]) / 2;
  }

  private insert(value: number): void {
    let at = this.count++;
    for (; at > 0 && this.values[at - 1] > value; at--) this.values[at] = this.values[at - 1];
    this.values[at] = value;
  }
}

const northVotes = new Votes();
const eastVotes = new Votes();

function offsetFrom({ latitudeE7, longitudeE7 }: Position, northE7: number, eastE7: number): Position {
  return { latitudeE7: Math.round(latitudeE7 + northE7), longitudeE7: wrapE7(Math.round(longitudeE7 + eastE7)) };
}

/** Writes the metres from a position to each point. @param metres has room for all */
export function writeMetresFrom(position: Position, points: readonly ReferencePoint[], metres: Float64Array): void {
  const perEast = METRES_PER_E7 * Math.cos(position.latitudeE7 * RADIANS_PER_E7);
  for (let p = 0; p < points.length; p++) {
    const north = (points[p].latitudeE7 - position.latitudeE7) * METRES_PER_E7;
    const east = wrapE7(points[p].longitudeE7 - position.longitudeE7) * perEast;
    metres[p] = Math.sqrt(north * north + east * east);
  }
}

/** Metres between two positions that lie near each other: the plane touching at the first. */
export function metresBetween(a: Position, b: Position): number {
  const north = (b.latitudeE7 - a.latitudeE7) * METRES_PER_E7;
  const east = wrapE7(b.longitudeE7 - a.longitudeE7) * (METRES_PER_E7 * Math.cos(a.latitudeE7 * RADIANS_PER_E7));
  return Math.sqrt(north * north + east * east);
}

// The path loss of one station from its reference points: level = reference - 10 n log10(metres), fitted by weighted
// least squares with priors (ridge regression). Only for access points and beacons, as the level of a sector cell says
// little about distance, and only from many points at different distances.

/** Least number of reference points, and least spread of their log10(metres). */
const POINTS_MIN = 8;
const SPREAD_MIN = 0.25;
/** Priors: level at ten metres in dBm and exponent, each with its standard deviation over stations. */
const LEVEL_AT_TEN_DBM = -62;
const LEVEL_SIGMA_DB = 10;
const EXPONENT = 3;
const EXPONENT_SIGMA = 0.6;
/** Standard deviation of single points from the fit, dB. */
const POINT_SIGMA_DB = 7;
/** Least distance of a point: the station's own position is no better known. */
const NEAREST_METRES = 5;

/** By point: metres from the station. */
const metres = new Float64Array(POINTS_LIMIT);

/**
 * Fits a station's path loss.
 * @param weights of the points: 0 = it does not count; otherwise all count alike
 * @param position degrees times 1e7
 * @returns level at one metre in dBm and exponent as a record can hold them; undefined when the points do not determine
 *   them
 */
export function fitPathLoss(
  points: readonly ReferencePoint[],
  weights: Float64Array,
  position: Position,
): { referenceDbm: number; exponent: number } | undefined {
  if (points.length < POINTS_MIN) return undefined;
  // Unknowns: offset of the level at ten metres, change of the exponent; z = -10 log10(metres / 10).
  let zz = 1 / EXPONENT_SIGMA ** 2;
  let z1 = 0;
  let ones = 1 / LEVEL_SIGMA_DB ** 2;
  let zr = 0;
  let r1 = 0;
  let sum = 0;
  let squares = 0;
  let count = 0;
  writeMetresFrom(position, points, metres);
  for (let p = 0; p < points.length; p++) {
    if (weights[p] === 0) continue;
    count++;
    const decades = Math.log10(Math.max(metres[p], NEAREST_METRES) / 10);
    sum += decades;
    squares += decades * decades;
    const z = -10 * decades;
    const residual = points[p].levelDbm - (LEVEL_AT_TEN_DBM + EXPONENT * z);
    const weight = 1 / POINT_SIGMA_DB ** 2;
    zz += weight * z * z;
    z1 += weight * z;
    ones += weight;
    zr += weight * z * residual;
    r1 += weight * residual;
  }
  const mean = sum / count;
  if (count < POINTS_MIN || Math.sqrt(Math.max(0, squares / count - mean * mean)) < SPREAD_MIN) return undefined;
  const determinant = zz * ones - z1 * z1;
  const exponent = EXPONENT + (zr * ones - z1 * r1) / determinant;
  const levelAtTen = LEVEL_AT_TEN_DBM + (zz * r1 - z1 * zr) / determinant;
  const referenceDbm = Math.round(levelAtTen + 10 * exponent);
  if (exponent < 1.5 || exponent > 6 || referenceDbm > -1 || referenceDbm < -100) return undefined;
  return { referenceDbm, exponent };
}
