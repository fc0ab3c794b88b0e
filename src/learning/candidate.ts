// A candidate location of a station: the sightings that agree on where the station is, kept as a bounded set of reference points. A sighting joins the nearest
// point of its own contributor, or becomes a new point. When there are too many, two points of the most represented contributor are merged: the two whose
// union loses least (Ward's criterion). So the points that say least go first, whatever their age, and nobody can push out what others have seen.

import { wrapE7 } from '../geo/angle.ts';
import { isCell, KIND_CDMA, KIND_GSM, KIND_WIFI } from '../radio/kind.ts';
import { type Candidate, type Heard, type ReferencePoint, SLOT_OTHERS, SLOT_TRUSTED, SLOTS } from '../tables/stations/learned.ts';
import { METRES_PER_E7, RADIANS_PER_E7 } from './middle.ts';

/** Reference points of the main candidate. One point of a cell says little; ten contributors may share them, and each needs a handful for sound radii. */
const CELL_POINTS = 64;
const OTHER_POINTS = 48;
/** Reference points of any other candidate: at least one for each slot, so that nobody loses theirs to another contributor. */
export const OTHER_CANDIDATE_POINTS = SLOT_OTHERS + 1;
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

/** The nearest point of the slot of a new one, within some metres. */
function nearestOfSlot(points: readonly ReferencePoint[], { slot, latitudeE7, longitudeE7 }: ReferencePoint, limitMetres: number) {
  const perEast = METRES_PER_E7 * Math.cos(latitudeE7 * RADIANS_PER_E7);
  let nearest: ReferencePoint | undefined;
  let least = limitMetres;
  for (let p = 0; p < points.length; p++) {
    const point = points[p];
    if (point.slot !== slot) continue;
    const north = (point.latitudeE7 - latitudeE7) * METRES_PER_E7;
    const east = wrapE7(point.longitudeE7 - longitudeE7) * perEast;
    const metres = Math.sqrt(north * north + east * east);
    if (metres > least) continue;
    least = metres;
    nearest = point;
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
