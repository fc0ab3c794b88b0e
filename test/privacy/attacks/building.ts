// A building with a plan and a survey. Its map knows each radio that was heard there, and a scan that is like a place
// of it is answered by the map.

import { moved } from '../../kits/radio/ground.ts';
import { type Adversary, partsOf, type Target } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { believeAll, ghost, heard, search } from './probes.ts';

/** Metres from the building within which its public points stand. */
const INSIDE_METRES = 60;
const GROUP = 20;
const POINTS_DBM = -80;

/** Public points in the building: that is a guess of one place. */
function pointsInside({ knowledge: { points, building } }: Adversary): string[] {
  const [[south, west], northEast] = building;
  const [north, east] = moved(northEast, INSIDE_METRES / 10, INSIDE_METRES / 10);
  return points
    .filter(
      ({ at: [latitude, longitude] }) => latitude > south && latitude < north && longitude > west && longitude < east,
    )
    .map(({ address }) => address);
}

const WANTS_INDOOR = { indoor: 1 };

export const aloneInMap: Attack = {
  name: 'one address of those that a map may know: alone, and with unknown ones',
  family: 'a building with a map',
  isQuiet: true,
  async run(adversary) {
    const alone = ({ address, isBluetooth }: Target, level: number) =>
      isBluetooth ? { bluetoothBeacons: heard([address], level) } : { wifiAccessPoints: heard([address], level) };
    for (const level of [-40, -70])
      await believeAll(adversary, adversary.knowledge.targets, target => ({
        ...alone(target, level),
        ...WANTS_INDOOR,
      }));
    const unknown = [ghost(-2), ghost(-3)];
    await believeAll(adversary, adversary.wifi, ({ address }) => ({
      wifiAccessPoints: heard([address, ...unknown], -40),
      ...WANTS_INDOOR,
    }));
  },
};

export const besideMap: Attack = {
  name: 'all addresses beside the public points of the building, in small groups',
  family: 'a building with a map',
  isGuess: true,
  isOfBuilding: true,
  async run(adversary) {
    const stations = pointsInside(adversary);
    for (const group of partsOf(adversary.wifi, GROUP))
      await search(
        adversary,
        group.map(target => ({ group: [target], stations, rest: WANTS_INDOOR })),
      );
    const rest = { ...WANTS_INDOOR, wifiAccessPoints: heard(stations, POINTS_DBM) };
    await search(
      adversary,
      adversary.devices.map(target => ({ group: [target], stations: [], rest })),
    );
  },
};
