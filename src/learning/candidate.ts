// A candidate location of a station: the sightings that agree on where the station is, kept as a bounded set of reference points. A sighting joins the nearest
// point of its own contributor, or becomes a new point. When there are too many, two points of the most represented contributor are merged: the two whose
// union loses least (Ward's criterion). So the points that say least go first, whatever their age, and nobody can push out what others have seen.

import { EARTH_RADIUS_METRES, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { wrapE7 } from '../geo/angle.ts';
import { isCell, KIND_CDMA, KIND_GSM, KIND_WIFI } from '../radio/kind.ts';
import { type Candidate, type Heard, type ReferencePoint, SLOT_OTHERS, SLOT_TRUSTED, SLOTS } from '../tables/stations/learned.ts';

/** Metres a degree of latitude. */
const METRES_PER_E7 = (EARTH_RADIUS_METRES * Math.PI) / 180 / 1e7;
const RADIANS_PER_E7 = RADIANS_PER_DEGREE / 1e7;

/** Reference points of the main candidate. One point of a cell says little; ten contributors may share them, and each needs a handful for sound radii. */
const CELL_POINTS = 64;
const OTHER_POINTS = 48;
/** Reference points of any other candidate: at least one for each slot, so that nobody loses theirs to another contributor. */
export const OTHER_CANDIDATE_POINTS = SLOT_OTHERS + 1;
const SLOT_COUNT = SLOT_OTHERS + 1;
/** Sightings this close share a point: the accuracy of a good fix, and the distance over which a cell's signal changes. */
const CELL_POINT_METRES = 15;
const OTHER_POINT_METRES = 3;
/** Other cells remembered at a point: those heard most often. */
export const HEARD_LIMIT = 8;

/** Metres from the middle of a candidate within which a station of a kind can be observed: further away it has moved, or is another station. */
export function reachMetres(kind: number): number {
  if (kind === KIND_WIFI) return 500;
  if (!isCell(kind)) return 150;
  return kind === KIND_GSM || kind === KIND_CDMA ? 70_000 : 50_000;
}

/** Reference points that the main candidate of a station of this kind may have. */
export function pointsOfKind(kind: number): number {
  return isCell(kind) ? CELL_POINTS : OTHER_POINTS;
}

/** Level that stands for a reading without one: a median of such readings. */
export function usualLevelDbm(kind: number): number {
  if (kind === KIND_WIFI) return -80;
  if (!isCell(kind)) return -85;
  return kind === KIND_GSM || kind === KIND_CDMA ? -90 : -100;
}

/** One station heard once. */
export interface Sighting {
  latitudeE7: number;
  longitudeE7: number;
  /** Radius of the position, metres. */
  accuracyMetres: number;
  /** How much the sighting counts, above 0 up to 1. */
  weight: number;
  levelDbm: number;
  /** Seconds since 1970. */
  seconds: number;
  contributor: number;
  isTrusted: boolean;
  /** Cells: the other cells heard in the same report. */
  heard: readonly Heard[];
}

/** Begins a candidate with one sighting. */
export function newCandidate(sighting: Sighting): Candidate {
  const { seconds } = sighting;
  const candidate: Candidate = { points: [], contributors: [], reports: 0, firstSeconds: seconds, lastSeconds: seconds };
  addToCandidate(candidate, sighting, 0, OTHER_CANDIDATE_POINTS);
  return candidate;
}

/**
 * Adds a sighting to a candidate.
 * @param kind of the station
 * @param limit most points of the candidate, at least one for each slot
 */
export function addToCandidate(candidate: Candidate, sighting: Sighting, kind: number, limit: number): void {
  const slot = slotOf(candidate, sighting);
  candidate.reports = Math.min(candidate.reports + 1, 65_535);
  candidate.firstSeconds = Math.min(candidate.firstSeconds, sighting.seconds);
  candidate.lastSeconds = Math.max(candidate.lastSeconds, sighting.seconds);
  const point: ReferencePoint = {
    latitudeE7: sighting.latitudeE7,
    longitudeE7: sighting.longitudeE7,
    weight: Math.fround(sighting.weight),
    levelDbm: Math.fround(sighting.levelDbm),
    count: 1,
    lastDay: Math.floor(sighting.seconds / 86_400),
    slot,
    heard: sighting.heard.map(one => ({ ...one })),
  };
  const near = nearestOfSlot(candidate.points, point, isCell(kind) ? CELL_POINT_METRES : OTHER_POINT_METRES);
  if (near !== undefined) {
    unite(near, point, kind);
    return;
  }
  candidate.points.push(point);
  while (candidate.points.length > limit) thin(candidate.points, kind);
}

/** The slot of a sighting's contributor; a new one takes a free slot. */
function slotOf(candidate: Candidate, { isTrusted, contributor }: Sighting): number {
  if (isTrusted) return SLOT_TRUSTED;
  const index = candidate.contributors.indexOf(contributor);
  if (index >= 0) return index + 1;
  if (candidate.contributors.length === SLOTS) return SLOT_OTHERS;
  candidate.contributors.push(contributor);
  return candidate.contributors.length;
}

/** A trusted contributor, or two others, have seen the station here. */
export function isBacked(candidate: Candidate): boolean {
  return candidate.contributors.length >= 2 || hasTrusted(candidate);
}

/** A trusted contributor has seen the station here. */
function hasTrusted(candidate: Candidate): boolean {
  for (const { slot } of candidate.points) if (slot === SLOT_TRUSTED) return true;
  return false;
}

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

/**
 * Where the contributors place a station: the median of their means, north and east. Each contributor has one vote, however much it reports and
 * wherever. Trusted contributors together have two; where there are none, an imported position has theirs.
 * @param imported position of the imported record; undefined where there is none, or it does not count
 * @param weights of the points, instead of their own
 */
export function middleOf(points: readonly ReferencePoint[], imported: Position | undefined, weights?: Float64Array): Position {
  const [first] = points;
  const sums = new Float64Array(3 * SLOT_COUNT);
  for (let p = 0; p < points.length; p++) {
    const { slot, latitudeE7, longitudeE7 } = points[p];
    const weight = weights === undefined ? points[p].weight : weights[p];
    sums[slot] += weight;
    sums[slot + SLOT_COUNT] += weight * (latitudeE7 - first.latitudeE7);
    sums[slot + 2 * SLOT_COUNT] += weight * wrapE7(longitudeE7 - first.longitudeE7);
  }
  const north = new Votes();
  const east = new Votes();
  for (let slot = 0; slot < SLOT_COUNT; slot++) {
    if (sums[slot] === 0) continue;
    north.cast(slot, sums[slot + SLOT_COUNT] / sums[slot]);
    east.cast(slot, sums[slot + 2 * SLOT_COUNT] / sums[slot]);
  }
  if (imported !== undefined) {
    north.castImported(imported.latitudeE7 - first.latitudeE7);
    east.castImported(wrapE7(imported.longitudeE7 - first.longitudeE7));
  }
  return offsetFrom(first, north.median(), east.median());
}

/** Votes of contributors: one each, two for the trusted ones together or for the imported record in their stead. */
export class Votes {
  private readonly values = new Float64Array(SLOT_COUNT + 1);
  private count = 0;
  private hasTrusted = false;

  /** The vote of a slot. */
  cast(slot: number, value: number): void {
    this.values[this.count++] = value;
    if (slot !== SLOT_TRUSTED) return;
    this.values[this.count++] = value;
    this.hasTrusted = true;
  }

  /** The vote of the imported record, cast after all slots: it counts where no trusted contributor has voted. */
  castImported(value: number): void {
    if (!this.hasTrusted) this.cast(SLOT_TRUSTED, value);
  }

  median(): number {
    const sorted = this.values.subarray(0, this.count).sort();
    return (sorted[(this.count - 1) >> 1] + sorted[this.count >> 1]) / 2;
  }
}

function offsetFrom({ latitudeE7, longitudeE7 }: Position, northE7: number, eastE7: number): Position {
  return { latitudeE7: Math.round(latitudeE7 + northE7), longitudeE7: wrapE7(Math.round(longitudeE7 + eastE7)) };
}

/** Metres from a position to each point. */
export function metresFrom(position: Position, points: readonly ReferencePoint[]): Float64Array {
  const perEast = METRES_PER_E7 * Math.cos(position.latitudeE7 * RADIANS_PER_E7);
  const metres = new Float64Array(points.length);
  for (let p = 0; p < points.length; p++) {
    const north = (points[p].latitudeE7 - position.latitudeE7) * METRES_PER_E7;
    const east = wrapE7(points[p].longitudeE7 - position.longitudeE7) * perEast;
    metres[p] = Math.sqrt(north * north + east * east);
  }
  return metres;
}

/** Metres between two positions that lie near each other: the plane touching at the first. */
export function metresBetween(a: Position, b: Position): number {
  const north = (b.latitudeE7 - a.latitudeE7) * METRES_PER_E7;
  const east = wrapE7(b.longitudeE7 - a.longitudeE7) * (METRES_PER_E7 * Math.cos(a.latitudeE7 * RADIANS_PER_E7));
  return Math.sqrt(north * north + east * east);
}

function nearestOfSlot(points: readonly ReferencePoint[], point: ReferencePoint, limitMetres: number): ReferencePoint | undefined {
  const metres = metresFrom(point, points);
  let nearest: ReferencePoint | undefined;
  let least = limitMetres;
  for (let p = 0; p < points.length; p++) {
    if (points[p].slot !== point.slot || metres[p] > least) continue;
    least = metres[p];
    nearest = points[p];
  }
  return nearest;
}

/**
 * Merges `other` into `point` by weighted means. The level of an access point is that of the mean amplitude, which tells its distance; the level of a cell is
 * the mean of the levels, with which the next reading is compared.
 */
function unite(point: ReferencePoint, other: ReferencePoint, kind: number): void {
  const weight = point.weight + other.weight;
  const share = other.weight / weight;
  point.latitudeE7 = Math.round(point.latitudeE7 + share * (other.latitudeE7 - point.latitudeE7));
  point.longitudeE7 = wrapE7(Math.round(point.longitudeE7 + share * wrapE7(other.longitudeE7 - point.longitudeE7)));
  point.levelDbm = Math.fround(
    isCell(kind)
      ? point.levelDbm + share * (other.levelDbm - point.levelDbm)
      : 20 * Math.log10(amplitudeOf(point.levelDbm) * (1 - share) + amplitudeOf(other.levelDbm) * share),
  );
  point.weight = Math.fround(weight);
  uniteHeard(point, other);
  point.count = Math.min(point.count + other.count, 65_535);
  point.lastDay = Math.max(point.lastDay, other.lastDay);
}

/** Merges the other cells heard: their levels are means by count, and the most frequent cells stay. */
function uniteHeard({ heard }: ReferencePoint, other: ReferencePoint): void {
  for (const own of other.heard) {
    let known: Heard | undefined;
    for (const one of heard) if (one.neighbour === own.neighbour) known = one;
    if (known === undefined) {
      heard.push(own);
      continue;
    }
    known.levelE2 = Math.round((known.levelE2 * known.count + own.levelE2 * own.count) / (known.count + own.count));
    known.count = Math.min(known.count + own.count, 65_535);
  }
  if (heard.length <= HEARD_LIMIT) return;
  heard.sort((a, b) => b.count - a.count || b.levelE2 - a.levelE2 || a.neighbour - b.neighbour);
  heard.length = HEARD_LIMIT;
}

/** Amplitude of a level, relative to 0 dBm. */
export function amplitudeOf(levelDbm: number): number {
  return 10 ** (levelDbm / 20);
}

/** Merges the two points of the most represented slot whose union loses least. There are more points than slots. */
function thin(points: ReferencePoint[], kind: number): void {
  const counts = new Array<number>(SLOT_OTHERS + 1).fill(0);
  for (const { slot } of points) counts[slot]++;
  const slot = counts.indexOf(Math.max(...counts));
  let least = Number.POSITIVE_INFINITY;
  let first = -1;
  let second = -1;
  const cosine = Math.cos(points[0].latitudeE7 * RADIANS_PER_E7);
  for (let a = 0; a < points.length; a++) {
    if (points[a].slot !== slot) continue;
    const { latitudeE7, longitudeE7, weight } = points[a];
    for (let b = a + 1; b < points.length; b++) {
      const other = points[b];
      if (other.slot !== slot) continue;
      const north = other.latitudeE7 - latitudeE7;
      const east = wrapE7(other.longitudeE7 - longitudeE7) * cosine;
      const loss = ((weight * other.weight) / (weight + other.weight)) * (north * north + east * east);
      if (loss >= least) continue;
      least = loss;
      first = a;
      second = b;
    }
  }
  unite(points[first], points[second], kind);
  points.splice(second, 1);
}
