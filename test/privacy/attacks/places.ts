// One place after another: an address beside stations of a place shows whether it is there. Two of them suffice, a
// strong group serves for many victims at once.

import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { shuffled } from '../../kits/random.ts';
import { type Adversary, partsOf } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import type { PublicPoint } from '../town.ts';
import { grid, placeGhosts, search, sitesOf, wash } from './probes.ts';

export const pairAfterPair: Attack = {
  name: 'a pair of public points of one place after another, for each victim',
  family: 'one place after another',
  isGuess: true,
  async run(adversary) {
    const sites = sitesOf(adversary.knowledge.points, 60, 2);
    for (;;)
      await search(
        adversary,
        adversary.wifi.map(target => {
          const { addresses } = sites[Math.floor(adversary.random() * sites.length)];
          return { group: [target], stations: addresses.slice(0, 2) };
        }),
      );
  },
};

export const groupsAtPlaces: Attack = {
  name: 'many victims beside the strong group of a place, with and without them',
  family: 'one place after another',
  isGuess: true,
  async run(adversary) {
    const sites = sitesOf(adversary.knowledge.points, 110, 8);
    for (const { addresses } of shuffled(sites, adversary.random)) {
      const groups = partsOf(adversary.wifi, addresses.length);
      await search(
        adversary,
        groups.map(group => ({ group, stations: addresses })),
      );
    }
  },
};

export const groupsAtGhosts: Attack = {
  name: 'all victims beside two hundred own ghosts of one place after another',
  family: 'one place after another',
  isGuess: true,
  keys: 2,
  async run(adversary) {
    const sites = await placeGhosts(adversary, shuffled(grid(adversary, 400), adversary.random).slice(0, 150), 200);
    await search(
      adversary,
      sites.map(({ addresses }) => ({ group: adversary.wifi, stations: addresses })),
    );
  },
};

/**
 * Units of latitude and longitude, 1e-7 degrees, in a place as strays are counted (src/tables/stations/strays.ts):
 * about 730 by 470 metres here.
 */
const PLACE_UNITS = 65_536;
/** Points this near to each other are all heard at each of them. */
const WINDOW_METRES = 90;
const WINDOW_STEP_METRES = 170;
/** Points outside of a place that count as of it, since one inside comes first. */
const BEYOND_METRES = 190;
const GUESSES = 3;
/** Victims in a question, and how many of them may cause a stray. */
const GROUP = 60;
const STRAYS = 40;

export const threePlaces: Attack = {
  name: 'three places as large as they may be, all victims beside many groups of points of each',
  family: 'one place after another',
  isGuess: true,
  async run(adversary) {
    const places = new Map<string, PublicPoint[]>();
    for (const point of adversary.knowledge.points) {
      const place = placeOf(point.at);
      places.set(place, [...(places.get(place) ?? []), point]);
    }
    const richest = [...places.values()].sort((a, b) => b.length - a.length).slice(0, GUESSES);
    for (const inside of richest) {
      const windows = windowsOf(adversary, inside);
      for (const group of partsOf(adversary.wifi, GROUP)) {
        await search(
          adversary,
          windows.flatMap(stations => partsOf(group, stations.length).map(part => ({ group: part, stations }))),
        );
        await wash(adversary, STRAYS);
      }
    }
  },
};

function placeOf([latitude, longitude]: Position): string {
  return `${Math.floor((latitude * 1e7) / PLACE_UNITS)} ${Math.floor((longitude * 1e7) / PLACE_UNITS)}`;
}

/** Groups of points in and around a place; the first of each is inside. */
function windowsOf({ knowledge: { points } }: Adversary, inside: readonly PublicPoint[]): string[][] {
  const [{ at }] = inside;
  const windows: string[][] = [];
  for (let north = -1_000; north <= 1_000; north += WINDOW_STEP_METRES) {
    for (let east = -1_000; east <= 1_000; east += WINDOW_STEP_METRES) {
      const middle = moved(at, east, north);
      const first = inside.find(point => metresTo(point.at, middle) < BEYOND_METRES - WINDOW_METRES);
      const around = points.filter(point => point !== first && metresTo(point.at, middle) < WINDOW_METRES);
      if (first !== undefined && around.length > 2) windows.push([first, ...around].map(({ address }) => address));
    }
  }
  return windows;
}
