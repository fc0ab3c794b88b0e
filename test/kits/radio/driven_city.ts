// A drawn city of cells, through whose streets people drive: a world whose density and noise are chosen, so that no
// constant of the service was fitted to it.

import type { Report } from '../../../src/tables/observations/report.ts';
import { hashFraction, normal, uniform } from '../random.ts';
import { moved, type Position } from './ground.ts';
import { cell, HOME, report, type Who } from './reports.ts';

/** What a city is like. */
export interface City {
  /** Metres between sites, which have three sectors each. */
  siteMetres: number;
  /** Standard deviation of a reading at one place, dB. */
  sigmaDb: number;
  /** Most cells that a device reports. */
  heard: number;
  /** Decides where the levels are higher and lower than the distance says. */
  seed: number;
}

const SIDE_METRES = 2_000;
const BLOCK_METRES = 100;
const STEP_METRES = 40;
const STEP_SECONDS = 4;
const FIX_METRES = 3;
const AT_ONE_METRE_DBM = -5;
const EXPONENT = 3.5;
/** Attenuation behind a sector, standard deviation of the shadows of houses, and metres over which they last. */
const BEHIND_DB = 20;
const SHADOW_DB = 7;
const SHADOW_METRES = 80;
const SHADOW_WAVES = 8;
/** Standard deviation of what a device's antenna adds, dB. */
const DEVICE_DB = 2;
const FAINTEST_DBM = -118;

/**
 * Drives through a city: tracks of reports, one after the other.
 * @param who reports drive `n`
 * @param startSeconds of the first drive; the others follow an hour apart
 */
export function drives(
  city: City,
  seed: number,
  count: number,
  reports: number,
  who: (n: number) => Who,
  startSeconds = 0,
): Report[] {
  const random = uniform(seed);
  const bell = normal(random);
  return Array.from({ length: count }, (_, n) => {
    const offsetDb = DEVICE_DB * bell();
    let east = Math.floor((random() * SIDE_METRES) / BLOCK_METRES) * BLOCK_METRES;
    let north = Math.floor((random() * SIDE_METRES) / BLOCK_METRES) * BLOCK_METRES;
    let heading = Math.floor(random() * 4);
    let left = BLOCK_METRES;
    return Array.from({ length: reports }, (_, i) => {
      for (let metres = STEP_METRES; metres > 0; ) {
        const step = Math.min(metres, left);
        [east, north] = [east + step * [0, 1, 0, -1][heading], north + step * [1, 0, -1, 0][heading]];
        metres -= step;
        left -= step;
        if (left > 0) continue;
        left = BLOCK_METRES;
        const turn = random();
        heading = (heading + (turn < 0.25 ? 1 : turn < 0.5 ? 3 : 0)) % 4;
        // At the edge of the city they turn back.
        if (!isInside(east + [0, 1, 0, -1][heading]) || !isInside(north + [1, 0, -1, 0][heading]))
          heading = (heading + 2) % 4;
      }
      const fix: Position = moved(HOME, east + bell() * FIX_METRES, north + bell() * FIX_METRES);
      return report(
        who(n),
        fix,
        startSeconds + n * 3_600 + i * STEP_SECONDS,
        heardAt(city, east, north, offsetDb, bell),
        { accuracyMetres: 4 },
      );
    });
  }).flat();
}

function isInside(metres: number): boolean {
  return metres >= 0 && metres <= SIDE_METRES;
}

/** What is heard at a position, the serving cell first. */
function heardAt(
  { siteMetres, sigmaDb, heard: most, seed }: City,
  east: number,
  north: number,
  offsetDb: number,
  bell: () => number,
) {
  const aside = Math.ceil(SIDE_METRES / siteMetres);
  const heard: { key: Buffer; dbm: number }[] = [];
  for (let x = 0; x <= aside; x++) {
    for (let y = 0; y <= aside; y++) {
      const [dx, dy] = [east - x * siteMetres, north - y * siteMetres];
      const onDistance = AT_ONE_METRE_DBM - 10 * EXPONENT * Math.log10(Math.max(20, Math.hypot(dx, dy)));
      for (let sector = 0; sector < 3; sector++) {
        const id = 1 + (x * 64 + y) * 3 + sector;
        const off = Math.atan2(dx, dy) - (sector * 2 * Math.PI) / 3;
        const behind = (BEHIND_DB * (1 - Math.cos(off))) / 2;
        const dbm = onDistance - behind + shadowDb(seed, id, east, north) + offsetDb + sigmaDb * bell();
        if (dbm > FAINTEST_DBM) heard.push({ key: cell(id), dbm: Math.round(Math.min(-44, dbm)) });
      }
    }
  }
  return heard.sort((a, b) => b.dbm - a.dbm).slice(0, most);
}

/** By how much a cell is stronger at a position than its distance says: waves of all directions. */
function shadowDb(seed: number, id: number, east: number, north: number): number {
  let sum = 0;
  for (let wave = 0; wave < SHADOW_WAVES; wave++) {
    const direction = 2 * Math.PI * hashFraction(seed, id, 3 * wave);
    const length = SHADOW_METRES * (0.5 + hashFraction(seed, id, 3 * wave + 1));
    const phase = 2 * Math.PI * hashFraction(seed, id, 3 * wave + 2);
    sum += Math.cos((Math.sin(direction) * east + Math.cos(direction) * north) / length + phase);
  }
  return SHADOW_DB * Math.sqrt(2 / SHADOW_WAVES) * sum;
}
