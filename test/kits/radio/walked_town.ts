// A drawn town of access points, through which people walk: a world whose path loss, density and noise are chosen, so
// that no constant of the service was fitted to it.

import type { Report } from '../../../src/tables/observations/report.ts';
import { normal, uniform } from '../random.ts';
import { moved, type Position } from './ground.ts';
import { HOME, report, type Who } from './reports.ts';
import { deviceMac, macKey } from './stations.ts';

/** What a town is like. */
export interface Town {
  /** Metres between access points. */
  spacing: number;
  /** Path-loss exponent, and the standard deviation of a level, dB. */
  exponent: number;
  sigmaDb: number;
  /** Standard deviation of a fix along each axis, metres. */
  fixMetres: number;
}

const SIDE_METRES = 500;
const FAINTEST_DBM = -92;
const HEARD_MAX = 12;
const AT_ONE_METRE_DBM = -38;
const STEP_SECONDS = 6;
const WALK_METRES_PER_SECOND = 1.4;

/**
 * Walks through a town: tracks of reports, one after the other.
 * @param who reports walk `n`
 * @param startSeconds of the first walk; the others follow an hour apart
 */
export function walks(
  town: Town,
  seed: number,
  count: number,
  reports: number,
  who: (n: number) => Who,
  startSeconds = 0,
): Report[] {
  const random = uniform(seed);
  const bell = normal(random);
  return Array.from({ length: count }, (_, n) => {
    // People turn back at the edge of the town, so that no place is visited much more than another.
    let [east, north] = [random() * SIDE_METRES, random() * SIDE_METRES];
    let heading = random() * 2 * Math.PI;
    return Array.from({ length: reports }, (_, i) => {
      heading += bell() * 0.3;
      const metres = STEP_SECONDS * WALK_METRES_PER_SECOND;
      east += Math.sin(heading) * metres;
      north += Math.cos(heading) * metres;
      if (within(east) !== east || within(north) !== north) heading += Math.PI;
      [east, north] = [within(east), within(north)];
      const fix: Position = moved(HOME, east + bell() * town.fixMetres, north + bell() * town.fixMetres);
      return report(who(n), fix, startSeconds + n * 3_600 + i * STEP_SECONDS, heardAt(town, east, north, bell));
    });
  }).flat();
}

/** What is heard at a position, the strongest first. */
function heardAt({ spacing, exponent, sigmaDb }: Town, east: number, north: number, bell: () => number) {
  const aside = Math.ceil(SIDE_METRES / spacing);
  const heard: { key: Buffer; dbm: number }[] = [];
  for (let x = 0; x <= aside; x++) {
    for (let y = 0; y <= aside; y++) {
      const metres = Math.max(1, Math.hypot(x * spacing - east, y * spacing - north));
      const dbm = AT_ONE_METRE_DBM - 10 * exponent * Math.log10(metres) + bell() * sigmaDb;
      if (dbm > FAINTEST_DBM) heard.push({ key: macKey(deviceMac(x * 256 + y)), dbm: Math.round(Math.min(-20, dbm)) });
    }
  }
  return heard.sort((a, b) => b.dbm - a.dbm).slice(0, HEARD_MAX);
}

function within(metres: number): number {
  return Math.min(SIDE_METRES, Math.max(0, metres));
}
