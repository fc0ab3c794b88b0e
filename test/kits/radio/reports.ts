// Reports: of what is heard somewhere, by number and the same for the same number, and any that can be.

import fc from 'fast-check';
import { isCell, KIND_LTE } from '../../../src/radio/kind.ts';
import {
  AGE_ABSENT,
  CODE_ABSENT,
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
  SIGNAL_ABSENT,
} from '../../../src/radio/query/layout.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import { uniform } from '../random.ts';
import type { Position } from './ground.ts';
import { cellKey } from './stations.ts';

export const DAY = 86_400;
/** Seconds since 1970 when reports begin: 2025-06-01. */
export const START = Date.parse('2025-06-01T00:00:00Z') / 1000;

export const HOME: Position = [50.85, 4.35];

/** Key of a cell of 206-1. */
export function cell(id: number, kind = KIND_LTE): Buffer {
  return cellKey(kind, 206, 1, 251 + (id % 3), id);
}

/** A station heard, and how. */
export interface Heard {
  key: Uint8Array;
  dbm?: number | undefined;
  code?: number;
  ageMs?: number | undefined;
}

/** Who reports: an account, or TRUSTED. */
export type Who = number;
export const TRUSTED: Who = 0;

/** A report of what `who` hears somewhere, `seconds` after START. */
export function report(
  who: Who,
  [latitude, longitude]: Position,
  seconds: number,
  heard: readonly Heard[],
  changes: Partial<Report> = {},
): Report {
  return {
    timeMs: (START + seconds) * 1000,
    isTimed: true,
    latitude,
    longitude,
    accuracyMetres: 10,
    positionAgeMs: Number.NaN,
    altitude: Number.NaN,
    heading: Number.NaN,
    floor: Number.NaN,
    speed: Number.NaN,
    contributor: who,
    isTrusted: who === TRUSTED,
    track: 0,
    observations: observationsOf(heard),
    ...changes,
  };
}

function observationsOf(heard: readonly Heard[]): Uint8Array {
  const observations = Buffer.alloc(heard.length * OBSERVATION_BYTES);
  for (const [i, { key, dbm = SIGNAL_ABSENT, code, ageMs = AGE_ABSENT }] of heard.entries()) {
    const start = i * OBSERVATION_BYTES;
    observations.set(key, start);
    observations.writeInt16LE(dbm, start + OBSERVATION_SIGNAL);
    observations.writeUInt16LE(code ?? (isCell(key[0]) ? CODE_ABSENT : 0), start + OBSERVATION_FREQUENCY);
    observations.writeUInt32LE(ageMs, start + OBSERVATION_AGE);
    observations.writeInt32LE(-1, start + OBSERVATION_TIMING);
  }
  return observations;
}

/** Report number `n` of a device that moves: timed, one a second, with two to nine access points. */
export function numberedReport(n: number, changes: Partial<Report> = {}): Report {
  const random = uniform(n + 1);
  return report(3, [50 + n / 1e5, 4 + random()], n, [], {
    accuracyMetres: 5 + random() * 10,
    track: 77,
    observations: Uint8Array.from({ length: OBSERVATION_BYTES * (2 + Math.floor(random() * 8)) }, (_, i) =>
      i % 8 < 5 ? random() * 256 : 0,
    ),
    ...changes,
  });
}

/** The number of a report from `numberedReport`. */
export function numberOf(report: Report): number {
  return report.timeMs / 1_000 - START;
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
  floor: fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -50, max: 200 })),
  speed: optional,
  contributor: fc.nat(1_048_575),
  isTrusted: fc.boolean(),
  track: fc.oneof(fc.constant(0), fc.maxSafeNat()),
  observations: fc
    .tuple(fc.nat(30), fc.infiniteStream(fc.oneof(fc.constant(0), fc.nat(255))))
    .map(([count, bytes]) => Uint8Array.from(bytes.take(count * OBSERVATION_BYTES))),
});
