// A survey of the large building of the drawn world: scans at the points of a grid on both floors, and what a device
// hears anywhere in it.

import { BUILT, metresBetween, moved, type Spot } from './geography.ts';
import type { Members } from './hearing.ts';

const FLOORS = [0, 1];
/** Corners, sides and middle of each floor have an access point. */
const RADIOS = FLOORS.flatMap(floor =>
  [-30, 0, 30].flatMap(north => [-30, 0, 30].map(east => ({ floor, spot: moved(BUILT, north, east) }))),
).map((radio, i) => ({
  ...radio,
  macAddress: ['00:14:bf', ...[i * 37, i * 91, 16 + i].map(octet => (octet & 255).toString(16).padStart(2, '0'))].join(
    ':',
  ),
}));
const GRID_METRES = 5;
const HALF_METRES = 37.5;
const FLOOR_METRES = 4;
const FLOOR_DB = 17;
const HEARD_DBM = -90;

/** The access points that a device hears on a floor. @param change of each level, dB, by its number */
export function hearInHall(floor: number, spot: Spot, change: (i: number) => number = () => 0): Members[] {
  return RADIOS.flatMap(({ macAddress, ...radio }, i) => {
    const metres = Math.hypot(metresBetween(radio.spot, spot), FLOOR_METRES * (radio.floor - floor), 1);
    const level = Math.round(-36 - 28 * Math.log10(metres) - FLOOR_DB * Math.abs(radio.floor - floor) + change(i));
    return level < HEARD_DBM ? [] : [{ macAddress, signalStrength: level }];
  });
}

/** The file of the survey. */
export function surveyCsv(): string {
  const rows = ['scan,time,buildingId,building,floor,latitude,longitude,accuracy,mac,level'];
  for (const floor of FLOORS) {
    for (let north = -HALF_METRES; north <= HALF_METRES; north += GRID_METRES) {
      for (let east = -HALF_METRES; east <= HALF_METRES; east += GRID_METRES) {
        const spot = moved(BUILT, north, east);
        for (const { macAddress, signalStrength } of hearInHall(floor, spot)) {
          const point = `${floor} ${north} ${east},2026-01-10T10:00:00Z,3,Drawn Hall,${floor},${spot.lat},${spot.lng},2`;
          rows.push(`${point},${macAddress},${signalStrength}`);
        }
      }
    }
  }
  return `${rows.join('\n')}\n`;
}
