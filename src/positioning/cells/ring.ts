// Uses the timing advance of a cell: the one-way distance of the device from the antenna, in steps of the radio. On
// that ring the device is likely where the cell is usually heard. A cell's record says where that is, but not where the
// antenna stands. The antenna is in the middle of the sectors of its site, of which at least three must be known. With
// a Gaussian around the middle of the coverage, the direction on the ring has a von Mises distribution. Its mean
// resultant shortens the distance from the antenna and leaves the rest as spread.
//
// If the site is unknown, the centre of the ring is too. The antenna is then about one cell radius away from the middle
// of the coverage, in any direction, and the device is about as far from the middle as the ring is wider than that.

import { KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR } from '../../radio/kind.ts';

/** Metres of one step, one way. For nr also the resolution: it is sent in finer units than any network uses. */
const GSM_METRES = 553.46;
const LTE_METRES = 78.07;
const NR_METRES = 0.076241;
const NR_RESOLUTION_METRES = 78.07;
/** A ring farther from the middle of the coverage than this many 95 % radii belongs to another cell. */
const CONTRADICTION = 3;
/** 50 % radius of a circular Gaussian in standard deviations of one axis. */
const R50_PER_SIGMA = Math.sqrt(2 * Math.LN2);

/** Where a site stands, metres in the frame of its cell, and how well that is known. */
interface Site {
  east: number;
  north: number;
  sigmaMetres: number;
}

/** A cell's position and 50 % radius, metres. */
export interface CellPosition {
  east: number;
  north: number;
  r50Metres: number;
}

/**
 * The distance that a timing advance stands for.
 * @param timing in the radio's own unit, 0 or more
 * @returns metres, and half of the step; undefined for radios without one
 */
export function ringOfTiming(kind: number, timing: number): { metres: number; halfStepMetres: number } | undefined {
  if (kind === KIND_GSM) return { metres: (timing + 0.5) * GSM_METRES, halfStepMetres: GSM_METRES / 2 };
  if (kind === KIND_LTE || kind === KIND_NBIOT)
    return { metres: (timing + 0.5) * LTE_METRES, halfStepMetres: LTE_METRES / 2 };
  if (kind === KIND_NR)
    return { metres: timing * NR_METRES + NR_RESOLUTION_METRES / 2, halfStepMetres: NR_RESOLUTION_METRES / 2 };
  return undefined;
}

/**
 * Moves a cell's position onto its ring.
 * @param r95Metres of the cell
 * @param site undefined if it is unknown
 * @returns undefined if the ring contradicts the cell
 */
export function moveToRing(
  cell: CellPosition,
  r95Metres: number,
  { metres, halfStepMetres }: { metres: number; halfStepMetres: number },
  site: Site | undefined,
): CellPosition | undefined {
  const east = cell.east - (site?.east ?? cell.east);
  const north = cell.north - (site?.north ?? cell.north);
  const away = Math.hypot(east, north);
  if (metres - halfStepMetres > away + CONTRADICTION * r95Metres) return undefined;
  if (site === undefined)
    return { ...cell, r50Metres: Math.max(cell.r50Metres, metres - halfStepMetres - cell.r50Metres) };
  const sigma = cell.r50Metres / R50_PER_SIGMA;
  const concentration = (metres * away) / (sigma * sigma);
  const resultant = concentration / (1 + Math.sqrt(concentration * concentration + 1));
  const reach = away === 0 ? 0 : (metres * resultant) / away;
  // Along the ring, across it, and of the site itself, each as the variance of one axis.
  const around = (metres * metres * (1 - resultant * resultant)) / 2;
  const across = (halfStepMetres * halfStepMetres) / 6;
  return {
    east: cell.east - east + east * reach,
    north: cell.north - north + north * reach,
    r50Metres: R50_PER_SIGMA * Math.sqrt(around + across + site.sigmaMetres ** 2),
  };
}
