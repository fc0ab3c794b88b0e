// Coordinates in a query: links of maps and geo: of RFC 5870, full plus codes, UTM and MGRS (grid_codes.ts), and seven
// notations, each with or without degree signs, comma and brackets:
//
//   40,446 -79,982                  with a decimal comma, at least two decimals
//   40.446, -79.982                 signed decimal degrees
//   N 40.446 W 79.982               40.446 N 79.982 W                  decimal degrees
//   N 40 26.767 W 79 58.933         40 26.767 N 79 58.933 W            degrees and decimal minutes
//   N 40 26 46 W 79 58 56           40 26 46 N 79 58 56 W              degrees, minutes, seconds

import { isSouthernBand, mgrsPoint, plusCodePoint, utmPoint } from './grid_codes.ts';

/** A point given in a text, and the text without it. */
interface TextPoint {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** The rest of the text. */
  rest: string;
}

const NUMBER = '\\d+(?:\\.\\d+)?';
/** Degrees, minutes, seconds. */
const ANGLE = `(${NUMBER})\\s*[°º]?(?:\\s*(${NUMBER})\\s*['′’]?(?:\\s*(${NUMBER})\\s*(?:["″”]|'')?)?)?`;
const BETWEEN = '[\\s,;]*';
const BEFORE = '(?<![\\p{L}\\p{N}.+-])';
const BEHIND = '(?![\\p{L}\\p{N}])';
const NOTATIONS = [
  new RegExp(`${BEFORE}([NS])\\s*${ANGLE}${BETWEEN}([EW])\\s*${ANGLE}${BEHIND}`, 'iu'),
  new RegExp(`${BEFORE}${ANGLE}\\s*([NS])${BETWEEN}${ANGLE}\\s*([EW])${BEHIND}`, 'iu'),
];
const SIGNED = new RegExp(
  `${BEFORE}([+-]?\\d+\\.\\d+)\\s*°?(?:\\s*[,;]\\s*|\\s+)([+-]?\\d+\\.\\d+)\\s*°?${BEHIND}`,
  'u',
);
const DECIMAL = '[+-]?\\d+(?:\\.\\d+)?';
/** Latitude and longitude in links, the more exact first: a marker or place before the middle of the map. */
const LINKS = [
  `\\S*!3d(${DECIMAL})!4d(${DECIMAL})\\S*`,
  `\\S*[?&]mlat=(${DECIMAL})&mlon=(${DECIMAL})\\S*`,
  `\\S*[?&](?:q|query|ll|center|daddr|destination|cp)=(${DECIMAL})(?:,|~|%2C)(${DECIMAL})\\S*`,
  `\\S*#map=\\d+(?:\\.\\d+)?/(${DECIMAL})/(${DECIMAL})\\S*`,
  `https?://\\S*@(${DECIMAL}),(${DECIMAL})\\S*`,
  `geo:(${DECIMAL}),(${DECIMAL})\\S*`,
].map(link => new RegExp(link, 'iu'));
const COMMA = new RegExp(
  `${BEFORE}([+-]?\\d{1,3},\\d{2,})\\s*°?(?:\\s*;\\s*|,?\\s+)([+-]?\\d{1,3},\\d{2,})\\s*°?(?![\\p{L}\\p{N},.])`,
  'u',
);
const ZONE = `${BEFORE}([1-9]|[0-5]\\d|60)\\s?([C-HJ-NP-X])`;
const METRES = '(?:\\.\\d+)?)\\s*m?\\s*';
const PLUS_CODE = new RegExp(
  `${BEFORE}([2-9CFGHJMPQRV][2-9CFGHJMPQRVWX]{7}|[2-9C-V]{4}0{4})\\+([2-9CFGHJMPQRVWX]{2,7})?${BEHIND}`,
  'iu',
);
const UTM = new RegExp(`${ZONE}\\s+(\\d{6}${METRES}E?[\\s,]+(\\d{1,8}${METRES}N?${BEHIND}`, 'iu');
const MGRS = new RegExp(`${ZONE}\\s?([A-HJ-NP-Z])([A-HJ-NP-V])\\s?(\\d{2,5})\\s?(\\d{2,5})${BEHIND}`, 'u');
const LATITUDE_MAX = 90;
const LONGITUDE_MAX = 180;
const SIXTIETHS = 60;

/** The coordinates in a text; `undefined` if it has none or they are out of range. */
export function pointInText(text: string): TextPoint | undefined {
  return linkPoint(text) ?? signedPoint(text) ?? commaPoint(text) ?? hemispherePoint(text) ?? codePoint(text);
}

function linkPoint(text: string): TextPoint | undefined {
  if (!text.includes(':') && !text.includes('/')) return undefined;
  for (const link of LINKS) {
    const match = link.exec(text);
    if (match !== null) return pointOf(text, match, Number(match[1]), Number(match[2]));
  }
  return undefined;
}

function commaPoint(text: string): TextPoint | undefined {
  const match = COMMA.exec(text);
  if (match === null) return undefined;
  return pointOf(text, match, Number(match[1].replace(',', '.')), Number(match[2].replace(',', '.')));
}

/** A full plus code, or coordinates of UTM or MGRS. */
function codePoint(text: string): TextPoint | undefined {
  const plus = PLUS_CODE.exec(text);
  if (plus !== null) {
    const { latitude, longitude } = plusCodePoint(`${plus[1]}${plus[2] ?? ''}`.toUpperCase());
    return pointOf(text, plus, latitude, longitude);
  }
  const utm = UTM.exec(text);
  if (utm !== null) {
    const isSouth = isSouthernBand(utm[2].toUpperCase());
    const { latitude, longitude } = utmPoint(Number(utm[1]), isSouth, Number(utm[3]), Number(utm[4]));
    return pointOf(text, utm, latitude, longitude);
  }
  const mgrs = MGRS.exec(text);
  if (mgrs === null || mgrs[5].length !== mgrs[6].length) return undefined;
  const found = mgrsPoint(Number(mgrs[1]), mgrs[2] + mgrs[3] + mgrs[4], mgrs[5] + mgrs[6]);
  return found && pointOf(text, mgrs, found.latitude, found.longitude);
}

function signedPoint(text: string): TextPoint | undefined {
  const match = SIGNED.exec(text);
  return match === null ? undefined : pointOf(text, match, Number(match[1]), Number(match[2]));
}

function hemispherePoint(text: string): TextPoint | undefined {
  for (const [i, notation] of NOTATIONS.entries()) {
    const match = notation.exec(text);
    // Whole degrees alone are house numbers and directions: 40 N 5 W.
    if (match === null || !/[.°º'′’]|\d\s+\d+\s+\d/.test(match[0])) continue;
    const groups = match.slice(1);
    const isLetterFirst = i === 0;
    const latitude = signedAngle(
      isLetterFirst ? groups[0] : groups[3],
      isLetterFirst ? groups.slice(1, 4) : groups.slice(0, 3),
    );
    const longitude = signedAngle(
      isLetterFirst ? groups[4] : groups[7],
      isLetterFirst ? groups.slice(5, 8) : groups.slice(4, 7),
    );
    return pointOf(text, match, latitude, longitude);
  }
  return undefined;
}

/** @param letter hemisphere: south and west are negative */
function signedAngle(letter: string, [degrees, minutes, seconds]: (string | undefined)[]): number {
  const fraction = Number(minutes ?? 0) / SIXTIETHS + Number(seconds ?? 0) / (SIXTIETHS * SIXTIETHS);
  if (Number(minutes ?? 0) >= SIXTIETHS || Number(seconds ?? 0) >= SIXTIETHS) return Number.NaN;
  return (/[SW]/i.test(letter) ? -1 : 1) * (Number(degrees) + fraction);
}

function pointOf(text: string, match: RegExpExecArray, latitude: number, longitude: number): TextPoint | undefined {
  if (!(Math.abs(latitude) <= LATITUDE_MAX && Math.abs(longitude) <= LONGITUDE_MAX)) return undefined;
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
  return { latitude, longitude, rest: rest.replaceAll(/[()[\]]/g, ' ').trim() };
}
