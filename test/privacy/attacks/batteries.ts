// Lists of stations from all over the town beside one address: the station that is really near it shows where it is.

import { metresTo } from '../../kits/radio/ground.ts';
import { shuffled } from '../../kits/random.ts';
import type { Adversary } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { grid, placeGhosts, search, sitesOf } from './probes.ts';

/** As many stations as take part in a position. */
const BATTERY = 400;

/** Asks for each router beside a list. */
async function ask(adversary: Adversary, stations: readonly string[]): Promise<void> {
  const left = adversary.wifi.filter(({ victim }) => !adversary.beliefs.has(victim));
  await search(
    adversary,
    left.map(target => ({ group: [target], stations, needsAll: true })),
  );
}

export const publicBattery: Attack = {
  name: 'public points of the whole town beside it',
  family: 'lists of stations',
  isQuiet: true,
  async run(adversary) {
    const sites = sitesOf(adversary.knowledge.points, 400);
    for (let turn = 0; turn < 3; turn++) {
      const some = shuffled(sites, adversary.random).slice(0, BATTERY);
      await ask(
        adversary,
        some.map(({ addresses }) => addresses[turn % addresses.length]),
      );
    }
  },
};

export const districtBattery: Attack = {
  name: 'all public points of a district beside it, district by district',
  family: 'lists of stations',
  async run(adversary) {
    const { points } = adversary.knowledge;
    for (const district of grid(adversary, 5_000)) {
      const stations = points.filter(({ at }) => metresTo(at, district) < 2_500).map(({ address }) => address);
      await ask(adversary, shuffled(stations, adversary.random).slice(0, BATTERY));
    }
  },
};

export const ghostBattery: Attack = {
  name: 'own ghosts on a grid over the town beside it',
  family: 'lists of stations',
  keys: 2,
  async run(adversary) {
    const sites = await placeGhosts(adversary, grid(adversary, 700), 1);
    for (let turn = 0; turn < 3; turn++) {
      const some = shuffled(sites, adversary.random).slice(0, BATTERY);
      await ask(
        adversary,
        some.flatMap(({ addresses }) => addresses),
      );
    }
  },
};
