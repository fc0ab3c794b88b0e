// Walks through a street grid where nothing is imported: the measurements from which the service learns access points,
// beacons and cells, and the radio maps around them.

import { Dice } from '../dice.ts';
import { moved, type Spot, WALKED } from './geography.ts';
import { hearAccessPoints, hearBeacons, type Members } from './hearing.ts';
import { type Neighbourhood, WALKED_NEIGHBOURHOOD } from './radios.ts';

const WALKERS = 12;
const STEPS = 60;
const STEP_METRES = 12;
/** 2026-01-05T08:00:00Z, ms. */
const START_MS = 1_767_600_000_000;

/** Cells heard on the walks and known from nowhere else: six of one network. */
export function walkedCells(country: number): Members[] {
  return Array.from({ length: 6 }, (_, i) => ({
    radioType: i < 4 ? 'lte' : 'gsm',
    mobileCountryCode: country,
    mobileNetworkCode: 5,
    locationAreaCode: 501,
    cellId: i < 4 ? 700_000 * 256 + i : 9000 + i,
  }));
}

/** One measurement, as submissions have it. @param timeMs ms since 1970 */
export function measure(
  dice: Dice,
  neighbourhood: Neighbourhood,
  spot: Spot,
  timeMs: number,
  country: number,
): Members {
  return {
    timestamp: timeMs,
    position: {
      latitude: spot.lat,
      longitude: spot.lng,
      accuracy: dice.whole(3, 15),
      age: dice.whole(0, 900),
      altitude: 450,
    },
    wifiAccessPoints: hearAccessPoints(dice, neighbourhood, spot, dice.whole(4, 12)),
    bluetoothBeacons: hearBeacons(dice, neighbourhood, spot, dice.whole(0, 4)),
    cellTowers: walkedCells(country)
      .slice(0, dice.whole(1, 6))
      .map(cell => ({ ...cell, signalStrength: dice.whole(-110, -60) })),
  };
}

/** The file of the walks, JSON lines of submissions. */
export function walksJsonLines(): string {
  const dice = new Dice(51);
  const lines: string[] = [];
  for (let walker = 0; walker < WALKERS; walker++) {
    let spot = moved(WALKED, dice.between(-150, 150), dice.between(-150, 150));
    for (let step = 0; step < STEPS; step++) {
      const timeMs = START_MS + walker * 86_400_000 + step * 10_000;
      lines.push(JSON.stringify(measure(dice, WALKED_NEIGHBOURHOOD, spot, timeMs, 295)));
      const back = { lat: WALKED.lat - spot.lat, lng: WALKED.lng - spot.lng };
      const turn = {
        north: dice.normal(STEP_METRES) + back.lat * 9000,
        east: dice.normal(STEP_METRES) + back.lng * 9000,
      };
      spot = moved(spot, turn.north, turn.east);
    }
  }
  return `${lines.join('\n')}\n`;
}
