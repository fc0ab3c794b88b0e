// What a map knows of where fingerprints were taken. The floor is a grid. In a cell, fingerprints that are alike are one place; others are places of their own:
// phones hear with different antennas, bodies stand in the way, and a mean of all would be like none of them. A place is where its fingerprints were on average,
// and has the mean strength of each radio, with 0 for the fingerprints that did not hear it.
//
// Nobody makes a place, or moves it, by many fingerprints: a cell has few places, and a contributor weighs in a place no more than a few scans.

import type { Fingerprint, Reading } from './fingerprint.ts';
import { strengthOf } from './strength.ts';

/** Where fingerprints were taken that are alike. */
export interface Place {
  floor: number;
  eastMetres: number;
  northMetres: number;
  /** Places in the same cell of the grid, this one counted. */
  inCell: number;
  /** Mean strength by radio, 0..1. */
  strengths: Map<number, number>;
}

/** Sums over the fingerprints of a place. */
interface Sums {
  weight: number;
  east: number;
  north: number;
  strengths: Map<number, number>;
  /** Scans by contributor. */
  scans: Map<number | undefined, number>;
}

const LEVEL_DBM_MIN = -127;
const FLOOR_MIN = -128;
const FLOOR_MAX = 254;
/** Metres from the origin to the farthest fingerprint that is used. */
const REACH_METRES = 20_000;
/** A contributor weighs at most as much as this many scans in a place. */
const CONTRIBUTOR_SCANS_MAX = 8;
/** Fingerprints that are less alike are different places. Between 0.6 and 1 errors change by 3 %; the map of a mall has a third fewer bytes at 0.7 than at 1. */
const ALIKE = 0.8;
const PLACES_OF_CELL_MAX = 6;
/** A reading of this age counts e times less: people walk 20 m meanwhile. */
const AGE_MS = 20_000;

/** True for levels that a radio can have. */
export function isLevel(levelDbm: number): boolean {
  return levelDbm >= LEVEL_DBM_MIN && levelDbm <= 0;
}

/**
 * Groups fingerprints into places.
 * @param fingerprints those that cannot be used are left out; their order decides which one begins a place
 * @param gridMetres side of a cell
 * @returns in the order of floor, north and east
 */
export function placesOf(fingerprints: Iterable<Fingerprint>, gridMetres: number): Place[] {
  const cells = new Map<string, Sums[]>();
  const floors = new Map<string, number>();
  for (const fingerprint of fingerprints) {
    const { floor, eastMetres, northMetres } = fingerprint;
    if (!isUsable(fingerprint)) continue;
    const strengths = strengthsOf(fingerprint.readings);
    if (strengths.size === 0) continue;
    const name = `${floor} ${Math.floor(eastMetres / gridMetres)} ${Math.floor(northMetres / gridMetres)}`;
    const cell = cells.get(name) ?? [];
    cells.set(name, cell);
    floors.set(name, floor);
    addTo(placeFor(cell, strengths), fingerprint, strengths);
  }
  const places = [...cells].flatMap(([name, cell]) => cell.map(sums => placeOf(sums, floors.get(name)!, cell.length)));
  return places.sort((a, b) => a.floor - b.floor || a.northMetres - b.northMetres || a.eastMetres - b.eastMetres);
}

function isUsable({ floor, eastMetres, northMetres }: Fingerprint): boolean {
  if (!Number.isInteger(floor) || floor < FLOOR_MIN || floor > FLOOR_MAX) return false;
  return Math.abs(eastMetres) <= REACH_METRES && Math.abs(northMetres) <= REACH_METRES;
}

/** The strength of each radio: that of the mean level of its networks, less with age. */
function strengthsOf(readings: readonly Reading[]): Map<number, number> {
  const sums = new Map<number, { count: number; levels: number; ageMs: number }>();
  for (const { radio, levelDbm, ageMs } of readings) {
    if (!isLevel(levelDbm) || !Number.isSafeInteger(radio) || radio < 0) continue;
    const known = sums.get(radio) ?? { count: 0, levels: 0, ageMs: Number.POSITIVE_INFINITY };
    known.count++;
    known.levels += levelDbm;
    known.ageMs = Math.min(known.ageMs, isOld(ageMs) ? ageMs : 0);
    sums.set(radio, known);
  }
  return new Map(Array.from(sums, ([radio, { count, levels, ageMs }]) => [radio, strengthOf(levels / count) * Math.exp(-ageMs / AGE_MS)]));
}

/** False for what has no age, or a negative one. */
function isOld(ageMs: number | undefined): ageMs is number {
  return ageMs !== undefined && ageMs > 0;
}

/** The place of the cell that the fingerprint belongs to: the one that is most like it, or a new one. */
function placeFor(cell: Sums[], strengths: ReadonlyMap<number, number>): Sums {
  let best: Sums | undefined;
  let most = -1;
  for (const place of cell) {
    const alike = similarityOf(place, strengths);
    if (alike <= most) continue;
    most = alike;
    best = place;
  }
  if (best !== undefined && (most >= ALIKE || cell.length >= PLACES_OF_CELL_MAX)) return best;
  const place = { weight: 0, east: 0, north: 0, strengths: new Map(), scans: new Map() };
  cell.push(place);
  return place;
}

/** Sorensen similarity: what both have in common over what they have together. @returns 0..1 */
function similarityOf(place: Sums, strengths: ReadonlyMap<number, number>): number {
  let common = 0;
  let all = 0;
  for (const sum of place.strengths.values()) all += sum / place.weight;
  for (const [radio, strength] of strengths) {
    all += strength;
    common += Math.min(strength, (place.strengths.get(radio) ?? 0) / place.weight);
  }
  return all > 0 ? (2 * common) / all : 0;
}

function addTo(place: Sums, { eastMetres, northMetres, contributor }: Fingerprint, strengths: ReadonlyMap<number, number>): void {
  const before = place.scans.get(contributor) ?? 0;
  if (contributor !== undefined && before >= CONTRIBUTOR_SCANS_MAX) return;
  place.scans.set(contributor, before + 1);
  place.weight++;
  place.east += eastMetres;
  place.north += northMetres;
  for (const [radio, strength] of strengths) place.strengths.set(radio, (place.strengths.get(radio) ?? 0) + strength);
}

function placeOf({ weight, east, north, strengths }: Sums, floor: number, inCell: number): Place {
  return {
    floor,
    eastMetres: east / weight,
    northMetres: north / weight,
    inCell,
    strengths: new Map(Array.from(strengths, ([radio, sum]) => [radio, sum / weight])),
  };
}
