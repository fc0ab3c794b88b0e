// Coordinates in a query, in seven notations, each with or without degree signs, comma and brackets:
//
//   40.446, -79.982                 signed decimal degrees
//   N 40.446 W 79.982               40.446 N 79.982 W                  decimal degrees
//   N 40 26.767 W 79 58.933         40 26.767 N 79 58.933 W            degrees and decimal minutes
//   N 40 26 46 W 79 58 56           40 26 46 N 79 58 56 W              degrees, minutes, seconds

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
const LATITUDE_MAX = 90;
const LONGITUDE_MAX = 180;
const SIXTIETHS = 60;

/** The coordinates in a text; `undefined` if it has none or they are out of range. */
export function pointInText(text: string): TextPoint | undefined {
  return signedPoint(text) ?? hemispherePoint(text);
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
