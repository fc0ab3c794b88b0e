// The numeric ranges of the specification's field tables. The reader of requests drops optional values outside their range and skips entries whose identity is
// outside. Structure (arrays and objects) belongs to the schema, not to this table.
//
// For fields without a range in the specification the limit is what a query can hold (query/layout.ts), and a comment says so.

import { KIND_GSM, type RadioType } from './kind.ts';

/** The valid numbers of a field, both ends included. */
export interface Range {
  readonly min: number;
  readonly max: number;
  /** One more valid number outside min..max; equal to `max` if there is none. */
  readonly also: number;
}

/** Ranges of one radio type's cell fields; signal in dBm, timing advance in the unit of the radio type. */
export interface CellRanges {
  readonly mobileCountryCode: Range;
  /** cdma: the system id. */
  readonly mobileNetworkCode: Range;
  /** LAC, TAC, or network id of cdma. */
  readonly locationAreaCode: Range;
  /** cdma: the base station id. */
  readonly cellId: Range;
  readonly signalStrength: Range;
  /** Scrambling code or physical cell id. */
  readonly primaryScramblingCode: Range;
  readonly timingAdvance: Range;
}

function range(min: number, max: number, also = max): Range {
  return { min, max, also };
}

/** The field does not exist for this radio type: no number lies in its range. */
const NONE: Range = range(0, -1, Number.NaN);

const BITS_16 = range(0, 65_535);
const BITS_28 = range(0, 268_435_455);
/** Three decimal digits: country and network codes. */
const CODE = range(0, 999);

/** Cell ranges by radio type. */
export const CELL_RANGES: { readonly [radio in RadioType]: CellRanges } = {
  gsm: {
    mobileCountryCode: CODE,
    mobileNetworkCode: CODE,
    locationAreaCode: BITS_16,
    cellId: BITS_16,
    signalStrength: range(-120, -25),
    primaryScramblingCode: NONE,
    timingAdvance: range(0, 63),
  },
  cdma: {
    mobileCountryCode: CODE,
    mobileNetworkCode: range(0, 32_767),
    locationAreaCode: BITS_16,
    cellId: BITS_16,
    signalStrength: range(-120, -25),
    primaryScramblingCode: NONE,
    timingAdvance: NONE,
  },
  wcdma: {
    mobileCountryCode: CODE,
    mobileNetworkCode: CODE,
    locationAreaCode: BITS_16,
    cellId: BITS_28,
    signalStrength: range(-130, -25),
    primaryScramblingCode: range(0, 511),
    timingAdvance: NONE,
  },
  lte: {
    mobileCountryCode: CODE,
    mobileNetworkCode: CODE,
    locationAreaCode: BITS_16,
    cellId: BITS_28,
    signalStrength: range(-140, -25),
    primaryScramblingCode: range(0, 511),
    timingAdvance: range(0, 1282),
  },
  nbiot: {
    mobileCountryCode: CODE,
    mobileNetworkCode: CODE,
    locationAreaCode: BITS_16,
    cellId: BITS_28,
    signalStrength: range(-140, -25),
    primaryScramblingCode: range(0, 511),
    timingAdvance: NONE,
  },
  nr: {
    mobileCountryCode: CODE,
    mobileNetworkCode: CODE,
    locationAreaCode: range(1, 16_777_213, 16_777_215),
    cellId: range(0, 68_719_476_735),
    signalStrength: range(-140, -25),
    primaryScramblingCode: range(0, 1023),
    timingAdvance: range(0, 3_938_304),
  },
};

const { gsm, cdma, wcdma, lte, nbiot, nr } = CELL_RANGES;
const RANGES_BY_KIND: readonly CellRanges[] = [gsm, cdma, wcdma, lte, nbiot, nr];

/** Cell ranges by kind byte, 8..13. */
export function cellRangesOfKind(kind: number): CellRanges {
  return RANGES_BY_KIND[kind - KIND_GSM];
}

/** Age of one observation in ms. No range in the specification: 32 bits, except the value that marks an absent age. */
export const AGE_MS = range(0, 4_294_967_294);

/** Access points: dBm, MHz and channel number. The last two have no range in the specification: 16 bits, where 0 means not sent. */
export const WIFI_RANGES = {
  signalStrength: range(-100, -20),
  frequency: range(1, 65_535),
  channel: range(1, 65_535),
} as const;

/** Bluetooth beacons: dBm, and the two numbers of an iBeacon. */
export const BLUETOOTH_RANGES = {
  signalStrength: range(-100, -20),
  major: BITS_16,
  minor: BITS_16,
} as const;

/** Degrees, WGS-84. */
export const LATITUDE = range(-90, 90);
/** Degrees, WGS-84. */
export const LONGITUDE = range(-180, 180);

/** The device's own fix: seconds, metres, degrees, m/s. Its accuracy has `RADIUS_METRES`. */
export const GPS_RANGES = {
  sat: range(0, 20),
  age: range(0, 600),
  altitude: range(-1000, 10_000),
  altitudeAccuracy: range(0, 100),
  heading: range(0, 360),
  speed: range(0, 100),
} as const;

/**
 * Radius of a fix or a last location in metres. It is wider than the specification's 0..255, because dropping a larger accuracy would make a coarse fix look
 * better than it is. The limit is half the circumference of the Earth.
 */
export const RADIUS_METRES = range(0, 20_037_508);

/** m/s. No range in the specification: 0 means no limit, and nothing on Earth moves faster than orbital speed. */
export const SPEED_LIMIT = range(0, 8000);

/** Percentage of the truths that the radius of the answer should hold. An extension, so not in the specification. */
export const CONFIDENCE = range(50, 99);

/** Indoor sensors: hPa, steps, degrees. The first two have no range in the specification: the limits are those of the atmosphere and of one request interval. */
export const SENSOR_RANGES = {
  pressure: range(1, 1200),
  steps: range(0, 65_535),
  heading: range(0, 359),
} as const;

/** True if the number is in the range; false for NaN. */
export function isIn(value: number, allowed: Range): boolean {
  return (value >= allowed.min && value <= allowed.max) || value === allowed.also;
}
