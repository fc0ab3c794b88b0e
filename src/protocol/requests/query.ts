// The parameters of a query, each by its kind: how its value is read, how an error names it, and what the OpenAPI
// document says of it. A parameter without a value counts as missing. One that is required, or that chooses what is
// answered, must be valid; one that asks for more is read leniently.

import type { Box } from '../../geo/box.ts';
import { isIn, LATITUDE, LONGITUDE, type Range } from '../../radio/ranges.ts';
import { numberOf } from '../../radio/read_value.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { numberIn, type Schema } from '../json_schema.ts';
import { type Parameters, readQueryString } from './parameters.ts';

/** A parameter. */
export interface Parameter<T> {
  /** @param text undefined for a missing or empty value @throws ApiError parseError that names the parameter */
  read(text: string | undefined, name: string): T;
  /** What the document says of it besides its name. */
  readonly documented: Schema;
}

/** What the parameters of a query are read as. */
export type Read<P> = { [N in keyof P]: P[N] extends Parameter<infer T> ? T : never };

/** The parameters of a route. All others are ignored. */
export class Query<P extends Readonly<Record<string, Parameter<unknown>>>> {
  private readonly names: ReadonlySet<string>;
  private readonly Sent: new (
    sent: Parameters,
  ) => object;
  /** Parameters of the OpenAPI document. */
  readonly documented: readonly Schema[];

  /** @param parameters by name, in the order of the document */
  constructor(parameters: P) {
    const rows = Object.entries(parameters);
    this.names = new Set(Object.keys(parameters));
    this.documented = rows.map(([name, { documented }]) => ({ name, in: 'query', ...documented }));
    this.Sent = class {
      readonly sent: Parameters;
      constructor(sent: Parameters) {
        this.sent = sent;
      }
    };
    for (const [name, { read }] of rows) {
      const get = function (this: { sent: Parameters }): unknown {
        return read(this.sent.get(name) || undefined, name);
      };
      Object.defineProperty(this.Sent.prototype, name, { get });
    }
  }

  /**
   * The parameters of a request. Each is read when it is asked for, so what is passed over need not be valid.
   * @param url as received
   * @throws ApiError parseError that names the parameter, also when one is asked for
   */
  read(url: string): Read<P> {
    return new this.Sent(readQueryString(url, this.names)) as Read<P>;
  }
}

/** Most characters of a text that is searched for. No address is that long. */
const TEXT_CHARACTERS_MAX = 1_000;
const VIEWBOX_NUMBERS = 4;
const FOUR_NUMBERS = '^-?\\d+(?:\\.\\d+)?(?:,-?\\d+(?:\\.\\d+)?){3}$';
/** Degrees. */
const TURN = 360;
const COUNTRY_CODES_MAX = 250;

/** A parameter with a reader of its own. */
export function parameter<T>(
  read: Parameter<T>['read'],
  schema: Schema,
  description: string,
  example?: string | number,
): Parameter<T> {
  return { read, documented: { description, schema, ...(example !== undefined && { example }) } };
}

/** The same parameter as one that must be there; its reader, or who asks for it, refuses a request without it. */
export function required<T>({ read, documented }: Parameter<T>): Parameter<T> {
  return { read, documented: { ...documented, required: true } };
}

/** A text as it was sent. */
export function plain(description: string, example?: string | number, schema: Schema = { type: 'string' }) {
  return parameter(text => text, schema, description, example);
}

/** A text to search for, without blanks around it. */
export function words(description: string, example?: string): Parameter<string | undefined> {
  return parameter(readWords, { type: 'string', maxLength: TEXT_CHARACTERS_MAX }, description, example);
}

function readWords(sent: string | undefined, name: string): string | undefined {
  const text = sent?.trim();
  if (text === undefined || text === '') return undefined;
  if (text.length > TEXT_CHARACTERS_MAX)
    throw parseError(`${name} must have at most ${TEXT_CHARACTERS_MAX} characters.`);
  return text;
}

/** A flag: 0 and `false` are none. @param absent what it is where it is not sent */
export function flag(absent: boolean, description: string): Parameter<boolean> {
  const read = (text: string | undefined) => (text === undefined ? absent : text !== '0' && text !== 'false');
  return parameter(read, { type: 'string', enum: ['0', '1'], default: absent ? '1' : '0' }, description);
}

/** A number; NaN for what is none. */
export function number(description: string, schema: Schema = { type: 'number' }): Parameter<number> {
  return parameter(numberOf, schema, description);
}

/** One of some words. @param absent what it is where it is not sent */
export function oneOf<T extends string, const A extends T | undefined>(
  words: readonly T[],
  absent: A,
  description: string,
): Parameter<T | A> {
  const read = (text: string | undefined, name: string) => {
    if (text === undefined) return absent;
    if (!words.includes(text as T)) throw parseError(`${name} must be one of ${words.join(', ')}.`);
    return text as T;
  };
  return parameter(read, { enum: words, ...(absent !== undefined && { default: absent }) }, description);
}

/** Texts with commas between them. @param most further ones are ignored */
export function listed(most: number, description: string, example: string): Parameter<string[]> {
  return parameter(text => itemsOf(text, most), { type: 'string' }, description, example);
}

/** The texts of a list, without blanks around them. */
export function itemsOf(text: string | undefined, most?: number): string[] {
  const items = (text ?? '').split(',', most).map(item => item.trim());
  return items.filter(item => item !== '');
}

/** A coordinate, which must be there. */
export function coordinate(allowed: Range, description: string, example: number): Parameter<number> {
  const read = (text: string | undefined, name: string) => readCoordinate(name, text, allowed);
  return required(parameter(read, numberIn(allowed), description, example));
}

/**
 * A latitude or longitude, in degrees.
 * @param name of the parameter or member
 * @throws ApiError parseError when it is missing, not a number or out of range
 */
export function readCoordinate(name: string, value: unknown, allowed: Range): number {
  if (value === undefined || value === null || value === '') throw parseError(`${name} is missing.`);
  const number = numberOf(value);
  if (!isIn(number, allowed)) throw parseError(`${name} must be a number from ${allowed.min} to ${allowed.max}.`);
  return number;
}

/** Countries: codes in lower case; what is none is ignored. */
export function countries(description: string, example: string): Parameter<string[]> {
  return parameter(readCountryCodes, { type: 'string' }, description, example);
}

/** Codes in lower case; what is none is ignored. */
export function readCountryCodes(text: string | undefined): string[] {
  return itemsOf(text?.toLowerCase(), COUNTRY_CODES_MAX).filter(code => /^[a-z]{2}$/.test(code));
}

/** A box by two corners. */
export function box(description: string, example?: string): Parameter<Box | undefined> {
  return parameter(readBox, { type: 'string', pattern: FOUR_NUMBERS }, description, example);
}

/** Longitude and latitude of two opposite corners. Latitudes are cut off at the poles. */
export function readBox(text: string | undefined, name: string): Box | undefined {
  if (text === undefined || text === '') return undefined;
  const numbers = text.split(',').map(numberOf);
  if (numbers.length !== VIEWBOX_NUMBERS || !numbers.every(Number.isFinite)) {
    throw parseError(`${name} must be four numbers: longitude and latitude of two opposite corners.`);
  }
  const [x1, y1, x2, y2] = numbers;
  return { ...readStretch(x1, x2), south: cut(Math.min(y1, y2)), north: cut(Math.max(y1, y2)) };
}

/**
 * The longitudes of a view. Its corners may stand in any order, but if the first is over half a turn east of the
 * second, the view lies across the antimeridian, and its west is east of its east. Map controls also count on beyond
 * 180 degrees.
 */
function readStretch(x1: number, x2: number): { west: number; east: number } {
  const isAcross = x1 - x2 > TURN / 2;
  const west = isAcross ? x1 : Math.min(x1, x2);
  const east = isAcross ? x2 + TURN : Math.max(x1, x2);
  if (east - west >= TURN) return { west: LONGITUDE.min, east: LONGITUDE.max };
  return { west: west === LONGITUDE.max ? LONGITUDE.min : wrapped(west), east: wrapped(east) };
}

function wrapped(degrees: number): number {
  return isIn(degrees, LONGITUDE) ? degrees : degrees - TURN * Math.round(degrees / TURN);
}

function cut(latitude: number): number {
  return Math.min(LATITUDE.max, Math.max(LATITUDE.min, latitude));
}

function parseError(message: string): ApiError {
  return new ApiError(ERRORS.parseError, message);
}
