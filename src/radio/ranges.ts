// The numeric ranges of the specification's field tables. The reader of requests drops optional values outside their
// range and skips entries whose identity is outside. Structure (arrays and objects) belongs to the schema, not to this
// table.
//
// The numbers of the fields that the core reads too are in wasm/range_constants.ts. For fields without a range in the
// specification the limit is what a query can hold (query/layout.ts), and a comment says so.

import * as limits from '../../wasm/range_constants.ts';
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

const BITS_16 = range(0, limits.BITS_16_MAX);
const BITS_28 = range(0, limits.BITS_28_MAX);
/** Three decimal digits. */
const COUNTRY_CODE = range(0, limits.COUNTRY_CODE_MAX);
const NETWORK_CODE = range(0, limits.NETWORK_CODE_MAX);

/** Cell ranges by radio type. */
export const CELL_RANGES: { readonly [radio in RadioType]: CellRanges } = {
  gsm: {
    mobileCountryCode: COUNTRY_CODE,
    mobileNetworkCode: NETWORK_CODE,
    locationAreaCode: BITS_16,
    cellId: BITS_16,
    signalStrength: range(limits.GSM_SIGNAL_MIN, limits.CELL_SIGNAL_MAX),
    primaryScramblingCode: NONE,
    timingAdvance: range(0, limits.GSM_TIMING_MAX),
  },
  cdma: {
    mobileCountryCode: COUNTRY_CODE,
    mobileNetworkCode: range(0, limits.SYSTEM_ID_MAX),
    locationAreaCode: BITS_16,
    cellId: BITS_16,
    signalStrength: range(limits.GSM_SIGNAL_MIN, limits.CELL_SIGNAL_MAX),
    primaryScramblingCode: NONE,
    timingAdvance: NONE,
  },
  wcdma: {
    mobileCountryCode: COUNTRY_CODE,
    mobileNetworkCode: NETWORK_CODE,
    locationAreaCode: BITS_16,
    cellId: BITS_28,
    signalStrength: range(limits.WCDMA_SIGNAL_MIN, limits.CELL_SIGNAL_MAX),
    primaryScramblingCode: range(0, limits.CODE_MAX),
    timingAdvance: NONE,
  },
  lte: {
    mobileCountryCode: COUNTRY_CODE,
    mobileNetworkCode: NETWORK_CODE,
    locationAreaCode: BITS_16,
    cellId: BITS_28,
    signalStrength: range(limits.LTE_SIGNAL_MIN, limits.CELL_SIGNAL_MAX),
    primaryScramblingCode: range(0, limits.CODE_MAX),
    timingAdvance: range(0, limits.LTE_TIMING_MAX),
  },
  nbiot: {
    mobileCountryCode: COUNTRY_CODE,
    mobileNetworkCode: NETWORK_CODE,
    locationAreaCode: BITS_16,
    cellId: BITS_28,
    signalStrength: range(limits.LTE_SIGNAL_MIN, limits.CELL_SIGNAL_MAX),
    primaryScramblingCode: range(0, limits.CODE_MAX),
    timingAdvance: NONE,
  },
  nr: {
    mobileCountryCode: COUNTRY_CODE,
    mobileNetworkCode: NETWORK_CODE,
    locationAreaCode: range(limits.NR_AREA_MIN, limits.NR_AREA_MAX, limits.NR_AREA_ALSO),
    cellId: range(0, limits.BITS_36_MAX),
    signalStrength: range(limits.LTE_SIGNAL_MIN, limits.CELL_SIGNAL_MAX),
    primaryScramblingCode: range(0, limits.NR_CODE_MAX),
    timingAdvance: range(0, limits.NR_TIMING_MAX),
  },
};

const { gsm, cdma, wcdma, lte, nbiot, nr } = CELL_RANGES;
const RANGES_BY_KIND: readonly CellRanges[] = [gsm, cdma, wcdma, lte, nbiot, nr];

/** Cell ranges by kind byte, 8..13. */
export function cellRangesOfKind(kind: number): CellRanges {
  return RANGES_BY_KIND[kind - KIND_GSM];
}

/** Age of one observation in ms. No range in the specification: 32 bits, except the value that marks an absent age. */
export const AGE_MS = range(0, limits.AGE_MS_MAX);

/**
 * Access points: dBm, MHz and channel number. The last two have no range in the specification: 16 bits, where 0 means
 * not sent.
 */
export const WIFI_RANGES = {
  signalStrength: range(limits.STATION_SIGNAL_MIN, limits.STATION_SIGNAL_MAX),
  frequency: range(1, limits.BITS_16_MAX),
  channel: range(1, limits.BITS_16_MAX),
} as const;

/** Bluetooth beacons: dBm, and the two numbers of an iBeacon. */
export const BLUETOOTH_RANGES = {
  signalStrength: range(limits.STATION_SIGNAL_MIN, limits.STATION_SIGNAL_MAX),
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
 * Radius of a fix or a last location in metres. It is wider than the specification's 0..255, because dropping a larger
 * accuracy would make a coarse fix look better than it is. The limit is half the circumference of the Earth.
 */
export const RADIUS_METRES = range(0, 20_037_508);

/** m/s. No range in the specification: 0 means no limit, and nothing on Earth moves faster than orbital speed. */
export const SPEED_LIMIT = range(0, 8000);

/** Percentage of the truths that the radius of the answer should hold. An extension, so not in the specification. */
export const CONFIDENCE = range(50, 99);

/**
 * Indoor sensors: hPa, steps, degrees. The first two have no range in the specification: the limits are those of the
 * atmosphere and of one request interval.
 */
export const SENSOR_RANGES = { pressure: range(1, 1200), steps: range(0, 65_535), heading: range(0, 359) } as const;

/** True if the number is in the range; false for NaN. */
export function isIn(value: number, allowed: Range): boolean {
  return (value >= allowed.min && value <= allowed.max) || value === allowed.also;
}

/**
 * True if a device sent this for want of a position. A receiver without a fix, and a program between two of them, send
 * what stands in their memory: nothing, a number that no place has, or a corner of the coordinates. Such a position is
 * as good as not sent: it is not on the globe, or at 0, 0 or a pole's ends of the range
 * without an accuracy above 0 or without a satellite.
 * @param latitude degrees; NaN where it could not be read
 * @param accuracyMetres NaN or undefined = not sent
 * @param satellites NaN or undefined = not sent
 */
export function isNoPosition(
  latitude: number,
  longitude: number,
  accuracyMetres = Number.NaN,
  satellites = Number.NaN,
): boolean {
  if (!isIn(latitude, LATITUDE) || !isIn(longitude, LONGITUDE)) return true;
  const isCorner =
    (latitude === 0 && longitude === 0) ||
    (Math.abs(latitude) === LATITUDE.max && Math.abs(longitude) === LONGITUDE.max);
  return isCorner && (!(accuracyMetres > 0) || satellites === 0);
}
