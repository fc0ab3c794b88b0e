// The radio map of one cell, as lookups read it: the reference points of the main candidate, each with the level of the
// cell and of the other cells heard there. It is read from the learned record (learned_record.ts) into arrays that are
// reused from query to query.

import { cellNumber, KEY_BYTES_CELL } from '../../radio/station_key.ts';
import {
  BASE_DISOWNED,
  CANDIDATE_BYTES,
  HAS_BASE,
  HEADER_BYTES,
  HEADER_CANDIDATES,
  HEADER_FLAGS,
  HEADER_MAIN,
  HEADER_NEIGHBOURS,
  HEARD_BYTES,
  LEARNED_FORMAT,
  POINT_BYTES,
  POINT_COUNT,
  POINT_HEARD,
  POINT_LEVEL,
  POINT_SLOT,
  SLOT_OTHERS,
} from './learned_record.ts';
import { STATION_BYTES, STATION_SAMPLES } from './record_layout.ts';
import { isOnGlobe } from './station.ts';

/** Most reference points read; a candidate has fewer. */
export const MAP_POINTS = 256;
const MAP_HEARD = MAP_POINTS * 16;
export const MAP_NEIGHBOURS = 256;

/** A cell's radio map. Valid until the next `read`. */
export class RadioMap {
  /** Number of reference points; 0 when only an imported record is known. */
  points = 0;
  /** Degrees times 1e7. */
  readonly latitudeE7 = new Int32Array(MAP_POINTS);
  readonly longitudeE7 = new Int32Array(MAP_POINTS);
  /** Level of the cell itself, dBm. */
  readonly levelDbm = new Float64Array(MAP_POINTS);
  readonly count = new Float64Array(MAP_POINTS);
  /** 0 = seen by trusted contributors. */
  readonly slot = new Uint16Array(MAP_POINTS);
  /** Other cells heard at point p: entries `heardFrom[p]` up to before `heardFrom[p + 1]` of the arrays below. */
  readonly heardFrom = new Int32Array(MAP_POINTS + 1);
  /** Index of the other cell among the neighbours. */
  readonly heardNeighbour = new Uint16Array(MAP_HEARD);
  readonly heardLevelDbm = new Float64Array(MAP_HEARD);
  /** Share of the point's observations in which it was heard, 0..1. */
  readonly heardShare = new Float64Array(MAP_HEARD);
  /** Number of other cells, and the name of each (`cellNumber`). */
  neighbours = 0;
  readonly neighbour = new Float64Array(MAP_NEIGHBOURS);
  /** Observations of all points. */
  observations = 0;
  /** Samples of an imported record that still counts. */
  importedSamples = 0;

  /**
   * Reads a learned record that begins at byte 0.
   * @param length of the record; `bytes` may be longer
   * @throws Error when it is damaged or of another format
   */
  read(bytes: Uint8Array, length: number): void {
    if (length < HEADER_BYTES || bytes[0] !== LEARNED_FORMAT)
      throw new Error(
        `A learned record of ${length} bytes has format ${bytes[0]}; this version reads format ${LEARNED_FORMAT}.`,
      );
    const view = new DataView(bytes.buffer, bytes.byteOffset, length);
    const flags = bytes[HEADER_FLAGS];
    let at = HEADER_BYTES;
    this.importedSamples = 0;
    this.points = 0;
    this.neighbours = 0;
    this.observations = 0;
    try {
      if (flags & HAS_BASE) {
        if ((flags & BASE_DISOWNED) === 0) this.importedSamples = view.getUint16(at + STATION_SAMPLES, true);
        at += STATION_BYTES;
      }
      at = this.readNeighbours(view, bytes, at);
      this.readCandidates(view, bytes[HEADER_MAIN], bytes[HEADER_CANDIDATES], at);
    } catch (error) {
      if (error instanceof RangeError)
        throw new Error(`A learned record of ${length} bytes is damaged (${error.message}).`);
      throw error;
    }
  }

  private readNeighbours(view: DataView, bytes: Uint8Array, start: number): number {
    const count = view.getUint16(HEADER_NEIGHBOURS, true);
    // The buffer may be longer than the record, so this length is checked here.
    if (start + count * KEY_BYTES_CELL > view.byteLength) throw new RangeError('neighbours');
    this.neighbours = Math.min(count, MAP_NEIGHBOURS);
    for (let n = 0, at = start; n < this.neighbours; n++, at += KEY_BYTES_CELL)
      this.neighbour[n] = cellNumber(bytes, at);
    return start + count * KEY_BYTES_CELL;
  }

  /**
   * Reads the points of the main candidate that fit into the arrays. Walks past the other candidates, since the record
   * must end where the last one does.
   */
  private readCandidates(view: DataView, main: number, candidates: number, start: number): void {
    let at = start;
    for (let c = 0; c < candidates; c++) {
      const points = view.getUint16(at, true);
      at += CANDIDATE_BYTES + view.getUint16(at + 2, true) * 4;
      for (let p = 0; p < points; p++) {
        const next = at + POINT_BYTES + view.getUint16(at + POINT_HEARD, true) * HEARD_BYTES;
        if (next > view.byteLength) throw new RangeError('points');
        if (c === main && this.points < MAP_POINTS) this.readPoint(view, at);
        at = next;
      }
    }
    if (at !== view.byteLength) throw new RangeError('length');
  }

  private readPoint(view: DataView, at: number): void {
    const p = this.points++;
    const count = view.getUint16(at + POINT_COUNT, true);
    if (count === 0) throw new RangeError('observations of a reference point');
    this.latitudeE7[p] = view.getInt32(at, true);
    this.longitudeE7[p] = view.getInt32(at + 4, true);
    this.levelDbm[p] = view.getFloat32(at + POINT_LEVEL, true);
    this.count[p] = count;
    this.slot[p] = view.getUint16(at + POINT_SLOT, true);
    if (!isOnGlobe(this.latitudeE7[p], this.longitudeE7[p])) throw new RangeError('position of a reference point');
    if (!Number.isFinite(this.levelDbm[p]) || this.slot[p] > SLOT_OTHERS)
      throw new RangeError('level or slot of a reference point');
    const neighbours = view.getUint16(HEADER_NEIGHBOURS, true);
    this.observations += count;
    let to = p === 0 ? 0 : this.heardFrom[p];
    this.heardFrom[p] = to;
    const end = Math.min(MAP_HEARD, to + view.getUint16(at + POINT_HEARD, true));
    const { heardNeighbour, heardShare, heardLevelDbm } = this;
    for (let from = at + POINT_BYTES; to < end; to++, from += HEARD_BYTES) {
      heardNeighbour[to] = view.getUint16(from, true);
      if (heardNeighbour[to] >= neighbours) throw new RangeError('neighbour of a reference point');
      heardShare[to] = view.getUint16(from + 2, true) / count;
      heardLevelDbm[to] = view.getInt16(from + 4, true) / 100;
    }
    this.heardFrom[p + 1] = to;
  }
}
