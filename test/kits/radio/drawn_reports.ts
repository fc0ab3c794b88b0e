// Reports for tests: one by number, the same for the same number, and any that can be.

import fc from 'fast-check';
import { OBSERVATION_BYTES } from '../../../src/radio/query/layout.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import { uniform } from '../random.ts';

const FIRST_MS = Date.parse('2025-06-01T00:00:00Z');

/** Report number `n` of a device that moves: timed, one a second, with two to nine access points. */
export function numberedReport(n: number, changes: Partial<Report> = {}): Report {
  const random = uniform(n + 1);
  return {
    timeMs: FIRST_MS + n * 1_000,
    isTimed: true,
    latitude: 50 + n / 1e5,
    longitude: 4 + random(),
    accuracyMetres: 5 + random() * 10,
    positionAgeMs: Number.NaN,
    altitude: Number.NaN,
    heading: Number.NaN,
    speed: Number.NaN,
    contributor: 3,
    isTrusted: false,
    track: 77,
    observations: Uint8Array.from({ length: OBSERVATION_BYTES * (2 + Math.floor(random() * 8)) }, (_, i) =>
      i % 8 < 5 ? random() * 256 : 0,
    ),
    ...changes,
  };
}

/** The number of a report from `numberedReport`. */
export function numberOf(report: Report): number {
  return (report.timeMs - FIRST_MS) / 1_000;
}

const optional = fc.oneof(fc.constant(Number.NaN), fc.double({ noNaN: true, noDefaultInfinity: true }));

/** Any report. */
export const anyReport: fc.Arbitrary<Report> = fc.record({
  timeMs: fc.double({ min: 0, max: 4e12, noNaN: true }),
  isTimed: fc.boolean(),
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  accuracyMetres: optional,
  positionAgeMs: optional,
  altitude: optional,
  heading: optional,
  speed: optional,
  contributor: fc.nat(1_048_575),
  isTrusted: fc.boolean(),
  track: fc.oneof(fc.constant(0), fc.maxSafeNat()),
  observations: fc
    .tuple(fc.nat(30), fc.infiniteStream(fc.oneof(fc.constant(0), fc.nat(255))))
    .map(([count, bytes]) => Uint8Array.from(bytes.take(count * OBSERVATION_BYTES))),
});
