// What a map knows of where fingerprints were taken. The floor is a grid. In a cell, fingerprints that are alike are
// one place; others are places of their own: phones hear with different antennas, bodies stand in the way, and a mean
// of all would be like none of them. A place is where its fingerprints were on average, and has the mean strength of
// each radio, with 0 for the fingerprints that did not hear it.
//
// Nobody makes a place, or moves it, by many fingerprints: a cell has few places, and a contributor weighs in a place
// no more than a few scans.

import type { Fingerprint, Reading } from './fingerprint.ts';
import { strengthOf } from './strength.ts';

/** Where fingerprints were taken that are alike. */
export interface Place {
  floor: number;
  eastMetres: number;
  northMetres: number;
  /** How likely the place is before any scan: 1 for a surveyed cell of the grid, which its places share. */
  prior: number;
  /** Mean strength by radio, 0..1. */
  readonly strengths: ReadonlyMap<number, number>;
}

/** Sums over the fingerprints of a place. */
interface Sums {
  weight: number;
  east: number;
  north: number;
  /**
   * Radios that were heard, in the order in which they were: the first of the columns, by their number in `Radios`,
   * with the sum of their strengths.
   */
  count: number;
  radio: Uint32Array;
  strength: Float64Array;
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
/**
 * Fingerprints that are less alike are different places. With 0.6 errors are 5 % larger, with 0.8 to 0.9 by 3 %; the
 * map of a mall has a third fewer bytes than at 1.
 */
const ALIKE = 0.7;
const PLACES_OF_CELL_MAX = 6;
/** Strength of a radio that a scan does not hear. */
const NOT_HEARD = -1;
/** Columns that are full get so many times the room. */
const GROWTH = 1.25;
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
  const radios = new Radios();
  for (const fingerprint of fingerprints) {
    const { floor, eastMetres, northMetres } = fingerprint;
    if (!isPlaced(fingerprint)) continue;
    if (radios.hear(strengthsOf(fingerprint.readings)) === 0) continue;
    const name = `${floor} ${Math.floor(eastMetres / gridMetres)} ${Math.floor(northMetres / gridMetres)}`;
    const cell = cells.get(name) ?? [];
    cells.set(name, cell);
    floors.set(name, floor);
    addTo(placeFor(cell, radios), fingerprint, radios);
  }
  const places = [...cells].flatMap(([name, cell]) =>
    cell.map(sums => new GatheredPlace(sums, floors.get(name)!, cell.length, radios.names)),
  );
  return places.sort((a, b) => a.floor - b.floor || a.northMetres - b.northMetres || a.eastMetres - b.eastMetres);
}

/** True for a fingerprint on a floor and at a position that a map can have. */
export function isPlaced({ floor, eastMetres, northMetres }: Fingerprint): boolean {
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
  return new Map(
    Array.from(sums, ([radio, { count, levels, ageMs }]) => [
      radio,
      strengthOf(levels / count) * Math.exp(-ageMs / AGE_MS),
    ]),
  );
}

/** False for what has no age, or a negative one. */
function isOld(ageMs: number | undefined): ageMs is number {
  return ageMs !== undefined && ageMs > 0;
}

/** Numbers radios in the order in which they are heard, and holds one scan, in columns by these numbers. */
class Radios {
  /** The radio of each number. */
  readonly names: number[] = [];
  /** Numbers of the radios of the scan. */
  heard: number[] = [];
  /** Strength of each radio in the scan; below 0 = not heard. */
  strengths = new Float64Array(1_024).fill(NOT_HEARD);
  private readonly numbers = new Map<number, number>();

  /** Takes a scan in place of the one before. @returns how many radios it has */
  hear(strengths: ReadonlyMap<number, number>): number {
    for (const number of this.heard) this.strengths[number] = NOT_HEARD;
    this.heard = Array.from(strengths.keys(), radio => this.numberOf(radio));
    let i = 0;
    for (const strength of strengths.values()) this.strengths[this.heard[i++]] = strength;
    return i;
  }

  private numberOf(radio: number): number {
    const known = this.numbers.get(radio);
    if (known !== undefined) return known;
    const number = this.names.push(radio) - 1;
    this.numbers.set(radio, number);
    if (number === this.strengths.length) {
      const before = this.strengths;
      this.strengths = new Float64Array(2 * number).fill(NOT_HEARD);
      this.strengths.set(before);
    }
    return number;
  }
}

/** The place of the cell that the scan belongs to: the one that is most like it, or a new one. */
function placeFor(cell: Sums[], scan: Radios): Sums {
  let best: Sums | undefined;
  let most = -1;
  for (const place of cell) {
    const alike = similarityOf(place, scan);
    if (alike <= most) continue;
    most = alike;
    best = place;
  }
  if (best !== undefined && (most >= ALIKE || cell.length >= PLACES_OF_CELL_MAX)) return best;
  const columns = { count: 0, radio: new Uint32Array(), strength: new Float64Array() };
  const place = { weight: 0, east: 0, north: 0, ...columns, scans: new Map() };
  cell.push(place);
  return place;
}

/** Sorensen similarity: what both have in common over what they have together. @returns 0..1 */
function similarityOf({ weight, count, radio, strength }: Sums, scan: Radios): number {
  let common = 0;
  let all = 0;
  for (let i = 0; i < count; i++) {
    const mean = strength[i] / weight;
    const heard = scan.strengths[radio[i]];
    all += mean;
    if (heard > 0) common += Math.min(heard, mean);
  }
  for (const number of scan.heard) all += scan.strengths[number];
  return all > 0 ? (2 * common) / all : 0;
}

/** Adds the scan, which is taken by that. */
function addTo(place: Sums, { eastMetres, northMetres, contributor }: Fingerprint, scan: Radios): void {
  const before = place.scans.get(contributor) ?? 0;
  if (contributor !== undefined && before >= CONTRIBUTOR_SCANS_MAX) return;
  place.scans.set(contributor, before + 1);
  place.weight++;
  place.east += eastMetres;
  place.north += northMetres;
  for (let i = 0; i < place.count; i++) {
    const heard = scan.strengths[place.radio[i]];
    if (heard < 0) continue;
    place.strength[i] += heard;
    scan.strengths[place.radio[i]] = NOT_HEARD;
  }
  const others = scan.heard.filter(number => scan.strengths[number] >= 0);
  makeRoom(place, others.length);
  for (const number of others) {
    place.radio[place.count] = number;
    place.strength[place.count++] = scan.strengths[number];
  }
}

/** A first scan gets the room that it needs: most places have one. */
function makeRoom(place: Sums, more: number): void {
  const needed = place.count + more;
  if (needed <= place.radio.length) return;
  const room = place.count === 0 ? needed : Math.ceil(needed * GROWTH);
  const { radio, strength } = place;
  place.radio = new Uint32Array(room);
  place.strength = new Float64Array(room);
  place.radio.set(radio);
  place.strength.set(strength);
}

/** A place, whose strengths are put together when somebody asks for them: as columns they take a tenth. */
class GatheredPlace implements Place {
  readonly floor: number;
  readonly eastMetres: number;
  readonly northMetres: number;
  readonly prior: number;
  private readonly sums: Sums;
  private readonly names: readonly number[];

  constructor(sums: Sums, floor: number, inCell: number, names: readonly number[]) {
    this.floor = floor;
    this.eastMetres = sums.east / sums.weight;
    this.northMetres = sums.north / sums.weight;
    this.prior = 1 / inCell;
    this.sums = sums;
    this.names = names;
  }

  get strengths(): Map<number, number> {
    const { weight, count, radio, strength } = this.sums;
    return new Map(Array.from({ length: count }, (_, i) => [this.names[radio[i]], strength[i] / weight]));
  }
}
