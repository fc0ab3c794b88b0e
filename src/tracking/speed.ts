// How fast must a device have moved from where it was last? The device is somewhere around each of the two places, so the distance counts only as far as
// both accuracies do not explain it; the speed is the least that the places allow, and 0 where their circles touch.

import { distanceMetres } from '../geo/distance.ts';

/** A position at a time. */
export interface TimedPosition {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Radius that holds half of the truths. */
  accuracyMetres: number;
  /** Milliseconds since 1970. */
  timeMs: number;
}

/** After a day a last location says nothing about speed any more: within it a device can have been anywhere and back. */
export const LAST_LOCATION_MS = 24 * 3_600_000;

/** Shorter spans count as this one: many clients know their time to the second only. */
const SPAN_SECONDS_MIN = 1;

/**
 * The newer of what is known of where a device was. One that is a day old is not known any more, and one later than the request, of a clock that is set
 * wrong or of requests that arrive in another order, says nothing about how fast this position was reached.
 * @param timeMs time of the request
 */
export function lastBefore(timeMs: number, a: TimedPosition | undefined, b: TimedPosition | undefined): TimedPosition | undefined {
  const first = isKnown(timeMs, a) ? a : undefined;
  if (!isKnown(timeMs, b)) return first;
  return first === undefined || b!.timeMs > first.timeMs ? b : first;
}

function isKnown(timeMs: number, position: TimedPosition | undefined): boolean {
  if (position === undefined) return false;
  const agoMs = timeMs - position.timeMs;
  return agoMs > -1000 * SPAN_SECONDS_MIN && agoMs <= LAST_LOCATION_MS;
}

/** The least speed in m/s from one position to a later one. */
export function speedBetween(last: TimedPosition, now: TimedPosition): number {
  const metres = distanceMetres(last.latitude, last.longitude, now.latitude, now.longitude) - last.accuracyMetres - now.accuracyMetres;
  return Math.max(0, metres) / Math.max(SPAN_SECONDS_MIN, (now.timeMs - last.timeMs) / 1000);
}
