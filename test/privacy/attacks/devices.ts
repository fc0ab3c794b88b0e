// Bluetooth devices are carried around, and a beacon alone may place a device. Somebody has seen the addresses of one
// person's, or knows one.

import { shuffled } from '../../kits/random.ts';
import { type Adversary, partsOf, type Target } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { fixAt } from './anchors.ts';
import { believeAll, ghost, grid, heard, placeGhosts, search } from './probes.ts';

const LOUD_DBM = -30;

export const deviceAlone: Attack = {
  name: 'one Bluetooth device: alone, with unknown ones, as a beacon and as an access point, beside a fix',
  family: 'Bluetooth devices',
  isQuiet: true,
  async run(adversary) {
    const { middle } = adversary.knowledge;
    const alone = ({ address }: Target) => ({ bluetoothBeacons: heard([address], LOUD_DBM) });
    await believeAll(adversary, adversary.devices, alone);
    await believeAll(adversary, adversary.devices, ({ address }) => ({
      bluetoothBeacons: heard([address, ghost(-2), ghost(-3)], LOUD_DBM),
    }));
    await believeAll(adversary, adversary.devices, ({ address }) => ({
      ...alone({ address } as Target),
      wifiAccessPoints: heard([address], LOUD_DBM),
    }));
    await search(
      adversary,
      adversary.devices.map(target => ({ group: [target], stations: [], rest: { gps: fixAt(middle, 20_000) } })),
    );
  },
};

export const devicesOfOne: Attack = {
  name: 'the two Bluetooth devices of one person',
  family: 'Bluetooth devices',
  isQuiet: true,
  async run(adversary) {
    for (const pair of personsOf(adversary))
      await believeAll(adversary, pair, () => ({
        bluetoothBeacons: heard(
          pair.map(({ address }) => address),
          LOUD_DBM,
        ),
      }));
  },
};

function personsOf({ devices }: Adversary): Target[][] {
  const persons = Map.groupBy(devices, ({ person }) => person);
  return [...persons].flatMap(([person, pair]) => (person === undefined ? [] : [pair]));
}

export const besideBeacons: Attack = {
  name: 'a Bluetooth device beside public beacons: one after the other, and all of them',
  family: 'Bluetooth devices',
  isGuess: true,
  async run(adversary) {
    const { beacons } = adversary.knowledge;
    const addresses = beacons.map(({ address }) => address);
    await search(
      adversary,
      adversary.devices.map(target => ({ group: [target], stations: addresses, needsAll: true })),
    );
    await search(
      adversary,
      shuffled(addresses, adversary.random).map(address => ({ group: adversary.devices, stations: [address] })),
    );
    for (const pair of personsOf(adversary))
      await search(
        adversary,
        partsOf(addresses, 1).map(stations => ({ group: pair, stations })),
      );
  },
};

export const besideGhostDevices: Attack = {
  name: 'all Bluetooth devices beside own ghosts of one place after another',
  family: 'Bluetooth devices',
  keys: 2,
  isGuess: true,
  async run(adversary) {
    const places = shuffled(grid(adversary, 300), adversary.random).slice(0, 200);
    const sites = await placeGhosts(adversary, places, 40, ghost, 'bluetoothBeacons');
    await search(
      adversary,
      sites.map(({ addresses }) => ({ group: adversary.devices, stations: addresses })),
    );
  },
};
