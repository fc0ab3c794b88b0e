// What does it cost to find a scan in a building? The building is drawn to the measure of a mall whose survey we know:
// five floors, 4,500 places with some 75 radios each. A scan has 150 radios, each with an age.

import { buildFingerprintMap } from '../../src/indoor/fingerprints/build_map.ts';
import type { Scan } from '../../src/indoor/fingerprints/fingerprint.ts';
import { FingerprintMap } from '../../src/indoor/fingerprints/fingerprint_map.ts';
import { posteriorOf, summarise } from '../../src/indoor/fingerprints/posterior.ts';
import { type DrawnRadio, heardAt, scanOf, survey } from '../../test/kits/fingerprints/drawn_building.ts';
import { uniform } from '../../test/kits/random.ts';
import type { MicroGroup } from './harness.ts';

export const FLOORS = 5;
export const EAST_METRES = 240;
export const NORTH_METRES = 176;
const RADIOS_OF_FLOOR = 380;
const FINGERPRINTS = 4500;
const SCAN_RADIOS = 150;
const SCANS = 8;
const AGE_MS = 4000;
const FLOOR_DB = 12;
const NOISE_DB = 4;
/** Levels above this are heard 50 m away on the same floor. */
const HEARD_DBM = -86;
/** The part of a request's time that an indoor scan may take. */
const LIMIT_NANOSECONDS = 300_000;

/** A mall of which a map was made. */
export interface DrawnMall {
  map: FingerprintMap;
  /** A scan that is made there, drawn anew by each call. Metres from the south-western corner. */
  scanAt(floor: number, east: number, north: number): Scan;
}

/** Draws the mall. */
export function drawMall(seed: number): DrawnMall {
  const random = uniform(seed);
  const radios: DrawnRadio[] = Array.from({ length: FLOORS * RADIOS_OF_FLOOR }, (_, radio) => ({
    radio,
    floor: radio % FLOORS,
    east: EAST_METRES * random(),
    north: NORTH_METRES * random(),
  }));
  const points = Array.from(
    { length: FINGERPRINTS },
    (_, i) => [i % FLOORS, EAST_METRES * random(), NORTH_METRES * random()] as const,
  );
  const fingerprints = survey(radios, points, FLOOR_DB, NOISE_DB, random).map(fingerprint => ({
    ...fingerprint,
    readings: fingerprint.readings.filter(({ levelDbm }) => levelDbm > HEARD_DBM),
  }));
  return {
    map: new FingerprintMap(buildFingerprintMap(fingerprints, { latitude: 47, longitude: 9 })),
    scanAt: (...point) => {
      const readings = heardAt(radios, point, FLOOR_DB, NOISE_DB, random).sort((a, b) => b.levelDbm - a.levelDbm);
      return scanOf(readings.slice(0, SCAN_RADIOS), AGE_MS);
    },
  };
}

/** A match, and with it the answer. */
export function fingerprintGroup({ map, scanAt }: DrawnMall): MicroGroup {
  const scans = Array.from({ length: SCANS }, (_, i) =>
    scanAt(i % FLOORS, (EAST_METRES * (i + 0.5)) / SCANS, NORTH_METRES / 3),
  );
  return {
    title: 'Finding a scan of 150 radios in a mall of 4,500 places',
    cases: [
      {
        name: 'match',
        operations: SCANS,
        run: () => scans.reduce((sum, scan) => sum + map.match(scan)!.similarity, 0),
      },
      {
        name: 'match and answer',
        operations: SCANS,
        limitNanoseconds: LIMIT_NANOSECONDS,
        run: () => scans.reduce((sum, scan) => sum + summarise(posteriorOf(map.match(scan)!)).r50Metres, 0),
      },
    ],
  };
}
