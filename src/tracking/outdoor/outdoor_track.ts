// What is remembered of a device outdoors between two requests: its last fix, the state of the filter
// (follow_outdoors.ts) relative to it, and where it was by cells (cell_places.ts). The device carries it in its state
// token:
//
//   version u8 | contradictions u8 | time f64 | latitude f64 | longitude f64 | means 6 x f32 | covariance 6 x f32,
//   little-endian | places by cells, or nothing
//
// The version differs from that of a track in a building, so that neither is taken for the other.

import { type CellPlaces, decodeCellPlaces, encodeCellPlaces } from './cell_places.ts';

/** Along one axis: metres from the last fix, m/s, and the metres by which fixes are off. */
export interface AxisMeans {
  position: number;
  velocity: number;
  bias: number;
}

/** Covariance of position, velocity and bias, which is the same along both axes. */
export interface AxisCovariance {
  pp: number;
  pv: number;
  pb: number;
  vv: number;
  vb: number;
  bb: number;
}

/** What is remembered. */
export interface OutdoorTrack {
  /** Milliseconds since 1970. */
  timeMs: number;
  /** Of the last fix, degrees. */
  latitude: number;
  longitude: number;
  east: AxisMeans;
  north: AxisMeans;
  covariance: AxisCovariance;
  /** Successive fixes that contradicted the track. */
  contradictions: number;
  /** Where it was by the map of a cell; undefined where none has located it. */
  cells: CellPlaces | undefined;
}

const VERSION = 103;
const MEANS_AT = 26;
const COVARIANCE_AT = MEANS_AT + 24;
const CELLS_AT = COVARIANCE_AT + 24;
/** Beyond this a number is none of a device on Earth: metres, m/s, or their squares. */
const MEAN_MAX = 1e6;
const VARIANCE_MAX = 1e12;

/** Encodes a track. */
export function encodeOutdoorTrack(track: OutdoorTrack): Uint8Array<ArrayBuffer> {
  const cells = track.cells === undefined ? new Uint8Array() : encodeCellPlaces(track.cells);
  const bytes = new Uint8Array(CELLS_AT + cells.length);
  bytes.set(cells, CELLS_AT);
  const view = new DataView(bytes.buffer);
  bytes[0] = VERSION;
  bytes[1] = track.contradictions;
  view.setFloat64(2, track.timeMs, true);
  view.setFloat64(10, track.latitude, true);
  view.setFloat64(18, track.longitude, true);
  const { east, north, covariance } = track;
  const means = [east.position, east.velocity, east.bias, north.position, north.velocity, north.bias];
  for (const [i, mean] of means.entries()) view.setFloat32(MEANS_AT + 4 * i, mean, true);
  const { pp, pv, pb, vv, vb, bb } = covariance;
  for (const [i, value] of [pp, pv, pb, vv, vb, bb].entries()) view.setFloat32(COVARIANCE_AT + 4 * i, value, true);
  return bytes;
}

/** Decodes a track. @returns undefined for bytes that are no track of this version */
export function decodeOutdoorTrack(bytes: Uint8Array): OutdoorTrack | undefined {
  if (bytes.length < CELLS_AT || bytes[0] !== VERSION) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const timeMs = view.getFloat64(2, true);
  const latitude = view.getFloat64(10, true);
  const longitude = view.getFloat64(18, true);
  if (!Number.isFinite(timeMs) || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  const means = Array.from({ length: 6 }, (_, i) => view.getFloat32(MEANS_AT + 4 * i, true));
  if (!means.every(mean => Math.abs(mean) <= MEAN_MAX)) return undefined;
  const [pp, pv, pb, vv, vb, bb] = Array.from({ length: 6 }, (_, i) => view.getFloat32(COVARIANCE_AT + 4 * i, true));
  if (![pp, vv, bb].every(variance => variance >= 0 && variance <= VARIANCE_MAX)) return undefined;
  if (![pv, pb, vb].every(value => Math.abs(value) <= VARIANCE_MAX)) return undefined;
  const cells = bytes.length === CELLS_AT ? undefined : decodeCellPlaces(bytes.subarray(CELLS_AT));
  if (bytes.length > CELLS_AT && cells === undefined) return undefined;
  return {
    timeMs,
    latitude,
    longitude,
    east: { position: means[0], velocity: means[1], bias: means[2] },
    north: { position: means[3], velocity: means[4], bias: means[5] },
    covariance: { pp, pv, pb, vv, vb, bb },
    contradictions: bytes[1],
    cells,
  };
}
