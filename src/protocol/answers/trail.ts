// The answer of GET /trail: where an access point was heard, and when last. It is made of what was learned of it:
// points that each stand for some observations beside each other.

import { formatMac } from '../../radio/mac.ts';
import type { Candidate } from '../../tables/stations/learned_record.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';

const DAY_MS = 86_400_000;

interface TrailPoint {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  location: { lat: number; lng: number };
  observations: number;
}

/** The trail of a station through some of its places, in the order of the days. */
export function trailOf(places: readonly Candidate[]): TrailPoint[] {
  const points = places.flatMap(({ points }) => points).sort((a, b) => a.lastDay - b.lastDay);
  return points.map(({ lastDay, latitudeE7, longitudeE7, count }) => ({
    date: new Date(lastDay * DAY_MS).toISOString().slice(0, 10),
    location: { lat: latitudeE7 / 1e7, lng: longitudeE7 / 1e7 },
    observations: count,
  }));
}

/** The text of the answer. @param mac 48 bits */
export function trailText(mac: number, trail: readonly TrailPoint[], logId: number): string {
  return JSON.stringify({ macAddress: formatMac(mac), trail, logId });
}

/** Its schemas. */
export const TRAIL_ANSWERS: Readonly<Record<string, Schema>> = {
  Trail: closedObject({
    macAddress: { type: 'string', pattern: '^([0-9a-f]{2}:){5}[0-9a-f]{2}$' },
    trail: { type: 'array', minItems: 1, items: ref('TrailPoint'), description: 'In the order of the days.' },
    logId: ref('LogId'),
  }),
  TrailPoint: closedObject({
    date: { type: 'string', format: 'date', description: 'Day of the last observation there, UTC.' },
    location: closedObject({
      lat: { type: 'number', minimum: -90, maximum: 90 },
      lng: { type: 'number', minimum: -180, maximum: 180 },
    }),
    observations: { type: 'integer', minimum: 1, maximum: 65_535 },
  }),
};
