// Synthetic scans of people who walk through the demo town, for an evaluation without data. Nothing in them is real:
// the town's access points do not exist, and the levels are random. A level is a log-distance path loss, plus an offset
// for each phone and shadowing for each reading; levels below the threshold are not heard. The random numbers are
// seeded, so everybody gets the same scans and, with the same program, the same figures.
//
// The figures show that the evaluation works. They do not show how good the service is in a real place with walls,
// bodies and moved routers.

import type { DemoAccessPoint } from '../src/folder/demo_town.ts';
import { formatMac } from '../src/radio/mac.ts';
import { normal, seededRandom } from './draws.ts';
import type { AccessPoint, Scan } from './evaluation/scan.ts';
import type { ScanSet } from './evaluation/scan_file.ts';

const WALKS = 120;
const SCANS_A_WALK = 12;
const SCAN_SECONDS = 10;
const METRES_A_SECOND = 1.4;
const DEGREES_PER_METRE = 1 / 111_195;

/** Path loss in a street: level at one metre, and exponent. */
const LEVEL_AT_METRE_DBM = -40;
const EXPONENT = 3;
/** Standard deviations in dB: of a reading, and between phones. */
const SHADOWING_DB = 4;
const PHONE_DB = 3;
const THRESHOLD_DBM = -90;

/** Accuracy of the truth in metres: that of a phone under open sky. */
const TRUTH_METRES = 4;
/** 2026-01-01T00:00:00Z; the walks begin an hour apart. */
const FIRST_WALK_MS = 1_767_225_600_000;
const BETWEEN_WALKS_MS = 3_600_000;
const SEED = 7;

/** Makes the set of scans. @param town all access points, near the equator */
export function demoScans(town: readonly DemoAccessPoint[]): ScanSet {
  return {
    name: 'demo_town_synthetic',
    file: 'the synthetic demo town',
    kind: 'wifi',
    async *scans() {
      const random = seededRandom(SEED);
      for (let walk = 0; walk < WALKS; walk++) yield* walkThrough(town, walk, random);
    },
  };
}

/** A straight walk from one access point towards another. */
function* walkThrough(town: readonly DemoAccessPoint[], walk: number, random: () => number): Generator<Scan> {
  const from = town[Math.floor(random() * town.length)];
  const to = town[Math.floor(random() * town.length)];
  const metres = Math.max(1, metresBetween(from, to));
  const phoneDb = PHONE_DB * normal(random);
  for (let scan = 0; scan < SCANS_A_WALK; scan++) {
    const share = Math.min(1, (scan * SCAN_SECONDS * METRES_A_SECOND) / metres);
    const position = {
      latitude: from.latitude + share * (to.latitude - from.latitude),
      longitude: from.longitude + share * (to.longitude - from.longitude),
    };
    yield {
      id: `walk ${walk}, scan ${scan}`,
      track: `walk ${walk}`,
      device: `walk ${walk}`,
      timeMs: FIRST_WALK_MS + walk * BETWEEN_WALKS_MS + scan * SCAN_SECONDS * 1000,
      ...position,
      accuracyMetres: TRUTH_METRES,
      cellTowers: [],
      wifiAccessPoints: heardAt(position, town, phoneDb, random),
      bluetoothBeacons: [],
    };
  }
}

function heardAt(
  position: Omit<DemoAccessPoint, 'mac'>,
  town: readonly DemoAccessPoint[],
  phoneDb: number,
  random: () => number,
): AccessPoint[] {
  const heard: AccessPoint[] = [];
  for (const accessPoint of town) {
    const lossDb = 10 * EXPONENT * Math.log10(Math.max(1, metresBetween(position, accessPoint)));
    const signalStrength = Math.round(LEVEL_AT_METRE_DBM - lossDb + phoneDb + SHADOWING_DB * normal(random));
    if (signalStrength >= THRESHOLD_DBM) heard.push({ macAddress: formatMac(accessPoint.mac), signalStrength });
  }
  return heard;
}

/** Near the equator and within one town a plane is exact to the centimetre. */
function metresBetween(a: Omit<DemoAccessPoint, 'mac'>, b: Omit<DemoAccessPoint, 'mac'>): number {
  return Math.hypot(a.latitude - b.latitude, a.longitude - b.longitude) / DEGREES_PER_METRE;
}
