// What a report says of where and when its stations were heard, and how much that counts.

import { AGE_ABSENT } from '../radio/query/layout.ts';
import type { Report } from '../tables/observations/report.ts';
import type { Sighting } from './candidate.ts';
import { claimDayOf } from './confirmation.ts';

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
