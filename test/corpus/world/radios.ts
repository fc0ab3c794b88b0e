// Access points and beacons of the drawn world. Each town has some 150 imported access points, one in six with a second
// network on the same radio. Where the imported walks went and where requests contribute, nothing is imported: those
// stations are learned.

import { Dice } from '../dice.ts';
import { CONTRIBUTED, DEMO_TOWN, moved, near, type Spot, TOWNS, WALKED } from './geography.ts';

/** An access point or a beacon: members as requests have them, and where it stands. */
export interface DrawnRadio extends Spot {
  macAddress: string;
  uuid?: string;
  major?: number;
  minor?: number;
}

/** Radios that are heard together. */
export interface Neighbourhood extends Spot {
  accessPoints: readonly DrawnRadio[];
  beacons: readonly DrawnRadio[];
}

const POINTS = 150;
const TOWN_METRES = 350;
const BEACON_UUID = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e';

/** Towns whose access points are imported, in the order of `TOWNS`. */
export const NEIGHBOURHOODS: readonly Neighbourhood[] = TOWNS.map((town, i) => ({
  lat: town.lat,
  lng: town.lng,
  accessPoints: drawAccessPoints(20 + i, town, i + 1, POINTS, TOWN_METRES),
  beacons: [],
}));

/** Learned from the imported walks. */
export const WALKED_NEIGHBOURHOOD = learnedNeighbourhood(31, WALKED, 0x40);

/** Learned from the requests of the corpus. */
export const CONTRIBUTED_NEIGHBOURHOOD = learnedNeighbourhood(32, CONTRIBUTED, 0x50);

/** Part of the demo town: its radios stand about here, 20 to a row. */
export const DEMO_NEIGHBOURHOOD: Neighbourhood = {
  ...DEMO_TOWN,
  accessPoints: Array.from({ length: 400 }, (_, i) => ({
    macAddress: macOf(0x02005e000001 + i),
    ...moved(DEMO_TOWN, (Math.floor(i / 20) - 9.5) * 40, ((i % 20) - 9.5) * 40),
  })),
  beacons: Array.from({ length: 40 }, (_, i) => ({ macAddress: macOf(0x00005e005301 + i), ...DEMO_TOWN })),
};

/** The file of access points. */
export function accessPointsCsv(): string {
  const dice = new Dice(29);
  const rows = NEIGHBOURHOODS.flatMap(({ accessPoints }) =>
    accessPoints.map(
      ({ macAddress, lat, lng }) => `${macAddress},${lat},${lng},${dice.whole(15, 60)},${dice.whole(1, 40)}`,
    ),
  );
  return `bssid,lat,lon,range,samples\n${rows.join('\n')}\n`;
}

/** Text of an address. */
function macOf(address: number): string {
  return address
    .toString(16)
    .padStart(12, '0')
    .replace(/..(?=.)/g, '$&:');
}

function drawAccessPoints(seed: number, middle: Spot, block: number, count: number, metres: number): DrawnRadio[] {
  const dice = new Dice(seed);
  const radios: DrawnRadio[] = [];
  for (let i = 0; i < count; i++) {
    const spot = near(dice, middle, metres);
    // Addresses whose last five octets are equal belong to one radio, those with three of them in common to one device.
    const radio = block * 0x1000000 + dice.whole(0, 0xffff) * 0x100 + i;
    radios.push({ macAddress: macOf(0x0c_00_00_00_00_00 + radio), ...spot });
    if (dice.chance(1 / 6)) radios.push({ macAddress: macOf(0x0e_00_00_00_00_00 + radio), ...spot });
  }
  return radios;
}

function learnedNeighbourhood(seed: number, middle: Spot, block: number): Neighbourhood {
  const dice = new Dice(seed);
  const beacons = Array.from({ length: 16 }, (_, i): DrawnRadio => {
    const spot = near(dice, middle, 150);
    const macAddress = macOf(block * 0x1000000 + i);
    return i % 2 === 0 ? { macAddress, ...spot } : { macAddress, uuid: BEACON_UUID, major: block, minor: i, ...spot };
  });
  return { ...middle, accessPoints: drawAccessPoints(seed + 10, middle, block, 40, 180), beacons };
}
