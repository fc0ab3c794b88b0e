// Where a device was by the maps of cells, as the device carries it in its track (outdoor_track.ts):
//
//   time f64 | latitude i32, longitude i32, of the likeliest place, 1e-7 degrees | number of cells u8 | for each cell,
//   3 at most: its key, 12 bytes
//   | for each place, 30 at most: latitude i16, longitude i16, 1e-5 degrees from there | east i8, north i8, quarters of
//   m/s | weight u8, of 255 for the largest
//   | spreads u8: four bits for the position, as a power of the root of two above 4 m, four for the speed, as a power
//   of 1.4 above a quarter of m/s; little-endian
//
// A place some 36 km away from the likeliest one is left out.

import { wrapDegrees } from '../../geo/angle.ts';
import { CELLS_MAX, type PastPlace, type PastPlaces, PLACES_MAX } from '../../positioning/cells/followed/past.ts';
import { isCell } from '../../radio/kind.ts';
import { KEY_BYTES_CELL } from '../../radio/station_key.ts';

/** Where the device was when it was last located by the maps of cells: at least one place, the likeliest first. */
export interface CellPlaces extends PastPlaces {
  /** Milliseconds since 1970. */
  timeMs: number;
}

const CELLS_AT = 16;
const PLACE_BYTES = 8;
const ORIGIN_STEPS = 1e7;
const PLACE_STEPS = 1e5;
const REACH_STEPS = 32_767;
const SPEED_STEPS = 4;
const SPEED_MAX = 127;
const WEIGHT_MAX = 255;
const SPREAD_BITS = 4;
const SPREAD_MAX = (1 << SPREAD_BITS) - 1;
/** The spreads that can be written. */
const SIGMAS_METRES = Array.from({ length: SPREAD_MAX + 1 }, (_, step) => 4 * 2 ** (step / 2));
const SPEED_SIGMAS = Array.from({ length: SPREAD_MAX + 1 }, (_, step) => 0.25 * 1.4 ** step);

/** Encodes places. */
export function encodeCellPlaces({ timeMs, places, cells }: CellPlaces): Uint8Array {
  const latitude = Math.round(places[0].latitude * ORIGIN_STEPS);
  const longitude = Math.round(places[0].longitude * ORIGIN_STEPS);
  const near = places.slice(0, PLACES_MAX).flatMap(place => {
    const north = Math.round((place.latitude - latitude / ORIGIN_STEPS) * PLACE_STEPS);
    const east = Math.round(wrapDegrees(place.longitude - longitude / ORIGIN_STEPS) * PLACE_STEPS);
    return Math.max(Math.abs(north), Math.abs(east)) > REACH_STEPS ? [] : [{ place, north, east }];
  });
  const keys = cells.slice(0, CELLS_MAX);
  const placesAt = CELLS_AT + 1 + keys.length * KEY_BYTES_CELL;
  const bytes = new Uint8Array(placesAt + near.length * PLACE_BYTES);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, timeMs, true);
  view.setInt32(8, latitude, true);
  view.setInt32(12, longitude, true);
  bytes[CELLS_AT] = keys.length;
  for (const [i, key] of keys.entries()) bytes.set(key, CELLS_AT + 1 + i * KEY_BYTES_CELL);
  for (const [i, { place, north, east }] of near.entries()) {
    const at = placesAt + i * PLACE_BYTES;
    view.setInt16(at, north, true);
    view.setInt16(at + 2, east, true);
    view.setInt8(at + 4, speedSteps(place.eastSpeed));
    view.setInt8(at + 5, speedSteps(place.northSpeed));
    bytes[at + 6] = Math.min(WEIGHT_MAX, Math.max(1, Math.round((WEIGHT_MAX * place.weight) / places[0].weight)));
    bytes[at + 7] = (stepOf(place.sigmaMetres, SIGMAS_METRES) << SPREAD_BITS) | stepOf(place.speedSigma, SPEED_SIGMAS);
  }
  return bytes;
}

/** Decodes places. @returns undefined for bytes that are none */
export function decodeCellPlaces(bytes: Uint8Array): CellPlaces | undefined {
  if (bytes.length <= CELLS_AT || bytes[CELLS_AT] > CELLS_MAX) return undefined;
  const placesAt = CELLS_AT + 1 + bytes[CELLS_AT] * KEY_BYTES_CELL;
  const count = (bytes.length - placesAt) / PLACE_BYTES;
  if (!(Number.isInteger(count) && count >= 1 && count <= PLACES_MAX)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const timeMs = view.getFloat64(0, true);
  if (!Number.isFinite(timeMs)) return undefined;
  const cells = Array.from({ length: bytes[CELLS_AT] }, (_, i) =>
    bytes.slice(CELLS_AT + 1 + i * KEY_BYTES_CELL).subarray(0, KEY_BYTES_CELL),
  );
  if (!cells.every(key => isCell(key[0]))) return undefined;
  const origin = { latitude: view.getInt32(8, true) / ORIGIN_STEPS, longitude: view.getInt32(12, true) / ORIGIN_STEPS };
  const places: PastPlace[] = [];
  for (let at = placesAt; at < bytes.length; at += PLACE_BYTES) {
    const latitude = origin.latitude + view.getInt16(at, true) / PLACE_STEPS;
    const longitude = wrapDegrees(origin.longitude + view.getInt16(at + 2, true) / PLACE_STEPS);
    const [eastSpeed, northSpeed] = [view.getInt8(at + 4) / SPEED_STEPS, view.getInt8(at + 5) / SPEED_STEPS];
    const weight = bytes[at + 6];
    if (!(Math.abs(latitude) <= 90 && weight > 0)) return undefined;
    const sigmaMetres = SIGMAS_METRES[bytes[at + 7] >> SPREAD_BITS];
    const speedSigma = SPEED_SIGMAS[bytes[at + 7] & SPREAD_MAX];
    places.push({ latitude, longitude, weight, eastSpeed, northSpeed, sigmaMetres, speedSigma });
  }
  const sum = places.reduce((total, { weight }) => total + weight, 0);
  return { timeMs, places: places.map(place => ({ ...place, weight: place.weight / sum })), cells };
}

function speedSteps(speed: number): number {
  return Math.max(-SPEED_MAX, Math.min(SPEED_MAX, Math.round(SPEED_STEPS * speed)));
}

/** The step of a spread: the nearest one by its logarithm. @param spreads in equal ratios */
function stepOf(spread: number, spreads: readonly number[]): number {
  const step = Math.round(Math.log(spread / spreads[0]) / Math.log(spreads[1] / spreads[0]));
  return Math.max(0, Math.min(SPREAD_MAX, step));
}
