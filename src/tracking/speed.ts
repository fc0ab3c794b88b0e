// Works out how fast a device must have moved since its last position. Both positions are uncertain, so their
// accuracies are subtracted from the distance. The result is the least possible speed, which is 0 if the circles of the
// two positions touch.

import { distanceMetres } from '../geo/distance.ts';
import type { TimedPosition } from '../radio/query/reader.ts';

/** A last location older than a day says nothing about speed: by then a device can have been anywhere and back. */
export const LAST_LOCATION_MS = 24 * 3_600_000;

/** Shortest span; shorter ones count as this, because many clients know their time only to the second. */
const SPAN_SECONDS_MIN = 1;

/**
 * The newer of two last positions of a device. A position older than a day is ignored. So is one later than the
 * request, which comes from a wrong clock or from requests out of order and says nothing about speed.
 * @param timeMs time of the request
 */
export function lastBefore(
  timeMs: number,
  a: TimedPosition | undefined,
  b: TimedPosition | undefined,
): TimedPosition | undefined {
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
  const metres =
    distanceMetres(last.latitude, last.longitude, now.latitude, now.longitude) -
    last.accuracyMetres -
    now.accuracyMetres;
  return Math.max(0, metres) / Math.max(SPAN_SECONDS_MIN, (now.timeMs - last.timeMs) / 1000);
}
