// Attacks by one hostile account on one station among those of three others, with ten thousand reports: they spoil what
// is known of that station, and the radii of the others stay as they were.

import { describe, expect, test } from 'vitest';
import { GROUP_WIFI, groupOfMap, groupOfTransmitters } from '../../../src/positioning/estimates/estimate.ts';
import { KIND_LTE } from '../../../src/radio/kind.ts';
import { regionAt } from '../../../src/tables/calibration/rows.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import { ATTACKS, attack, inOrder } from '../../kits/radio/attacks.ts';
import { drives } from '../../kits/radio/driven_city.ts';
import { moved, type Position } from '../../kits/radio/ground.ts';
import { MeasuredWorld } from '../../kits/radio/measured_world.ts';
import { cell, HOME, type Who } from '../../kits/radio/reports.ts';
import { deviceMac, macKey } from '../../kits/radio/stations.ts';
import { walks } from '../../kits/radio/walked_town.ts';

const REGION = regionAt(...HOME);
const LATER_SECONDS = 90_000_000;
const MOST = 1.1;

/** A place with a station in its middle. */
interface Place {
  what: string;
  key: Buffer;
  middle: Position;
  /** Of the offsets of attacks. */
  scale: number;
  groups: readonly number[];
  draw(seed: number, count: number, reports: number, who: (n: number) => Who, startSeconds?: number): Report[];
}

const PLACES: readonly Place[] = [
  {
    what: 'an access point of a town',
    key: macKey(deviceMac(3 * 256 + 3)),
    middle: moved(HOME, 210, 210),
    scale: 1,
    groups: [GROUP_WIFI, groupOfTransmitters(GROUP_WIFI, 5)],
    draw: (...rest) => walks({ spacing: 70, exponent: 3, sigmaDb: 5, fixMetres: 4 }, ...rest),
  },
  {
    what: 'a cell of a city',
    key: cell(1 + (2 * 64 + 2) * 3),
    middle: moved(HOME, 1_000, 1_000),
    scale: 40,
    groups: [groupOfMap(KIND_LTE, 0), groupOfMap(KIND_LTE, 128)],
    draw: (...rest) => drives({ siteMetres: 500, sigmaDb: 4, heard: 7, seed: 1 }, ...rest),
  },
];
/** By whom the 36 tracks are. */
const SHARES = { evenly: [12, 12, 12], unevenly: [24, 6, 6] };

/** Factors of the groups, and the median radii of answers for 50, 68 and 95 %. */
function radiiOf(world: MeasuredWorld, { groups }: Place, asked: readonly Report[]): number[] {
  const answers = asked.flatMap(report => world.locate(report));
  const medians = [0, 1, 2].map(
    share => answers.map(({ calibrated }) => calibrated[share]).sort((a, b) => a - b)[answers.length >> 1],
  );
  return [...groups.flatMap(group => world.factors(group, REGION)), ...medians];
}

describe.each(PLACES)(
  'one hostile account against $what moves no factor and no median radius by more than 10 %',
  place => {
    const { key, middle, scale, draw } = place;
    const asked = draw(103, 60, 10, () => 99, LATER_SECONDS);

    test.each(Object.entries(SHARES))('that three others have heard %s', (_, shares) => {
      const accounts = shares.flatMap((count, i) => Array<Who>(count).fill(11 + i));
      const honest = draw(3, accounts.length, 20, n => accounts[(n * 7) % accounts.length]);
      const before = radiiOf(new MeasuredWorld().learn(honest), place, asked);
      for (const name of Object.keys(ATTACKS)) {
        for (const order of ['before', 'between', 'after']) {
          const world = new MeasuredWorld().learn(inOrder(order, honest, attack(key, name, 0, 36, scale, middle)));
          for (const [i, after] of radiiOf(world, place, asked).entries()) {
            expect(after / before[i], `${name}, ${order}`).toBeLessThanOrEqual(MOST);
            expect(after / before[i], `${name}, ${order}`).toBeGreaterThanOrEqual(1 / MOST);
          }
        }
      }
    });
  },
);
