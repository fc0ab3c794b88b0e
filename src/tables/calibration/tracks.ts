// Tracks under way, and the stations as they were before one of them heard them first.

import { f64, Row, u8, u32 } from '../environment/row.ts';
import { TRACK_SETS } from './votes.ts';

/** A track under way: reports that may be each other's answer. */
export interface OpenTrack {
  /** Number of its first report in the log: its name. */
  first: number;
  /** Account that sent it. */
  contributor: number;
  /** `Report.track` of that report. */
  device: number;
  /** Set of tracks that it belongs to (votes.ts), 0 to 7: each track that begins is in the next one. */
  set: number;
  /** Its reports are tests. */
  isTested: boolean;
  /** Its last report: time in milliseconds since 1970, position in degrees, number in the log. */
  timeMs: number;
  latitude: number;
  longitude: number;
  sequence: number;
  /** Stations remembered as they were before it. */
  stations: number;
  /** Tests that counted. */
  tests: number;
}

/** A station as it was at one moment. */
export interface StationBefore {
  /** Its record of 24 bytes; undefined if it had none. */
  record: Uint8Array | undefined;
  /** A cell's learned record, for its radio map. */
  learned: Uint8Array | undefined;
}

const OPEN_TRACK = new Row({
  first: f64,
  device: f64,
  timeMs: f64,
  latitude: f64,
  longitude: f64,
  sequence: f64,
  stations: u32,
  tests: u32,
  contributor: u32,
  /** 1 for a track whose reports are tests, and twice its set. */
  flags: u8,
});

/** Encodes a track's row. */
export function encodeOpenTrack(track: OpenTrack): Buffer {
  return OPEN_TRACK.encode({ ...track, flags: (track.isTested ? 1 : 0) | (track.set << 1) });
}

/** Decodes a track's row. @throws Error when it is damaged */
export function decodeOpenTrack(row: Buffer): OpenTrack {
  const { flags, ...members } = OPEN_TRACK.decode(row, 'The row of a track');
  const track: OpenTrack = { ...members, set: flags >> 1, isTested: (flags & 1) === 1 };
  if (!(Number.isSafeInteger(track.first) && track.first > 0 && track.sequence >= track.first))
    throw damaged(`its reports ${track.first} to ${track.sequence} are none`);
  if (!(Number.isSafeInteger(track.device) && track.device >= 0)) throw damaged(`its device ${track.device} is none`);
  if (!(Math.abs(track.latitude) <= 90 && Math.abs(track.longitude) <= 180))
    throw damaged('its position is not on the globe');
  if (track.set >= TRACK_SETS) throw damaged(`its set ${track.set} is none`);
  if (!Number.isFinite(track.timeMs)) throw damaged('it has no time');
  return track;
}

/** Encodes a station as it was: the length of its record, the record, and the learned record. */
export function encodeBefore({ record, learned }: StationBefore): Buffer {
  const recordBytes = record?.length ?? 0;
  const row = Buffer.allocUnsafe(1 + recordBytes + (learned?.length ?? 0));
  row[0] = recordBytes;
  if (record !== undefined) row.set(record, 1);
  if (learned !== undefined) row.set(learned, 1 + recordBytes);
  return row;
}

/** Decodes a station as it was. @throws Error when the row is damaged */
export function decodeBefore(row: Buffer): StationBefore {
  const end = 1 + (row[0] ?? 0);
  if (row.length < end) throw new Error(`The row of a station before a track is damaged: it has ${row.length} bytes.`);
  return {
    record: end > 1 ? row.subarray(1, end) : undefined,
    learned: row.length > end ? row.subarray(end) : undefined,
  };
}

function damaged(reason: string): Error {
  return new Error(`The row of a track is damaged: ${reason}.`);
}
