// The bytes of the fingerprint map of one building:
//
//   header, 64 bytes: "SXFM", format u32, bytes of the record u32, CRC-32 of what follows the header u32,
//                     places u32, radios u32, levels u32, scans u32, latitude f64, longitude f64 of the origin, 16
//                     bytes of zeros
//   radios            f64 each, ascending
//   first level       u32 for each radio, and one more: the levels of radio r are first[r] to before first[r + 1]
//   places            east f32 each, north f32 each, prior f32 each, floor i16 each
//   levels            place u16 each, ascending within a radio; strength u8 each: 1..255, as strength.ts reads it
//
// Every column begins at a multiple of 8 bytes. Whoever opens a map reads its columns in place. A map is verified whole
// once, when it is opened: what is read of it later needs no checks.

import { crc32 } from 'node:zlib';
import { MAX_MAP_PLACES } from '../../../wasm/memory.ts';

const MAGIC = 0x4d465853; // "SXFM"
const FORMAT = 1;
const HEADER_BYTES = 64;
/** A place is a 16-bit number, in the core as well. */
export const PLACES_MAX: number = MAX_MAP_PLACES;
/** Largest map: a building of a million square metres has less. */
const RECORD_BYTES_MAX = 1_073_741_824;

/** The columns of a map. */
export interface MapColumns {
  /** Origin of the plane, degrees. */
  latitude: number;
  longitude: number;
  /** Fingerprints that the map was made of. */
  scans: number;
  /** The number of each radio, ascending. */
  radio: Float64Array;
  /** The levels of radio r are `firstLevel[r]` to before `firstLevel[r + 1]`; one more than radios. */
  firstLevel: Uint32Array;
  /** The place of each level, ascending within a radio. */
  levelPlace: Uint16Array;
  /**
   * Mean strength over the scans of the place, those that did not hear the radio with 0; 1..255, as strength.ts reads
   * it.
   */
  levelStrength: Uint8Array;
  /** Where the places are: metres from the origin, floor index. */
  east: Float32Array;
  north: Float32Array;
  floor: Int16Array;
  /**
   * Natural logarithm of the share that the place has of its cell of the grid: minus that of the number of places in
   * the cell.
   */
  logPrior: Float32Array;
}

interface Layout {
  radio: number;
  firstLevel: number;
  east: number;
  north: number;
  logPrior: number;
  floor: number;
  levelPlace: number;
  levelStrength: number;
  bytes: number;
}

/** Writes the columns into a record. */
export function encodeMap(columns: MapColumns): Uint8Array<ArrayBuffer> {
  const { radio, levelPlace, east } = columns;
  const layout = layoutOf(east.length, radio.length, levelPlace.length);
  const bytes = new Uint8Array(layout.bytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, FORMAT, true);
  view.setUint32(8, layout.bytes, true);
  view.setUint32(16, east.length, true);
  view.setUint32(20, radio.length, true);
  view.setUint32(24, levelPlace.length, true);
  view.setUint32(28, columns.scans, true);
  view.setFloat64(32, columns.latitude, true);
  view.setFloat64(40, columns.longitude, true);
  new Float64Array(bytes.buffer, layout.radio).set(radio);
  new Uint32Array(bytes.buffer, layout.firstLevel).set(columns.firstLevel);
  new Float32Array(bytes.buffer, layout.east).set(east);
  new Float32Array(bytes.buffer, layout.north).set(columns.north);
  new Float32Array(bytes.buffer, layout.logPrior).set(columns.logPrior);
  new Int16Array(bytes.buffer, layout.floor).set(columns.floor);
  new Uint16Array(bytes.buffer, layout.levelPlace).set(levelPlace);
  bytes.set(columns.levelStrength, layout.levelStrength);
  view.setUint32(12, crc32(bytes.subarray(HEADER_BYTES)), true);
  return bytes;
}

/**
 * Reads a record in place; the columns are views of the bytes where these begin at a multiple of 8, otherwise of a
 * copy.
 * @throws Error with a sentence when the bytes are no map, or a damaged one
 */
export function decodeMap(record: Uint8Array): MapColumns {
  if (record.length < HEADER_BYTES) throw new Error(`A fingerprint map of ${record.length} bytes is too short.`);
  const bytes = record.byteOffset % 8 === 0 ? record : record.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const format = view.getUint32(4, true);
  if (view.getUint32(0, true) !== MAGIC) throw new Error('These bytes are no fingerprint map.');
  if (format !== FORMAT)
    throw new Error(`A fingerprint map has format ${format}; this version reads format ${FORMAT}.`);
  const [places, radios, levels] = [view.getUint32(16, true), view.getUint32(20, true), view.getUint32(24, true)];
  const layout = layoutOf(places, radios, levels);
  if (layout.bytes !== bytes.length || view.getUint32(8, true) !== bytes.length)
    throw new Error(`A fingerprint map is damaged: it has ${bytes.length} bytes and should have ${layout.bytes}.`);
  if (view.getUint32(12, true) !== crc32(bytes.subarray(HEADER_BYTES)))
    throw new Error('A fingerprint map is damaged: its checksum is another.');
  const at = (offset: number): number => bytes.byteOffset + offset;
  const { buffer } = bytes;
  const columns: MapColumns = {
    latitude: view.getFloat64(32, true),
    longitude: view.getFloat64(40, true),
    scans: view.getUint32(28, true),
    radio: new Float64Array(buffer, at(layout.radio), radios),
    firstLevel: new Uint32Array(buffer, at(layout.firstLevel), radios + 1),
    east: new Float32Array(buffer, at(layout.east), places),
    north: new Float32Array(buffer, at(layout.north), places),
    logPrior: new Float32Array(buffer, at(layout.logPrior), places),
    floor: new Int16Array(buffer, at(layout.floor), places),
    levelPlace: new Uint16Array(buffer, at(layout.levelPlace), levels),
    levelStrength: new Uint8Array(buffer, at(layout.levelStrength), levels),
  };
  const problem = problemWith(columns);
  if (problem !== undefined) throw new Error(`A fingerprint map is damaged: ${problem}.`);
  return columns;
}

function layoutOf(places: number, radios: number, levels: number): Layout {
  let bytes = HEADER_BYTES;
  const column = (count: number, size: number): number => {
    const start = bytes;
    bytes += Math.ceil((count * size) / 8) * 8;
    return start;
  };
  const layout = {
    radio: column(radios, 8),
    firstLevel: column(radios + 1, 4),
    east: column(places, 4),
    north: column(places, 4),
    logPrior: column(places, 4),
    floor: column(places, 2),
    levelPlace: column(levels, 2),
    levelStrength: column(levels, 1),
  };
  if (bytes > RECORD_BYTES_MAX)
    throw new Error(`A fingerprint map of ${bytes} bytes is larger than ${RECORD_BYTES_MAX}.`);
  return { ...layout, bytes };
}

/** What the checksum cannot know: whether the values can be used without further checks. */
function problemWith({
  latitude,
  longitude,
  radio,
  firstLevel,
  levelPlace,
  levelStrength,
  east,
  north,
  logPrior,
}: MapColumns): string | undefined {
  const places = east.length;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return `its origin is ${latitude}, ${longitude}`;
  if (places > PLACES_MAX) return `it has ${places} places`;
  if (firstLevel[0] !== 0 || firstLevel[radio.length] !== levelPlace.length) return 'its radios do not have all levels';
  for (let r = 0; r < radio.length; r++) {
    if (!(Number.isSafeInteger(radio[r]) && radio[r] >= 0) || (r > 0 && radio[r] <= radio[r - 1]))
      return `it has the radio ${radio[r]}`;
    if (firstLevel[r + 1] <= firstLevel[r] || firstLevel[r + 1] > levelPlace.length)
      return 'its radios are not in order';
    for (let i = firstLevel[r]; i < firstLevel[r + 1]; i++) {
      if (levelPlace[i] >= places || (i > firstLevel[r] && levelPlace[i] <= levelPlace[i - 1]))
        return `it has the place ${levelPlace[i]}`;
      if (levelStrength[i] === 0) return 'a radio is not heard where it has a level';
    }
  }
  for (let p = 0; p < places; p++) {
    if (!Number.isFinite(east[p]) || !Number.isFinite(north[p])) return `a place is at ${east[p]}, ${north[p]}`;
    if (!(logPrior[p] <= 0 && logPrior[p] > -100)) return `a place has the prior ${logPrior[p]}`;
  }
  return undefined;
}
