// A candidate location of a station: the sightings that agree on where the station is, kept as a bounded set of
// reference points. A sighting joins the nearest point of its own contributor, or becomes a new point. When there are
// too many, points of the most represented contributor are merged (reference_points.ts).
//
// A cell may have as many points as its sightings support: where hundreds of reports stand around a place, a fixed
// number would blur what they tell. Few cells are heard so often, so the bytes of a usual cell and the time to read its
// map stay as they are.

import { wrapE7 } from '../geo/angle.ts';
import { isCell, KIND_CDMA, KIND_GSM, KIND_WIFI } from '../radio/kind.ts';
import { AGE_ABSENT } from '../radio/query/layout.ts';
import type { Report } from '../tables/observations/report.ts';
import {
  type Candidate,
  CLAIM_DAYS,
  type Heard,
  type ReferencePoint,
  SLOT_OTHERS,
  SLOT_TRUSTED,
  SLOTS,
} from '../tables/stations/learned_record.ts';
import { METRES_PER_E7, middleOf, type Position, RADIANS_PER_E7 } from './middle.ts';
import { thinPoints, unite } from './reference_points.ts';

/**
 * Reference points of the main candidate. One point of a cell says little; ten contributors may share them, and each
 * needs a handful for sound radii. A cell has more, up to a limit, where there is one for each eight sightings.
 */
const CELL_POINTS = 64;
const CELL_POINTS_MAX = 192;
const SIGHTINGS_A_POINT = 8;
const OTHER_POINTS = 48;
/**
 * Reference points of any other candidate: at least one for each slot, so that nobody loses theirs to another
 * contributor.
 */
export const OTHER_CANDIDATE_POINTS = SLOT_OTHERS + 1;
/**
 * Sightings this close share a point: the accuracy of a good fix, and the distance over which a cell's signal changes.
 */
const CELL_POINT_METRES = 15;
const OTHER_POINT_METRES = 3;

/**
 * Metres from the middle of a candidate within which a station of a kind can be observed: further away it has moved, or
 * is another station.
 */
export function reachMetres(kind: number): number {
  if (kind === KIND_WIFI) return 500;
  if (!isCell(kind)) return 150;
  return kind === KIND_GSM || kind === KIND_CDMA ? 70_000 : 50_000;
}

/** Reference points to which the main candidate of a station is thinned. @param reports behind the candidate */
export function pointsOfKind(kind: number, reports: number): number {
  if (!isCell(kind)) return OTHER_POINTS;
  return Math.min(CELL_POINTS_MAX, Math.max(CELL_POINTS, Math.floor(reports / SIGHTINGS_A_POINT)));
}

/**
 * Most points of a candidate that is thinned to `limit` of them. Many points are thinned several at a time, as one
 * search for what to merge then serves all.
 * @returns at most 224
 */
export function pointsBeforeThinning(limit: number): number {
  return limit + (Math.max(0, limit - CELL_POINTS) >> 2);
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
  /** Day of the report's arrival, as `claimDayOf` has it. */
  claimDay: number;
  /** Cells: the other cells heard in the same report. */
  heard: readonly Heard[];
}

/** Begins a candidate with one sighting. */
export function newCandidate(sighting: Sighting): Candidate {
  const { seconds, contributor, claimDay } = sighting;
  const candidate: Candidate = {
    points: [],
    contributors: [],
    reports: 0,
    firstSeconds: seconds,
    lastSeconds: seconds,
    claimant: contributor,
    claimDay: contributor === 0 ? 0 : claimDay,
  };
  addToCandidate(candidate, sighting, 0, OTHER_CANDIDATE_POINTS);
  return candidate;
}

/**
 * Adds a sighting to a candidate.
 * @param kind of the station
 * @param limit points to which the candidate is thinned, at least one for each slot
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
  if (candidate.points.length > pointsBeforeThinning(limit)) thinPoints(candidate.points, limit, kind);
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
export function hasTrusted(candidate: Candidate): boolean {
  for (const { slot } of candidate.points) if (slot === SLOT_TRUSTED) return true;
  return false;
}

/** Mean of the points of a contributor who has a slot. */
export function meanOfContributor({ points, contributors }: Candidate, contributor: number): Position {
  const slot = contributors.indexOf(contributor) + 1;
  return middleOf(
    points.filter(point => point.slot === slot),
    undefined,
  );
}

/** The nearest point of the slot of a new one, within some metres. */
function nearestOfSlot(
  points: readonly ReferencePoint[],
  { slot, latitudeE7, longitudeE7 }: ReferencePoint,
  limitMetres: number,
) {
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

// What a report says of where and when its stations were heard, and how much that counts.

/**
 * Positions this accurate, readings this young and devices this slow have full weight; beyond, the square root of the
 * ratio.
 */
const FULL_ACCURACY_METRES = 10;
const FULL_AGE_MS = 2_000;
const FULL_SPEED = 5;
/** Accuracy of a position that states none. */
const ACCURACY_METRES_UNKNOWN = 30;
/** Seconds since 1970 that a record can hold: up to the year 2106. */
const SECONDS_MAX = 2 ** 32 - 1;
const DAY_MS = 86_400_000;

/** Radius of a report's position, metres. */
export function accuracyOf({ accuracyMetres }: Report): number {
  return Number.isNaN(accuracyMetres) ? ACCURACY_METRES_UNKNOWN : accuracyMetres;
}

/**
 * The sighting that stations of a report get: those of one station differ in level, weight and neighbours. @param
 * receivedMs time of its arrival
 */
export function sightingOf(report: Report, receivedMs: number): Sighting {
  const accuracyMetres = accuracyOf(report);
  const speed = Number.isNaN(report.speed) ? 0 : report.speed;
  return {
    latitudeE7: Math.round(report.latitude * 1e7),
    longitudeE7: Math.round(report.longitude * 1e7),
    accuracyMetres,
    weight:
      Math.sqrt(FULL_ACCURACY_METRES / Math.max(accuracyMetres, FULL_ACCURACY_METRES)) *
      Math.sqrt(FULL_SPEED / Math.max(speed, FULL_SPEED)),
    levelDbm: 0,
    seconds: Math.min(Math.max(Math.floor(report.timeMs / 1000), 0), SECONDS_MAX),
    contributor: report.contributor,
    isTrusted: report.isTrusted,
    claimDay: claimDayOf(receivedMs),
    heard: [],
  };
}

/** A reading taken at another time than the position counts less. */
export function weightOfAge(ageMs: number, positionAgeMs: number): number {
  const apart = Math.abs((ageMs === AGE_ABSENT ? 0 : ageMs) - (Number.isNaN(positionAgeMs) ? 0 : positionAgeMs));
  return Math.sqrt(FULL_AGE_MS / Math.max(apart, FULL_AGE_MS));
}

/** The day of an arrival, as claims have it. */
export function claimDayOf(receivedMs: number): number {
  return Math.floor(receivedMs / DAY_MS) % CLAIM_DAYS;
}
