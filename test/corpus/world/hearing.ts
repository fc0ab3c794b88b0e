// What a device hears at a spot of the drawn world, as members of a request.

import type { Dice } from '../dice.ts';
import { CELLS, type DrawnCell, type RadioType } from './cells.ts';
import { metresBetween, type Spot } from './geography.ts';
import type { DrawnRadio, Neighbourhood } from './radios.ts';

/** An object of a request. */
export type Members = Record<string, unknown>;

const LEAST_DBM = { wifi: -98, bluetooth: -98, cell: -118 };

/** The access points nearest to a spot, as some fading orders them. */
export function hearAccessPoints(dice: Dice, { accessPoints }: Neighbourhood, spot: Spot, count: number): Members[] {
  return nearest(dice, accessPoints, spot, count, 0.3).map(({ macAddress, metres }) => ({
    macAddress,
    signalStrength: level(dice, -38, 27, metres, LEAST_DBM.wifi),
  }));
}

/** The beacons nearest to a spot. */
export function hearBeacons(dice: Dice, { beacons }: Neighbourhood, spot: Spot, count: number): Members[] {
  return nearest(dice, beacons, spot, count, 0.3).map(({ macAddress, uuid, major, minor, metres }) => ({
    ...(uuid === undefined ? { macAddress } : { uuid, major, minor }),
    signalStrength: level(dice, -55, 22, metres, LEAST_DBM.bluetooth),
  }));
}

/**
 * Cells of a town near a spot, the first of them serving. @param isKnown imported ones, or the others; undefined: both
 */
export function hearCells(
  dice: Dice,
  town: number,
  spot: Spot,
  count: number,
  { radioType, isKnown }: { radioType?: RadioType; isKnown?: boolean } = {},
): Members[] {
  const network = dice.whole(1, 2);
  const heard = CELLS.filter(
    cell =>
      cell.town === town &&
      cell.mobileNetworkCode === network &&
      (radioType === undefined || cell.radioType === radioType) &&
      (isKnown === undefined || cell.isKnown === isKnown),
  );
  return nearest(dice, heard, spot, count, 0.5).map(cell => ({
    ...cellMembers(cell),
    signalStrength: level(dice, -30, 22, cell.metres, LEAST_DBM.cell),
  }));
}

/** A cell as a request names it. */
export function cellMembers({
  radioType,
  mobileCountryCode,
  mobileNetworkCode,
  locationAreaCode,
  cellId,
}: DrawnCell): Members {
  return { radioType, mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId };
}

function nearest<T extends Spot>(
  dice: Dice,
  all: readonly T[],
  spot: Spot,
  count: number,
  fading: number,
): (T & { metres: number })[] {
  return all
    .map(one => ({
      ...one,
      metres: metresBetween(one, spot),
      felt: metresBetween(one, spot) * Math.exp(dice.normal(fading)),
    }))
    .sort((a, b) => a.felt - b.felt)
    .slice(0, count);
}

/** dBm at a distance, by a law of path loss. @param loss dB for each ten times the distance */
function level(dice: Dice, atOneMetre: number, loss: number, metres: number, least: number): number {
  return Math.max(least, Math.round(atOneMetre - loss * Math.log10(Math.max(1, metres)) + dice.normal(3)));
}

/** A radio that no table holds. */
export function stranger(dice: Dice): Pick<DrawnRadio, 'macAddress'> & Members {
  return {
    macAddress: `06:ff:${[1, 2, 3, 4].map(() => dice.whole(16, 255).toString(16)).join(':')}`,
    signalStrength: dice.whole(-95, -40),
  };
}
