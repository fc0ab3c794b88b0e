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

/** The full plus code of a point, of ten digits: a square of 14 m. */
export function plusCodeOf(latitude: number, longitude: number): string {
  const squares = BASE ** (PAIR_DIGITS / 2 - 2);
  // The pole is in the northernmost square, and longitudes come round.
  let north = Math.min(Math.floor((latitude + 90) * squares), 180 * squares - 1);
  let east = Math.floor((longitude + 180) * squares) % (360 * squares);
  let digits = '';
  for (let pair = 0; pair < PAIR_DIGITS / 2; pair++) {
    digits = DIGITS[north % BASE] + DIGITS[east % BASE] + digits;
    [north, east] = [Math.floor(north / BASE), Math.floor(east / BASE)];
  }
  return `${digits.slice(0, FULL_DIGITS)}+${digits.slice(FULL_DIGITS)}`;
}

/** A short plus code, and what stands around it. */
interface ShortCode {
  /** With its plus, upper case. */
  digits: string;
  rest: string;
}

const FULL_DIGITS = 8;
const SHORT_CODE = /(?<![\p{L}\p{N}.+-])((?:[2-9CFGHJMPQRVWX]{2}){2,3})\+([2-9CFGHJMPQRVWX]{2,7})?(?![\p{L}\p{N}])/iu;

/** The short plus code in a text: one without its first digits, which a place near by stands for. */
export function shortCodeIn(text: string): ShortCode | undefined {
  const match = text.includes('+') ? SHORT_CODE.exec(text) : null;
  // Figures alone are numbers of houses.
  if (match === null || !/[a-z]/i.test(match[0])) return undefined;
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
  return { digits: `${match[1]}+${match[2] ?? ''}`.toUpperCase(), rest: rest.replaceAll(/^[\s,]+|[\s,]+$/g, '') };
}

/** The middle of the square nearest to a place that a short plus code names. @param digits with their plus */
export function shortCodePoint(digits: string, near: Point): Point {
  const missing = FULL_DIGITS - digits.indexOf('+');
  const size = BASE ** (2 - missing / 2);
  const first = plusCodePoint(DIGITS[0].repeat(missing) + digits.replace('+', ''));
  const nearest = (value: number, to: number) => value + Math.round((to - value) / size) * size;
  return { latitude: nearest(first.latitude, near.latitude), longitude: nearest(first.longitude, near.longitude) };
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

/** Metres from the equator in the band S, which is in the north. */
const BAND_S_FROM = 3_500_000;
const BAND_S_TO = 4_500_000;

/**
 * True for coordinates of UTM south of the equator. S is a band in the north; many write it for south, of which it has
 * other northings. @param band one letter @param northing metres
 */
export function isSouthOf(band: string, northing: number): boolean {
  if (band === 'S') return northing < BAND_S_FROM || northing > BAND_S_TO;
  return BANDS.indexOf(band) < BANDS.length / 2;
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
