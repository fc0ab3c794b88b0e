// Positions written as codes: plus codes, UTM and MGRS. The result is the middle of the square that the code names.
//
// Plus codes: Open Location Code, github.com/google/open-location-code, specification of 2019. UTM: Karney, Transverse
// Mercator with an accuracy of a few nanometers, 2011, series of Krüger to the third order (below a millimetre). MGRS:
// NGA.STND.0037, the lettering of WGS 84.

/** A position, degrees. */
interface Point {
  latitude: number;
  longitude: number;
}

const DIGITS = '23456789CFGHJMPQRVWX';
const BASE = 20;
/** Digits of a plus code in pairs; each further digit divides a square into 5 rows and 4 columns. */
const PAIR_DIGITS = 10;
const ROWS = 5;
const COLUMNS = 4;

/** The middle of a full plus code without its plus. @param digits at least 8, upper case; 0 fills up */
export function plusCodePoint(digits: string): Point {
  const significant = digits.replace(/0+$/, '');
  let [south, west, height, width] = [-90, -180, BASE * BASE, BASE * BASE];
  for (let at = 0; at < significant.length && at < PAIR_DIGITS; at += 2) {
    height /= BASE;
    width /= BASE;
    south += DIGITS.indexOf(significant[at]) * height;
    west += DIGITS.indexOf(significant[at + 1]) * width;
  }
  for (const digit of significant.slice(PAIR_DIGITS)) {
    height /= ROWS;
    width /= COLUMNS;
    south += Math.floor(DIGITS.indexOf(digit) / COLUMNS) * height;
    west += (DIGITS.indexOf(digit) % COLUMNS) * width;
  }
  return { latitude: south + height / 2, longitude: west + width / 2 };
}

/** WGS 84: half the longer axis in metres, flattening; UTM: scale on the meridian, false easting and northing. */
const AXIS = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const SCALE = 0.9996;
const EASTING = 500_000;
const NORTHING_SOUTH = 10_000_000;
const N = FLATTENING / (2 - FLATTENING);
const RADIUS = (AXIS / (1 + N)) * (1 + N ** 2 / 4 + N ** 4 / 64);
const BETA = [N / 2 - (2 / 3) * N ** 2 + (37 / 96) * N ** 3, N ** 2 / 48 + N ** 3 / 15, (17 / 480) * N ** 3];
const DELTA = [2 * N - (2 / 3) * N ** 2 - 2 * N ** 3, (7 / 3) * N ** 2 - (8 / 5) * N ** 3, (56 / 15) * N ** 3];

/** The point of UTM coordinates. @param zone 1..60 @param easting metres @param northing metres, from the equator */
export function utmPoint(zone: number, isSouth: boolean, easting: number, northing: number): Point {
  const xi = (northing - (isSouth ? NORTHING_SOUTH : 0)) / (SCALE * RADIUS);
  const eta = (easting - EASTING) / (SCALE * RADIUS);
  let [xiPrime, etaPrime] = [xi, eta];
  BETA.forEach((beta, i) => {
    const order = 2 * (i + 1);
    xiPrime -= beta * Math.sin(order * xi) * Math.cosh(order * eta);
    etaPrime -= beta * Math.cos(order * xi) * Math.sinh(order * eta);
  });
  const chi = Math.asin(Math.sin(xiPrime) / Math.cosh(etaPrime));
  const latitude = DELTA.reduce((sum, delta, i) => sum + delta * Math.sin(2 * (i + 1) * chi), chi);
  const longitude = Math.atan2(Math.sinh(etaPrime), Math.cos(xiPrime));
  return { latitude: degrees(latitude), longitude: degrees(longitude) + zone * 6 - 183 };
}

const BANDS = 'CDEFGHJKLMNPQRSTUVWX';
const COLUMN_LETTERS = ['ABCDEFGH', 'JKLMNPQR', 'STUVWXYZ'];
const ROW_LETTERS = 'ABCDEFGHJKLMNPQRSTUV';
const SQUARE_METRES = 100_000;
const ROWS_METRES = 2_000_000;
/** Metres of a degree of latitude, for finding the lap of rows; half a lap is more than a band is high. */
const DEGREE_METRES = 110_600;

/**
 * The middle of a square of MGRS. @param zone 1..60 @param letters band, column and row @param digits of easting and
 * northing, an even number @returns undefined if there is no such square
 */
export function mgrsPoint(zone: number, [band, column, row]: string, digits: string): Point | undefined {
  const columnAt = COLUMN_LETTERS[(zone - 1) % 3].indexOf(column);
  const rowAt = ROW_LETTERS.indexOf(row);
  const bandAt = BANDS.indexOf(band);
  if (columnAt < 0 || rowAt < 0 || bandAt < 0) return undefined;
  const half = digits.length / 2;
  const metres = 10 ** (5 - half);
  const within = (text: string) => Number(text || 0) * metres + metres / 2;
  const easting = (columnAt + 1) * SQUARE_METRES + within(digits.slice(0, half));
  const shift = zone % 2 === 0 ? 5 : 0;
  const rowNorthing = ((rowAt - shift + ROW_LETTERS.length) % ROW_LETTERS.length) * SQUARE_METRES;
  const isSouth = bandAt < BANDS.length / 2;
  const middle = (-80 + 8 * bandAt + 4) * DEGREE_METRES + (isSouth ? NORTHING_SOUTH : 0);
  const lap = Math.round((middle - rowNorthing) / ROWS_METRES) * ROWS_METRES;
  return utmPoint(zone, isSouth, easting, lap + rowNorthing + within(digits.slice(half)));
}

/** True for a band of UTM south of the equator. @param band one letter */
export function isSouthernBand(band: string): boolean {
  return BANDS.indexOf(band) < BANDS.length / 2;
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
