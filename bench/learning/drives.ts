// Draws drives through young regions: each report follows the one before by 40 m and 5 s, and hears most of the same
// stations. Every 30 drives begin a region where nothing is known.

import { hash32, uniform } from '../../test/kits/random.ts';
import { itemOf } from '../reports.ts';
import { type Scan, scanFrom } from '../requests.ts';
import { BLOCK_METRES, TOWN_BLOCKS, type World } from '../world.ts';

const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');
export const REPORTS_A_DRIVE = 100;
const STEP_METRES = 40;
const STEP_SECONDS = 5;
const DRIVE_SECONDS = 1_800;
/** Fewer tests than those after which only some tracks are tested. */
const DRIVES_A_REGION = 30;
/** Regions lie one degree apart, in columns that stay within the country. */
const COLUMNS = 4;

/** Report `number` of the drives, as an item of a batch. @param world of at most one town */
export function driveReportAt(world: World, number: number) {
  const drive = Math.floor(number / REPORTS_A_DRIVE);
  const step = number % REPORTS_A_DRIVE;
  const region = Math.floor(drive / DRIVES_A_REGION);
  const random = uniform(hash32(world.seed, number, 97));
  const town = { ...world, seed: world.seed + region };
  const scan = scanOnStreet(town, drive, step, random);
  const moved = {
    ...scan,
    latitude: scan.latitude + Math.floor(region / COLUMNS),
    longitude: scan.longitude + (region % COLUMNS),
  };
  const timestamp = FIRST_MS + (drive * DRIVE_SECONDS + step * STEP_SECONDS) * 1000;
  return itemOf(moved, timestamp, 1 + region, random);
}

/** Where the town has too few access points, the drive goes on in the next street. */
function scanOnStreet(world: World, drive: number, step: number, random: () => number): Scan {
  for (let street = hash32(world.seed, drive, 96); ; street++) {
    const north = (street % TOWN_BLOCKS) * BLOCK_METRES;
    const east = (step * STEP_METRES + 6 * random()) % (TOWN_BLOCKS * BLOCK_METRES);
    const scan = scanFrom(world, { town: 0, east, north }, random);
    if (scan !== undefined) return scan;
  }
}
