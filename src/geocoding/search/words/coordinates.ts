// Coordinates in a query: links of maps, geo: of RFC 5870 and points of other programs (coordinate_links.ts), full plus
// codes, UTM and MGRS (grid_codes.ts), national grids (national_grids.ts), and numbers, each with or without degree
// signs, comma and brackets:
//
//   40,446 -79,982                  with a decimal comma, at least two decimals
//   40.446, -79.982                 40.446/-79.982                     signed decimal degrees
//   +40.446-079.982/                                                   ISO 6709
//   N 40.446 W 79.982               79,982 W 40,446 N                  decimal degrees
//   lat 40.446 lon -79.982
//   N 40 26.767 W 79 58.933         40 26.767 N 79 58.933 W            degrees and decimal minutes
//   N 40 26 46 W 79 58 56           40° 26′ 46″ −79° 58′ 56″           degrees, minutes, seconds
//
// Of two numbers without words the first is the latitude, unless it can be none, or is one where only ice is while the
// other order is a place in a country: then longitude stands first, as in GeoJSON.
//
// Words for hemispheres are in data/hemispheres.csv. O is east in German and west in French: the languages that are
// asked for decide, otherwise it is east.

import { countryAt } from '../../../geo/country.ts';
import { linkPoint } from './coordinate_links.ts';
import { isSouthOf, mgrsPoint, plusCodePoint, utmPoint } from './grid_codes.ts';
import { nationalGridPoint } from './national_grids.ts';
import { rowsOf } from './vocabulary.ts';

/** A point given in a text, and the text without it. */
interface TextPoint {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** The rest of the text. */
  rest: string;
}

/** What a word says of the number beside it. */
interface Hemisphere {
  direction: string;
  languages: readonly string[];
}

const NUMBER = '\\d+(?:[.,]\\d+)?';
/** Degrees, minutes, seconds. */
const ANGLE =
  `([+-]?${NUMBER})\\s*[°º˚d度]?` + `(?:\\s*(${NUMBER})\\s*['′’m分]?(?:\\s*(${NUMBER})\\s*(?:["″”s秒]|''|′′)?)?)?`;
/** With the signs of degrees and minutes, which say as much as letters. */
const SIGNED_ANGLE = `([+-]?\\d+)\\s*[°º˚]\\s*(${NUMBER})\\s*['′’](?:\\s*(${NUMBER})\\s*(?:["″”]|''|′′)?)?`;
const BETWEEN = '[\\s,;/&"\']*';
const BEFORE = '(?<![\\p{L}\\p{N}.+-])';
const BEHIND = '(?![\\p{L}\\p{N}])';
/** Without any of these there are no coordinates in figures. */
const MAY_HAVE = /\d[.,]\d|\d\s*[°º˚d度]|\d\s+\d/i;
/** Whole degrees alone are house numbers and directions: 40 N 5 W. */
const IS_EXACT = /[.°º˚'′’度]|\d,\d|\d\s+\d+\s+\d|\dd\d/;
const SIGNED = new RegExp(
  `${BEFORE}([+-]?\\d+\\.\\d+)\\s*[°º˚]?(?:\\s*[,;/]\\s*|\\s+)([+-]?\\d+\\.\\d+)\\s*[°º˚]?${BEHIND}`,
  'u',
);
const WHOLE_DEGREES = /^\s*([+-]?\d{1,3})\s*[°º˚]?(?:\s+|,\s+|\s*[;/]\s*)([+-]?\d{1,3})\s*[°º˚]?\s*$/u;
const ISO_6709 = new RegExp(`${BEFORE}([+-]\\d{2}\\.\\d+)([+-]\\d{3}\\.\\d+)(?:[+-][\\d.]+)?(?:/|${BEHIND})`, 'u');
const DEGREES = new RegExp(`${BEFORE}${SIGNED_ANGLE}${BETWEEN}${SIGNED_ANGLE}${BEHIND}`, 'u');
const COMMA = new RegExp(
  `${BEFORE}([+-]?\\d{1,3},\\d{2,})\\s*[°º˚]?(?:\\s*;\\s*|,?\\s+)([+-]?\\d{1,3},\\d{2,})\\s*[°º˚]?(?![\\p{L}\\p{N},.])`,
  'u',
);
const SYSTEM = '(?:(?:UTM|MGRS|zone)[\\s:]*)*';
const ZONE = `${BEFORE}${SYSTEM}([1-9]|[0-5]\\d|60)\\s?([C-HJ-NP-X])`;
const METRES = '(?:\\.\\d+)?)\\s*m?\\s*';
const PLUS_CODE = new RegExp(
  `${BEFORE}([2-9CFGHJMPQRV][2-9CFGHJMPQRVWX]{7}|[2-9C-V]{4}0{4})\\+([2-9CFGHJMPQRVWX]{2,7})?${BEHIND}`,
  'iu',
);
const UTM = new RegExp(`${ZONE}\\s+(\\d{6}${METRES}E?[\\s,]+(\\d{1,8}${METRES}N?${BEHIND}`, 'iu');
const SQUARE = '([A-HJ-NP-Z])([A-HJ-NP-V])';
const MGRS = new RegExp(`${ZONE}\\s?${SQUARE}\\s?(\\d{2,5}\\s\\d{2,5}|(?:\\d\\d){2,5})${BEHIND}`, 'u');
/** Small letters only where there are no blanks. */
const GLUED_MGRS = new RegExp(`${BEFORE}([1-9]|[0-5]\\d|60)([C-HJ-NP-X])${SQUARE}((?:\\d\\d){2,5})${BEHIND}`, 'iu');
const LATITUDE_MAX = 90;
/** Beyond these latitudes nobody lives but in stations of Antarctica. */
const PEOPLED_SOUTH = -60;
const PEOPLED_NORTH = 84;
const LONGITUDE_MAX = 180;
/** The country code of Antarctica. */
const ICE = 'aq';
const SIXTIETHS = 60;

/**
 * The coordinates in a text; `undefined` if it has none or they are out of range. @param languages that are asked for
 */
export function pointInText(text: string, languages: readonly string[] = []): TextPoint | undefined {
  const link = linkPoint(text);
  if (link !== undefined) return pointOf(text, link.match, link.latitude, link.longitude);
  return (MAY_HAVE.test(text) ? figuresPoint(text.replaceAll('−', '-'), languages) : undefined) ?? codePoint(text);
}

/**
 * The point of a text that is nothing but two whole numbers of degrees: 48 16, 51N 7E. They may as well be something
 * else, and with a comma and no blank between them one number.
 */
export function wholeDegrees(text: string, languages: readonly string[] = []): TextPoint | undefined {
  const plain = text.replaceAll('−', '-');
  const match = WHOLE_DEGREES.exec(plain);
  if (match !== null) return pairOf(plain, match, Number(match[1]), Number(match[2]));
  const point = hemispherePoint(plain, languages, true);
  return point?.rest === '' ? point : undefined;
}

/** Coordinates in figures. */
function figuresPoint(text: string, languages: readonly string[]): TextPoint | undefined {
  const signed = SIGNED.exec(text) ?? ISO_6709.exec(text);
  if (signed !== null) return pairOf(text, signed, Number(signed[1]), Number(signed[2]));
  const comma = COMMA.exec(text);
  if (comma !== null) return pairOf(text, comma, numberOf(comma[1]), numberOf(comma[2]));
  return hemispherePoint(text, languages) ?? degreesPoint(text);
}

/** A full plus code, or coordinates of UTM, MGRS or a national grid. */
function codePoint(text: string): TextPoint | undefined {
  const plus = text.includes('+') ? PLUS_CODE.exec(text) : null;
  if (plus !== null) {
    const { latitude, longitude } = plusCodePoint(`${plus[1]}${plus[2] ?? ''}`.toUpperCase());
    return pointOf(text, plus, latitude, longitude);
  }
  const utm = UTM.exec(text);
  if (utm !== null) {
    const isSouth = isSouthOf(utm[2].toUpperCase(), Number(utm[4]));
    const { latitude, longitude } = utmPoint(Number(utm[1]), isSouth, Number(utm[3]), Number(utm[4]));
    return pointOf(text, utm, latitude, longitude);
  }
  const national = nationalGridPoint(text);
  if (national !== undefined) return { ...national, rest: '' };
  const mgrs = MGRS.exec(text) ?? GLUED_MGRS.exec(text);
  const digits = mgrs?.[5].split(' ') ?? [];
  if (mgrs === null || (digits.length === 2 && digits[0].length !== digits[1].length)) return undefined;
  const letters = (mgrs[2] + mgrs[3] + mgrs[4]).toUpperCase();
  const found = mgrsPoint(Number(mgrs[1]), letters, digits.join(''));
  return found && pointOf(text, mgrs, found.latitude, found.longitude);
}

let hemispheres: { words: Map<string, Hemisphere[]>; notations: readonly RegExp[] } | undefined;

/** Two angles with words that say which is which, before or behind them. @param mayBeWhole also whole degrees */
function hemispherePoint(text: string, languages: readonly string[], mayBeWhole = false): TextPoint | undefined {
  hemispheres ??= readHemispheres();
  const { words, notations } = hemispheres;
  const directionOf = (word: string) => {
    const known = words.get(keyOf(word))!;
    return (known.find(each => each.languages.some(language => languages.includes(language))) ?? known[0]).direction;
  };
  for (const [i, notation] of notations.entries()) {
    const match = notation.exec(text);
    if (match === null) continue;
    const groups = match.slice(1);
    const [first, second] = (i === 0 ? [groups[0], groups[4]] : [groups[3], groups[7]]).map(directionOf);
    const isLabelled = first.length > 1;
    if (!isLabelled && !mayBeWhole && !IS_EXACT.test(match[0])) continue;
    const [one, other] = i === 0 ? [groups.slice(1, 4), groups.slice(5, 8)] : [groups.slice(0, 3), groups.slice(4, 7)];
    if (isLatitude(first) && isLongitude(second))
      return pointOf(text, match, signedAngle(first, one), signedAngle(second, other));
    if (isLongitude(first) && isLatitude(second))
      return pointOf(text, match, signedAngle(second, other), signedAngle(first, one));
  }
  return undefined;
}

function isLatitude(direction: string): boolean {
  return direction === 'n' || direction === 's' || direction === 'lat';
}

function isLongitude(direction: string): boolean {
  return !isLatitude(direction);
}

function degreesPoint(text: string): TextPoint | undefined {
  const match = DEGREES.exec(text);
  if (match === null) return undefined;
  return pointOf(text, match, signedAngle('', match.slice(1, 4)), signedAngle('', match.slice(4, 7)));
}

/** Words with the same letters are one. */
function keyOf(word: string): string {
  return word.toLowerCase().replaceAll(/[\s.]/g, '');
}

/** Columns: direction, languages, words separated by semicolons. */
function readHemispheres() {
  const words = new Map<string, Hemisphere[]>();
  const texts: string[] = [];
  for (const [direction, languages, list] of rowsOf('hemispheres.csv')) {
    for (const word of list.split(';')) {
      const key = keyOf(word);
      words.set(key, [...(words.get(key) ?? []), { direction, languages: languages.split(' ') }]);
      texts.push(word.replaceAll('.', '\\.').replaceAll(' ', '\\s*'));
    }
  }
  const word = `(${texts.sort((a, b) => b.length - a.length).join('|')})`;
  return {
    words,
    notations: [
      new RegExp(
        `${BEFORE}${word}\\.?["']?\\s*[:=]?\\s*${ANGLE}${BETWEEN}${word}\\.?["']?\\s*[:=]?\\s*${ANGLE}${BEHIND}`,
        'iu',
      ),
      new RegExp(`${BEFORE}${ANGLE}\\s*${word}${BETWEEN}${ANGLE}\\s*${word}${BEHIND}`, 'iu'),
    ],
  };
}

/** @param direction south and west are negative */
function signedAngle(direction: string, [degrees, minutes = '0', seconds = '0']: (string | undefined)[]): number {
  const [whole, of60, of3600] = [degrees!, minutes, seconds].map(numberOf);
  if (of60 >= SIXTIETHS || of3600 >= SIXTIETHS) return Number.NaN;
  const angle = Math.abs(whole) + of60 / SIXTIETHS + of3600 / (SIXTIETHS * SIXTIETHS);
  return direction === 's' || direction === 'w' || degrees!.startsWith('-') ? -angle : angle;
}

function numberOf(text: string): number {
  return Number(text.replace(',', '.'));
}

/** The point of two numbers in an order that nothing says. */
function pairOf(text: string, match: RegExpExecArray, first: number, second: number): TextPoint | undefined {
  return isLongitudeFirst(first, second) ? pointOf(text, match, second, first) : pointOf(text, match, first, second);
}

function isLongitudeFirst(first: number, second: number): boolean {
  if (Math.abs(first) > LATITUDE_MAX) return true;
  return (first < PEOPLED_SOUTH || first > PEOPLED_NORTH) && (countryAt(second, first) ?? ICE) !== ICE;
}

function pointOf(text: string, match: RegExpExecArray, latitude: number, longitude: number): TextPoint | undefined {
  if (!(Math.abs(latitude) <= LATITUDE_MAX && Math.abs(longitude) <= LONGITUDE_MAX)) return undefined;
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
  return { latitude, longitude, rest: rest.replaceAll(/[()[\]{}"]/g, ' ').trim() };
}
