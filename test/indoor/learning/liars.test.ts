// What one untrusted account can do to the map of a drawn building of four floors that was surveyed: the floors that
// scans are told, with its lies and without.

import { expect, test } from 'vitest';
import { buildFingerprintMap } from '../../../src/indoor/fingerprints/build_map.ts';
import { FingerprintMap } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { countedFingerprints, type PlacedFingerprint } from '../../../src/indoor/learning/counted_fingerprints.ts';
import { type DrawnRadio, heardAt, scanOf } from '../../kits/fingerprints/drawn_building.ts';
import { uniform } from '../../kits/random.ts';

const FLOORS = 4;
const SCANS = 300;
const random = uniform(11);
const RADIOS = Array.from(
  { length: 48 },
  (_, i): DrawnRadio => ({ radio: i, floor: i % FLOORS, east: 60 * random(), north: 40 * random() }),
);

function heard(contributor: number, floor: number, eastMetres: number, northMetres: number): PlacedFingerprint {
  const readings = heardAt(RADIOS, [floor, eastMetres, northMetres], 12, 4, random).map(({ radio, levelDbm }) => ({
    radio,
    levelDbm: Math.round(levelDbm),
    ageMs: Number.NaN,
  }));
  return {
    floor,
    eastMetres,
    northMetres,
    contributor,
    isTrusted: contributor === 0,
    timeMs: 1e12,
    bytes: 1_000,
    readings,
  };
}

const SURVEY = Array.from({ length: FLOORS * 54 }, (_, i) => {
  const point = Math.floor(i / FLOORS);
  return heard(0, i % FLOORS, 3 + 6.5 * (point % 9), 3 + 7 * Math.floor(point / 9));
});
const ASKED = Array.from({ length: SCANS }, (_, i) => heard(1, i % FLOORS, 60 * random(), 40 * random()));

/** Scans that are told their floor. */
function rightFloors(lies: readonly PlacedFingerprint[]): number {
  const counted = countedFingerprints([...SURVEY, ...lies]).map(({ isTrusted, contributor, ...fingerprint }) => ({
    ...fingerprint,
    ...(isTrusted ? {} : { contributor }),
  }));
  const map = new FingerprintMap(buildFingerprintMap(counted, { latitude: 50, longitude: 4 }));
  return ASKED.filter(({ floor, readings }) => {
    const { floors, logLikelihood } = map.match(scanOf(readings))!;
    return floors[logLikelihood.indexOf(Math.max(...logLikelihood))] === floor;
  }).length;
}

const capped = (fingerprint: PlacedFingerprint): PlacedFingerprint => ({
  ...fingerprint,
  contributor: 7,
  isTrusted: false,
  readings: fingerprint.readings.map(reading => ({ ...reading, levelDbm: Math.min(reading.levelDbm, -66) })),
});
const RIGHT = rightFloors([]);

test('the survey tells nearly all floors', () => {
  expect(RIGHT).toBeGreaterThan(0.97 * SCANS);
});

test('its scans, weakened and told of a floor that nobody else knows, move none', () => {
  expect(rightFloors(SURVEY.map(scan => ({ ...capped(scan), floor: scan.floor + 40 })))).toBe(RIGHT);
});

test('told of the floor above, they move hardly any', () => {
  const lies = SURVEY.map(scan => ({ ...capped(scan), floor: (scan.floor + 1) % FLOORS }));
  expect(Math.abs(rightFloors(lies) - RIGHT)).toBeLessThanOrEqual(0.03 * SCANS);
});

test('what an honest account has heard counts beside the survey', () => {
  const honest = Array.from({ length: 200 }, (_, i) => heard(8, i % FLOORS, 60 * random(), 40 * random()));
  expect(countedFingerprints([...SURVEY, ...honest]).length - SURVEY.length).toBeGreaterThan(190);
});
