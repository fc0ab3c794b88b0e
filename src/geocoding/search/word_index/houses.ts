// The houses of a street, or of a place whose houses have numbers but no streets: one value each, in the order of
// places.
//
//   flags, difference to the place before, postcode token + 1 or 0, then
//   for a house: its number in the form that is compared
//   for a line of house numbers: start, end, step, points, then latitude and longitude of each point as differences,
//   units
//
// All are varints. The best of several matches wins: the exact number, then one inside a range, then one on a line.

import { lengthOf, pointAlong } from '../../../geo/line.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { HouseRange } from '../../../tables/places/place.ts';
import { ByteReader, type ByteWriter } from '../../index/varint.ts';

const IS_LINE = 1;
const IS_IN_RANGE = 2;
/** A house, and not a shop at its address. */
const IS_PLAIN = 4;

/** Letters behind a number; a dash joins another number. */
const MARKS = /^[a-z]+$/;
/** A number with marks fits worse than one on a line. */
const MARKED_DISTANCE = 5;

/** A house's own position applies. */
const NO_POINT = { latitude: Number.NaN, longitude: Number.NaN };

/** A house under its street. */
export interface House {
  place: number;
  /** Token of its postcode; -1 for none. */
  postcode: number;
  number: string;
  isInRange: boolean;
  /** A house, and not a shop at its address. */
  isPlain: boolean;
}

/** Numbers along a line. */
export interface HouseLine {
  place: number;
  postcode: number;
  range: HouseRange;
  /** Pairs, longitude first; units. */
  coordinates: Int32Array;
}

/** A house that matches. */
export interface HouseHit {
  place: number;
  /** Number of a house on a line; otherwise empty. */
  houseNumber: string;
  /** Degrees, for a house on a line; otherwise NaN, and the place's own apply. */
  latitude: number;
  longitude: number;
  /** It has the postcode of the query. */
  hasPostcode: boolean;
  /** How well the number fits: 0 for the exact number of a house; larger is worse. */
  distance: number;
}

/** Writes houses. */
export class HouseWriter {
  private readonly bytes: ByteWriter;
  private last = 0;

  constructor(bytes: ByteWriter) {
    this.bytes = bytes;
  }

  /** Writes a house. @param house its place must not come before the last one's */
  house({ place, postcode, number, isInRange, isPlain }: House): void {
    this.begin((isInRange ? IS_IN_RANGE : 0) | (isPlain ? IS_PLAIN : 0), place, postcode);
    this.bytes.text(number);
  }

  line({ place, postcode, range, coordinates }: HouseLine): void {
    this.begin(IS_LINE, place, postcode);
    for (const value of [range.start, range.end, range.step, coordinates.length / 2]) this.bytes.unsigned(value);
    let [longitude, latitude] = [0, 0];
    for (let i = 0; i < coordinates.length; i += 2) {
      this.bytes.signed(coordinates[i] - longitude);
      this.bytes.signed(coordinates[i + 1] - latitude);
      [longitude, latitude] = [coordinates[i], coordinates[i + 1]];
    }
  }

  private begin(flags: number, place: number, postcode: number): void {
    this.bytes.unsigned(flags);
    this.bytes.signed(place - this.last);
    this.bytes.unsigned(postcode + 1);
    this.last = place;
  }

  /** Returns the value of one street and starts the next. */
  take(): Buffer {
    this.last = 0;
    return this.bytes.take();
  }
}

/**
 * All houses of a street with a number, best first.
 * @param bytes the street's value
 * @param number in the form that is compared
 * @param postcodes tokens of the query's postcodes
 */
export function findHouses(bytes: Buffer, number: string, postcodes: ReadonlySet<number>): HouseHit[] {
  const reader = new ByteReader(bytes);
  const hits: HouseHit[] = [];
  let place = 0;
  while (reader.at < reader.end) {
    const flags = reader.unsigned();
    place += reader.signed();
    const postcode = reader.unsigned() - 1;
    const isLine = (flags & IS_LINE) !== 0;
    const point = isLine ? readLine(reader, number) : reader.isText(number) ? NO_POINT : undefined;
    if (point === undefined) continue;
    const distance = isLine ? 4 : ((flags & IS_IN_RANGE) === 0 ? 0 : 2) + ((flags & IS_PLAIN) === 0 ? 1 : 0);
    hits.push({ place, houseNumber: isLine ? number : '', ...point, hasPostcode: postcodes.has(postcode), distance });
  }
  return hits.sort(
    (a, b) => Number(b.hasPostcode) - Number(a.hasPostcode) || a.distance - b.distance || a.place - b.place,
  );
}

/**
 * The first house of a street whose number is this one with marks behind it: 42 A bis for 42. @param number in the form
 * that is compared
 */
export function findMarkedHouse(bytes: Buffer, number: string): HouseHit | undefined {
  const reader = new ByteReader(bytes);
  let place = 0;
  while (reader.at < reader.end) {
    const flags = reader.unsigned();
    place += reader.signed();
    reader.unsigned();
    if ((flags & IS_LINE) !== 0) readLine(reader, number);
    else if (isMarked(reader.text(), number))
      return { place, houseNumber: '', ...NO_POINT, hasPostcode: false, distance: MARKED_DISTANCE };
  }
  return undefined;
}

function isMarked(text: string, number: string): boolean {
  return text.startsWith(number) && MARKS.test(text.slice(number.length));
}

/** Reads a line. @returns the position of a number on it; undefined if the line does not have it */
function readLine(reader: ByteReader, number: string): { latitude: number; longitude: number } | undefined {
  const [start, end, step, points] = [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()];
  const coordinates = new Int32Array(2 * points);
  for (let i = 0; i < coordinates.length; i++) coordinates[i] = reader.signed() + (i < 2 ? 0 : coordinates[i - 2]);
  const wanted = Number(number);
  if (!(wanted >= start && wanted <= end) || (wanted - start) % step !== 0) return undefined;
  const share = end === start ? 0 : (wanted - start) / (end - start);
  const last = coordinates.length - 2;
  const [longitude, latitude] = pointAlong(coordinates, 0, last, share * lengthOf(coordinates, 0, last));
  return { latitude: latitude / UNITS_PER_DEGREE, longitude: longitude / UNITS_PER_DEGREE };
}
