// Fingerprints of one floor that were taken within a metre or two are one place: the cells of a grid. A place is where its fingerprints were on average, and
// knows each radio that was heard there by its mean level and by the share of the scans that heard it.
//
// Contributors count the same in a place, however often they were there.

import type { Fingerprint } from './fingerprint.ts';

/** A radio in a place. */
interface PlaceLevel {
  /** Sum of the weights of the scans that heard it. */
  weight: number;
  /** Weighted sum of the levels, dBm. */
  sum: number;
}

/** Where fingerprints were taken. */
export interface Place {
  floor: number;
  eastMetres: number;
  northMetres: number;
  /** Sum of the weights of its scans. */
  weight: number;
  levels: Map<number, PlaceLevel>;
}

/** A fingerprint of readings with each radio once. */
interface Cleaned {
  fingerprint: Fingerprint;
  levels: Map<number, number>;
}

const LEVEL_DBM_MIN = -127;
const FLOOR_MIN = -128;
const FLOOR_MAX = 254;
/** Metres from the origin to the farthest fingerprint that is used. */
const REACH_METRES = 20_000;
/** A contributor weighs at most as much as this many scans in a place. */
const CONTRIBUTOR_SCANS_MAX = 4;

/** True for levels that a radio can have. */
export function isLevel(levelDbm: number): boolean {
  return levelDbm >= LEVEL_DBM_MIN && levelDbm <= 0;
}

/**
 * Groups fingerprints into places of a grid.
 * @param gridMetres side of a cell
 * @returns in the order of floor, north and east
 */
export function placesOf(fingerprints: Iterable<Fingerprint>, gridMetres: number): Place[] {
  const cells = new Map<string, Cleaned[]>();
  for (const fingerprint of fingerprints) {
    const levels = levelsOf(fingerprint);
    if (levels === undefined) continue;
    const { floor, eastMetres, northMetres } = fingerprint;
    const name = `${floor} ${Math.floor(eastMetres / gridMetres)} ${Math.floor(northMetres / gridMetres)}`;
    const cell = cells.get(name);
    if (cell === undefined) cells.set(name, [{ fingerprint, levels }]);
    else cell.push({ fingerprint, levels });
  }
  const places = [...cells.values()].map(placeOf);
  return places.sort((a, b) => a.floor - b.floor || a.northMetres - b.northMetres || a.eastMetres - b.eastMetres);
}

/** The mean level of each radio; undefined where the fingerprint cannot be used. */
function levelsOf({ floor, eastMetres, northMetres, readings }: Fingerprint): Map<number, number> | undefined {
  if (!Number.isInteger(floor) || floor < FLOOR_MIN || floor > FLOOR_MAX) return undefined;
  if (!(Math.abs(eastMetres) <= REACH_METRES && Math.abs(northMetres) <= REACH_METRES)) return undefined;
  const sums = new Map<number, { count: number; sum: number }>();
  for (const { radio, levelDbm } of readings) {
    if (!isLevel(levelDbm) || !Number.isSafeInteger(radio) || radio < 0) continue;
    const known = sums.get(radio);
    if (known === undefined) sums.set(radio, { count: 1, sum: levelDbm });
    else {
      known.count++;
      known.sum += levelDbm;
    }
  }
  if (sums.size === 0) return undefined;
  return new Map(Array.from(sums, ([radio, { count, sum }]) => [radio, sum / count]));
}

function placeOf(cell: readonly Cleaned[]): Place {
  const scans = new Map<number | undefined, number>();
  for (const { fingerprint } of cell) scans.set(fingerprint.contributor, (scans.get(fingerprint.contributor) ?? 0) + 1);
  const place: Place = { floor: cell[0].fingerprint.floor, eastMetres: 0, northMetres: 0, weight: 0, levels: new Map() };
  for (const { fingerprint, levels } of cell) {
    const { contributor, eastMetres, northMetres } = fingerprint;
    const weight = contributor === undefined ? 1 : Math.min(1, CONTRIBUTOR_SCANS_MAX / scans.get(contributor)!);
    place.weight += weight;
    place.eastMetres += weight * eastMetres;
    place.northMetres += weight * northMetres;
    for (const [radio, levelDbm] of levels) {
      const level = place.levels.get(radio);
      if (level === undefined) place.levels.set(radio, { weight, sum: weight * levelDbm });
      else {
        level.weight += weight;
        level.sum += weight * levelDbm;
      }
    }
  }
  place.eastMetres /= place.weight;
  place.northMetres /= place.weight;
  return place;
}
