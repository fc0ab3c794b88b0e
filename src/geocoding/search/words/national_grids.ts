// Positions in grids of one country, as people paste them:
//
//   Switzerland       LV95 2600000 1200000 and LV03 600000 200000, with or without apostrophes; formulas of swisstopo,
//                     "Approximate formulas for the transformation between Swiss projection coordinates and WGS84",
//                     good for a metre
//   the Netherlands   RD 121687 487484; Schreutelkamp and Strang van Hees, "Benaderingsformules voor de transformatie
//                     tussen RD- en WGS84-kaartcoördinaten", 2001, good for half a metre
//   Great Britain     TQ 30000 80000, two letters and an even number of figures: the middle of the square; Ordnance
//                     Survey, "A guide to coordinate systems in Great Britain", good for five metres
//
// Their numbers lie in ranges of their own, so a pair is of one grid or of none.

/** A position, degrees. */
interface Point {
  latitude: number;
  longitude: number;
}

const LABEL = '(?:(?:LV\\s?95|LV\\s?03|CH\\s?1903\\+?|RD|BNG|OSGB|OS|NGR|grid\\s*ref(?:erence)?)[\\s:.]*)?';
const THOUSANDS = "['’\\s]?";
const METRES = `(\\d{1,3}(?:${THOUSANDS}\\d{3}){1,2}(?:\\.\\d+)?)`;
const PAIR = new RegExp(
  `^\\s*${LABEL}[EXY]?\\s*[=:]?\\s*${METRES}\\s*m?\\s*[,;/\\s]\\s*[NXY]?\\s*[=:]?\\s*${METRES}\\s*m?\\s*$`,
  'iu',
);
const BRITISH = new RegExp(`^\\s*${LABEL}([HNOST][A-HJ-Z])\\s*(\\d{2,5}\\s+\\d{2,5}|(?:\\d\\d){2,5})\\s*$`, 'iu');
/** Fewer figures are as likely a postcode or the number of something. */
const BRITISH_FIGURES_MIN = 6;

/** The point of a text that is nothing but coordinates of a national grid. */
export function nationalGridPoint(text: string): Point | undefined {
  const british = BRITISH.exec(text);
  if (british !== null) return britishSquare(british[1].toUpperCase(), british[2]);
  const pair = PAIR.exec(text);
  if (pair === null) return undefined;
  const [x, y] = [pair[1], pair[2]].map(number => Number(number.replaceAll(/['’\s]/g, '')));
  if (isIn(x, 2_480_000, 2_850_000) && isIn(y, 1_070_000, 1_310_000)) return swissPoint(x - 2_600_000, y - 1_200_000);
  if (isIn(x, 480_000, 850_000) && isIn(y, 70_000, 300_000)) return swissPoint(x - 600_000, y - 200_000);
  if (isIn(x, 10_000, 290_000) && isIn(y, 305_000, 625_000)) return dutchPoint(x, y);
  return undefined;
}

function isIn(value: number, from: number, to: number): boolean {
  return value >= from && value <= to;
}

/** @param east metres from Bern @param north metres from Bern */
function swissPoint(east: number, north: number): Point {
  const [y, x] = [east / 1e6, north / 1e6];
  const longitude = 2.6779094 + 4.728982 * y + 0.791484 * y * x + 0.1306 * y * x ** 2 - 0.0436 * y ** 3;
  const latitude =
    16.9023892 + 3.238272 * x - 0.270978 * y ** 2 - 0.002528 * x ** 2 - 0.0447 * y ** 2 * x - 0.014 * x ** 3;
  return { latitude: (latitude * 100) / 36, longitude: (longitude * 100) / 36 };
}

/** Powers of x and y with their seconds of latitude and longitude. */
const DUTCH_LATITUDE: readonly (readonly [x: number, y: number, seconds: number])[] = [
  [0, 1, 3235.65389],
  [2, 0, -32.58297],
  [0, 2, -0.2475],
  [2, 1, -0.84978],
  [0, 3, -0.0655],
  [2, 2, -0.01709],
  [1, 0, -0.00738],
  [4, 0, 0.0053],
];
const DUTCH_LONGITUDE: readonly (readonly [x: number, y: number, seconds: number])[] = [
  [1, 0, 5260.52916],
  [1, 1, 105.94684],
  [1, 2, 2.45656],
  [3, 0, -0.81885],
  [1, 3, 0.05594],
  [3, 1, -0.05607],
  [0, 1, 0.01199],
];

function dutchPoint(x: number, y: number): Point {
  const [dx, dy] = [(x - 155_000) / 1e5, (y - 463_000) / 1e5];
  const sum = (terms: typeof DUTCH_LATITUDE) =>
    terms.reduce((all, [i, j, of]) => all + of * dx ** i * dy ** j, 0) / 3600;
  return { latitude: 52.1551744 + sum(DUTCH_LATITUDE), longitude: 5.38720621 + sum(DUTCH_LONGITUDE) };
}

const SQUARE_METRES = 100_000;
const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';

/** The middle of a square of the Ordnance Survey's grid; undefined for no such square. */
function britishSquare([large, small]: string, figures: string): Point | undefined {
  const groups = figures.trim().split(/\s+/);
  if (groups.length === 2 && groups[0].length !== groups[1].length) return undefined;
  const digits = groups.join('');
  if (digits.length < BRITISH_FIGURES_MIN) return undefined;
  const [first, second] = [LETTERS.indexOf(large), LETTERS.indexOf(small)];
  const half = digits.length / 2;
  const metres = 10 ** (5 - half);
  const column = ((first - 2) % 5) * 5 + (second % 5);
  const row = 19 - Math.floor(first / 5) * 5 - Math.floor(second / 5);
  if (column < 0 || column > 6 || row < 0 || row > 12) return undefined;
  const within = (text: string) => Number(text) * metres + metres / 2;
  return britishPoint(
    column * SQUARE_METRES + within(digits.slice(0, half)),
    row * SQUARE_METRES + within(digits.slice(half)),
  );
}

/** Airy 1830, its scale on the meridian, and the true origin. */
const AIRY = { a: 6_377_563.396, b: 6_356_256.909, scale: 0.9996012717 };
const ORIGIN = { latitude: radians(49), longitude: radians(-2), east: 400_000, north: -100_000 };
const WGS84 = { a: 6_378_137, b: 6_356_752.3142 };
/** From Airy's ellipsoid to WGS 84: metres, parts per million, seconds. */
const SHIFT = { x: 446.448, y: -125.157, z: 542.06, scale: -20.4894e-6, rx: 0.1502, ry: 0.247, rz: 0.8421 };

/** A point of the Ordnance Survey's grid. @param east metres @param north metres */
export function britishPoint(east: number, north: number): Point {
  const { a, b, scale } = AIRY;
  const e2 = 1 - (b * b) / (a * a);
  const n = (a - b) / (a + b);
  const arc = (latitude: number) => {
    const [minus, plus] = [latitude - ORIGIN.latitude, latitude + ORIGIN.latitude];
    return (
      b *
      scale *
      ((1 + n + 1.25 * n ** 2 + 1.25 * n ** 3) * minus -
        (3 * n + 3 * n ** 2 + 2.625 * n ** 3) * Math.sin(minus) * Math.cos(plus) +
        (1.875 * n ** 2 + 1.875 * n ** 3) * Math.sin(2 * minus) * Math.cos(2 * plus) -
        (35 / 24) * n ** 3 * Math.sin(3 * minus) * Math.cos(3 * plus))
    );
  };
  let foot = ORIGIN.latitude;
  // Each step leaves a thousandth of the difference.
  for (let step = 0; step < 6; step++) foot += (north - ORIGIN.north - arc(foot)) / (a * scale);
  const [tan, sec, sin] = [Math.tan(foot), 1 / Math.cos(foot), Math.sin(foot)];
  const nu = (a * scale) / Math.sqrt(1 - e2 * sin * sin);
  const rho = (a * scale * (1 - e2)) / (1 - e2 * sin * sin) ** 1.5;
  const eta2 = nu / rho - 1;
  const t2 = tan * tan;
  const d = east - ORIGIN.east;
  const latitude =
    foot -
    (tan / (2 * rho * nu)) * d ** 2 +
    (tan / (24 * rho * nu ** 3)) * (5 + 3 * t2 + eta2 - 9 * t2 * eta2) * d ** 4 -
    (tan / (720 * rho * nu ** 5)) * (61 + 90 * t2 + 45 * t2 ** 2) * d ** 6;
  const longitude =
    ORIGIN.longitude +
    (sec / nu) * d -
    (sec / (6 * nu ** 3)) * (nu / rho + 2 * t2) * d ** 3 +
    (sec / (120 * nu ** 5)) * (5 + 28 * t2 + 24 * t2 ** 2) * d ** 5;
  return onWgs84(latitude, longitude, e2);
}

/** The same point on WGS 84. @param latitude radians @param longitude radians @param e2 of Airy's ellipsoid */
function onWgs84(latitude: number, longitude: number, e2: number): Point {
  const nu = AIRY.a / Math.sqrt(1 - e2 * Math.sin(latitude) ** 2);
  const [x, y, z] = [
    nu * Math.cos(latitude) * Math.cos(longitude),
    nu * Math.cos(latitude) * Math.sin(longitude),
    nu * (1 - e2) * Math.sin(latitude),
  ];
  const [rx, ry, rz] = [SHIFT.rx, SHIFT.ry, SHIFT.rz].map(seconds => radians(seconds / 3600));
  const grown = 1 + SHIFT.scale;
  const toX = SHIFT.x + grown * x - rz * y + ry * z;
  const toY = SHIFT.y + rz * x + grown * y - rx * z;
  const toZ = SHIFT.z - ry * x + rx * y + grown * z;
  const squared = 1 - (WGS84.b * WGS84.b) / (WGS84.a * WGS84.a);
  const across = Math.hypot(toX, toY);
  let angle = Math.atan2(toZ, across * (1 - squared));
  for (let step = 0; step < 4; step++) {
    const radius = WGS84.a / Math.sqrt(1 - squared * Math.sin(angle) ** 2);
    angle = Math.atan2(toZ + squared * radius * Math.sin(angle), across);
  }
  return { latitude: (angle * 180) / Math.PI, longitude: (Math.atan2(toY, toX) * 180) / Math.PI };
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
