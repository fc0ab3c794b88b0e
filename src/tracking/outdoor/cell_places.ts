// Where a device was by the maps of cells, as the device carries it in its track (outdoor_track.ts):
//
//   time f64 | latitude i32, longitude i32, of the likeliest place, 1e-7 degrees | for each place, 24 at most: latitude i16, longitude i16, 1e-5 degrees from there
//   | east i8, north i8, quarters of m/s | weight u8, of 255 for the largest; little-endian
//
// A place some 36 km away from the likeliest one is left out.

/** A place where the device was likely. */
export interface CellPlace {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Share of the likelihood of all places, above 0. */
  weight: number;
  /** m/s. */
  eastSpeed: number;
  northSpeed: number;
}

/** Where the device was when it was last located by the map of a cell. */
export interface CellPlaces {
  /** Milliseconds since 1970. */
  timeMs: number;
  /** At least one, the likeliest first; of more than 24 the first are kept. */
  places: readonly CellPlace[];
}

const PLACES_AT = 16;
const PLACE_BYTES = 7;
const PLACES_MAX = 24;
const ORIGIN_STEPS = 1e7;
const PLACE_STEPS = 1e5;
const REACH_STEPS = 32_767;
const SPEED_STEPS = 4;
const SPEED_MAX = 127;
const WEIGHT_MAX = 255;

/** Encodes places. */
export function encodeCellPlaces({ timeMs, places }: CellPlaces): Uint8Array {
  const latitude = Math.round(places[0].latitude * ORIGIN_STEPS);
  const longitude = Math.round(places[0].longitude * ORIGIN_STEPS);
  const near = places.slice(0, PLACES_MAX).flatMap(place => {
    const north = Math.round((place.latitude - latitude / ORIGIN_STEPS) * PLACE_STEPS);
    const east = Math.round(around(place.longitude - longitude / ORIGIN_STEPS) * PLACE_STEPS);
    return Math.max(Math.abs(north), Math.abs(east)) > REACH_STEPS ? [] : [{ place, north, east }];
  });
  const view = new DataView(new ArrayBuffer(PLACES_AT + near.length * PLACE_BYTES));
  view.setFloat64(0, timeMs, true);
  view.setInt32(8, latitude, true);
  view.setInt32(12, longitude, true);
  for (const [i, { place, north, east }] of near.entries()) {
    const at = PLACES_AT + i * PLACE_BYTES;
    view.setInt16(at, north, true);
    view.setInt16(at + 2, east, true);
    view.setInt8(at + 4, speedSteps(place.eastSpeed));
    view.setInt8(at + 5, speedSteps(place.northSpeed));
    view.setUint8(at + 6, Math.min(WEIGHT_MAX, Math.max(1, Math.round((WEIGHT_MAX * place.weight) / places[0].weight))));
  }
  return new Uint8Array(view.buffer);
}

/** Decodes places. @returns undefined for bytes that are none */
export function decodeCellPlaces(bytes: Uint8Array): CellPlaces | undefined {
  const count = (bytes.length - PLACES_AT) / PLACE_BYTES;
  if (!(Number.isInteger(count) && count >= 1 && count <= PLACES_MAX)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const timeMs = view.getFloat64(0, true);
  if (!Number.isFinite(timeMs)) return undefined;
  const origin = { latitude: view.getInt32(8, true) / ORIGIN_STEPS, longitude: view.getInt32(12, true) / ORIGIN_STEPS };
  const places: CellPlace[] = [];
  for (let at = PLACES_AT; at < bytes.length; at += PLACE_BYTES) {
    const latitude = origin.latitude + view.getInt16(at, true) / PLACE_STEPS;
    const longitude = around(origin.longitude + view.getInt16(at + 2, true) / PLACE_STEPS);
    const [eastSpeed, northSpeed] = [view.getInt8(at + 4) / SPEED_STEPS, view.getInt8(at + 5) / SPEED_STEPS];
    const weight = view.getUint8(at + 6);
    if (!(Math.abs(latitude) <= 90 && weight > 0)) return undefined;
    places.push({ latitude, longitude, weight, eastSpeed, northSpeed });
  }
  const sum = places.reduce((total, { weight }) => total + weight, 0);
  return { timeMs, places: places.map(place => ({ ...place, weight: place.weight / sum })) };
}

function speedSteps(speed: number): number {
  return Math.max(-SPEED_MAX, Math.min(SPEED_MAX, Math.round(SPEED_STEPS * speed)));
}

/** A longitude or a difference of two, -180..180 degrees. */
export function around(longitude: number): number {
  return longitude - 360 * Math.round(longitude / 360);
}
