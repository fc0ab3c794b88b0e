// A false position of the device. A fix or a cell says which stations are near, and so among which of them half must
// agree.

import { metresTo, type Position } from '../../kits/radio/ground.ts';
import { shuffled } from '../../kits/random.ts';
import { type Adversary, partsOf, type Site } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { fillersFor, search, sitesOf } from './probes.ts';

/** Radius of a fix by which it hardly counts beside access points. */
const ROUGH_METRES = 650;
/** Victims in one question: so few of them are near a place that its points are half of what is near it. */
const GROUP = 85;
const FILLERS = 12;

/** A fix of a satellite at a place. @param accuracy metres @param age seconds */
export function fixAt([latitude, longitude]: Position, accuracy = ROUGH_METRES, age = 5): object {
  return { latitude, longitude, accuracy, age };
}

async function searchSites(adversary: Adversary, rest: (site: Site) => object): Promise<void> {
  const sites = shuffled(sitesOf(adversary.knowledge.points, 60, 3), adversary.random);
  // Stations far away keep any place from having half of all.
  const probes = sites.flatMap(site => {
    const fillers = fillersFor(adversary.knowledge, site.at, FILLERS);
    return partsOf(adversary.wifi, GROUP).map(group => ({
      group,
      stations: site.addresses,
      fillers,
      rest: rest(site),
    }));
  });
  await search(adversary, probes);
}

export const fixAlone: Attack = {
  name: 'a false fix and one access point',
  family: 'false fixes and cells',
  isQuiet: true,
  async run(adversary) {
    for (const age of [5, 0]) {
      const rest = { gps: fixAt(adversary.knowledge.middle, 20_000, age) };
      await search(
        adversary,
        adversary.wifi.map(target => ({ group: [target], stations: [], rest })),
      );
    }
  },
};

export const fixAtPlaces: Attack = {
  name: 'a false fix at one public place after another, many victims beside its points',
  family: 'false fixes and cells',
  isGuess: true,
  run: adversary => searchSites(adversary, ({ at }) => ({ gps: fixAt(at) })),
};

export const contributedFix: Attack = {
  name: 'the same as contributions: the fix is of now',
  family: 'false fixes and cells',
  isGuess: true,
  run: adversary => searchSites(adversary, ({ at }) => ({ gps: fixAt(at, ROUGH_METRES, 0) })),
};

export const cellAtPlaces: Attack = {
  name: 'the nearest cell of one public place after another, many victims beside its points',
  family: 'false fixes and cells',
  isGuess: true,
  async run(adversary) {
    const { cells } = adversary.knowledge;
    const nearest = (at: Position) =>
      cells.reduce((best, cell) => (metresTo(cell.at, at) < metresTo(best.at, at) ? cell : best));
    await searchSites(adversary, ({ at }) => ({ cellTowers: [lte(nearest(at).cellId)] }));
  },
};

export const cellAlone: Attack = {
  name: 'cells and one access point',
  family: 'false fixes and cells',
  isQuiet: true,
  async run(adversary) {
    const all = adversary.knowledge.cells.map(({ cellId }) => lte(cellId));
    for (const cellTowers of [all, all.slice(0, 1), [lte(1)]])
      await search(
        adversary,
        adversary.wifi.map(target => ({ group: [target], stations: [], rest: { cellTowers, fallbacks: { all: 1 } } })),
      );
  },
};

/** A cell of the public list. */
export function lte(cellId: number, areaCode: number | undefined = 77): object {
  const area = areaCode === undefined ? {} : { locationAreaCode: areaCode };
  return { radioType: 'lte', mobileCountryCode: 262, mobileNetworkCode: 1, ...area, cellId, signalStrength: -90 };
}
