// What the service measured of itself, in one database of the generation. The first byte of a key says what the row is:
//
//   T  contributor u32 BE, first report u64 BE       a track under way
//   B  first report of a track u64 BE, station key   a station as it was before the track
//   R  region u16 BE                                 tests in a region so far: u32
//   V  group u8, region u16 BE                       votes on the radii of a group of estimates; region 65535 = everywhere
//   F  group u8, region u16 BE                       the factors that follow from them: 3 f32
//   P  kind u8                                       the scale of the radii before any test: 3 f32; none in operation (src/evaluation/unseen.ts)
//   M  kind u8, country 2 bytes, month u16 BE        what tests found: measured.ts
//
// All but F are a function of the log, written with what was learned from the same reports. F is derived now and then (src/learning/calibration/).

import type { Database } from 'lmdb';
import { decodeMeasured, encodeMeasured, type Measured } from './measured.ts';
import { decodeBefore, decodeOpenTrack, encodeBefore, encodeOpenTrack, type OpenTrack, type StationBefore } from './tracks.ts';
import { decodeVoters, encodeVoters, SHARES, type Voter } from './votes.ts';

type Rows = Database<Buffer, Buffer>;

const TRACK = 0x54;
const BEFORE = 0x42;
const REGION = 0x52;
const VOTES = 0x56;
const FACTORS = 0x46;
const MEASURED = 0x4d;
const PRIOR = 0x50;

/** Bytes of a key by its first byte, at least. */
const KEY_BYTES: ReadonlyMap<number, number> = new Map([
  [TRACK, 13],
  [BEFORE, 9],
  [REGION, 3],
  [VOTES, 4],
  [FACTORS, 4],
  [MEASURED, 6],
  [PRIOR, 2],
]);

/** Region of the votes from everywhere. */
export const EVERYWHERE = 65_535;
/** A track is over after this many reports of others. */
export const OPEN_REPORTS = 100_000;
const NO_STATION = new Uint8Array(0);
/** Bytes of a row of factors. */
const FACTORS_BYTES = 4 * SHARES.length;
const NO_PRIOR: readonly number[] = SHARES.map(() => 1);

/** A group of estimates in a region, as one number. */
export function placeOfVotes(group: number, region: number): number {
  return group * 65_536 + region;
}

/**
 * The places whose votes decide on a group in a region, the most general first. A group with an odd number is the better known part of the one before, which comes
 * before it.
 */
export function levelsOf(group: number, region: number): number[] {
  const levels = [placeOfVotes(group, EVERYWHERE)];
  if (group % 2 === 1) levels.unshift(placeOfVotes(group - 1, EVERYWHERE));
  if (region !== EVERYWHERE) levels.push(placeOfVotes(group, region));
  return levels;
}

/** The region of a position in degrees: one degree by one degree. */
export function regionAt(latitude: number, longitude: number): number {
  return Math.min(179, Math.floor(latitude + 90)) * 360 + Math.min(359, Math.floor(longitude + 180));
}

/** What a batch of reports changes. */
export interface CalibrationChanges {
  /** Tracks that began or went on. */
  tracks: Iterable<OpenTrack>;
  /** Tracks that are over. */
  over: readonly OpenTrack[];
  /** By first report of the track, then by station key (latin1). */
  before: ReadonlyMap<number, ReadonlyMap<string, StationBefore>>;
  /** Tests so far, by region. */
  tests: ReadonlyMap<number, number>;
  /** By `placeOfVotes`. */
  votes: ReadonlyMap<number, readonly Voter[]>;
  /** By `keyOfMeasured` (latin1). */
  measured: ReadonlyMap<string, Measured>;
}

/** Reads and writes the calibration of one generation. */
export class CalibrationTables {
  private readonly rows: Rows;

  constructor(rows: Rows) {
    this.rows = rows;
  }

  /** True once anything was tested. */
  get isBegun(): boolean {
    return this.rows.getKeysCount({ limit: 1 }) > 0;
  }

  /** Tracks under way of a contributor, the oldest first. @throws Error when a row is damaged */
  openTracks(contributor: number): OpenTrack[] {
    const prefix = keyOfTrack(contributor, 0).subarray(0, 5);
    return [...this.rows.getRange(within(prefix))].map(({ value }) => decodeOpenTrack(value));
  }

  /** A station as it was before a track; undefined if the track has not heard it yet. @throws Error when the row is damaged */
  stationBefore(track: number, key: Uint8Array): StationBefore | undefined {
    const row = this.rows.getBinary(keyOfBefore(track, key));
    return row && decodeBefore(row);
  }

  /** Tests in a region so far. @throws Error when the row is damaged */
  tests(region: number): number {
    const row = this.rows.getBinary(keyOfRegion(region));
    return row === undefined ? 0 : decodeTests(row);
  }

  /** Votes on a group of estimates in a region. @param place from `placeOfVotes` @throws Error when the row is damaged */
  votes(place: number): Voter[] {
    const row = this.rows.getBinary(keyOfPlace(VOTES, place));
    return row === undefined ? [] : decodeVoters(row);
  }

  /** The scale of a group's radii before any test. @throws Error when the row is damaged */
  prior(group: number): readonly number[] {
    const row = this.rows.getBinary(Buffer.from([PRIOR, group >> 2]));
    return row === undefined ? NO_PRIOR : decodeFactors(row);
  }

  /** Scales the radii of a kind of station before any test, in the open transaction. @param factors for all shares */
  setPrior(kind: number, factors: readonly number[]): void {
    this.rows.putSync(Buffer.from([PRIOR, kind]), encodeFactors(factors));
    for (let group = 4 * kind; group < 4 * kind + 4; group++)
      this.rows.putSync(keyOfPlace(FACTORS, placeOfVotes(group, EVERYWHERE)), encodeFactors(factors));
  }

  /** What tests found. @param key from `keyOfMeasured` @throws Error when the row is damaged */
  measured(key: Buffer): Measured | undefined {
    const row = this.rows.getBinary(key);
    return row && decodeMeasured(row);
  }

  /** All that tests found. @throws Error when a row is damaged */
  *allMeasured(): Generator<{ kind: number; country: string; month: number; measured: Measured }> {
    for (const { key, value } of this.rows.getRange(within(Buffer.from([MEASURED])))) {
      yield { kind: key[1], country: key.toString('latin1', 2, 4).trim(), month: key.readUInt16BE(4), measured: decodeMeasured(value) };
    }
  }

  /** Writes the changes of a batch, in the open transaction. */
  write({ tracks, over, before, tests, votes, measured }: CalibrationChanges): void {
    for (const track of over) this.remove(track);
    for (const track of tracks) this.rows.putSync(keyOfTrack(track.contributor, track.first), encodeOpenTrack(track));
    for (const [track, stations] of before) {
      for (const [name, station] of stations) this.rows.putSync(keyOfBefore(track, Buffer.from(name, 'latin1')), encodeBefore(station));
    }
    for (const [region, count] of tests) this.rows.putSync(keyOfRegion(region), encodeTests(count));
    for (const [place, voters] of votes) this.rows.putSync(keyOfPlace(VOTES, place), encodeVoters(voters));
    for (const [key, value] of measured) this.rows.putSync(Buffer.from(key, 'latin1'), encodeMeasured(value));
  }

  /**
   * Derives all factors anew, in the open transaction.
   * @param derive from the votes at the places of `levelsOf`
   * @returns true if any is another one than before
   */
  deriveFactors(derive: (levels: readonly (readonly Voter[])[]) => readonly number[]): boolean {
    let isChanged = false;
    for (const key of [...this.rows.getKeys(within(Buffer.from([VOTES])))].map(key => Buffer.from(key))) {
      const region = key.readUInt16BE(2);
      const prior = this.prior(key[1]);
      const row = encodeFactors(derive(levelsOf(key[1], region).map(place => this.votes(place))).map((factor, i) => factor * prior[i]));
      const at = keyOfPlace(FACTORS, placeOfVotes(key[1], region));
      if (this.rows.getBinary(at)?.equals(row) === true) continue;
      this.rows.putSync(at, row);
      isChanged = true;
    }
    return isChanged;
  }

  /** All factors, by `placeOfVotes`. @throws Error when one is damaged */
  allFactors(): Map<number, readonly number[]> {
    const factors = new Map<number, readonly number[]>();
    for (const { key, value } of this.rows.getRange(within(Buffer.from([FACTORS])))) {
      factors.set(placeOfVotes(key[1], key.readUInt16BE(2)), decodeFactors(value));
    }
    return factors;
  }

  /** Forgets tracks that nothing can continue any more, in the open transaction. @param sequence a report since which all others came */
  sweepTracks(sequence: number): void {
    const tracks = [...this.rows.getRange(within(Buffer.from([TRACK])))].map(({ value }) => decodeOpenTrack(value));
    for (const track of tracks) if (sequence - track.sequence > OPEN_REPORTS) this.remove(track);
  }

  /** Forgets all tracks under way, in the open transaction. */
  forgetTracks(): void {
    for (const { value } of [...this.rows.getRange(within(Buffer.from([TRACK])))]) this.remove(decodeOpenTrack(value));
  }

  private remove(track: OpenTrack): void {
    this.rows.removeSync(keyOfTrack(track.contributor, track.first));
    for (const key of [...this.rows.getKeys(within(keyOfBefore(track.first, NO_STATION)))].map(key => Buffer.from(key)))
      this.rows.removeSync(key);
  }
}

/**
 * The fault of a row; undefined if it has none.
 * @param progress number of the last report that took effect
 */
export function faultOfRow(key: Buffer, value: Buffer, progress: number): string | undefined {
  const length = KEY_BYTES.get(key[0]);
  if (length === undefined || key.length < length || (key[0] !== BEFORE && key.length > length))
    return 'its key is none of the calibration';
  try {
    if (key[0] === VOTES) decodeVoters(value);
    else if (key[0] === FACTORS || key[0] === PRIOR) decodeFactors(value);
    else if (key[0] === MEASURED) decodeMeasured(value);
    else if (key[0] === REGION) decodeTests(value);
    else if (key[0] === BEFORE) decodeBefore(value);
    else return faultOfTrack(key, decodeOpenTrack(value), progress);
  } catch (error) {
    return (error as Error).message.replace(/^.*? is damaged: |\.$/g, '');
  }
  return undefined;
}

function faultOfTrack(key: Buffer, track: OpenTrack, progress: number): string | undefined {
  if (!key.equals(keyOfTrack(track.contributor, track.first))) return 'its key is that of another track';
  return track.sequence <= progress ? undefined : `its report ${track.sequence} has not taken effect: the last that has is ${progress}`;
}

function encodeFactors(factors: readonly number[]): Buffer {
  const row = Buffer.alloc(FACTORS_BYTES);
  for (const [i, factor] of factors.entries()) row.writeFloatLE(factor, 4 * i);
  return row;
}

function decodeFactors(row: Buffer): readonly number[] {
  const factors = SHARES.map((_, i) => (row.length === FACTORS_BYTES ? row.readFloatLE(4 * i) : Number.NaN));
  if (!factors.every(factor => factor > 0 && Number.isFinite(factor))) throw new Error('A row of factors is damaged: one is no factor.');
  return factors;
}

/** The key of what tests found of a kind of station in a country and a month. @param month since January 1970 */
export function keyOfMeasured(kind: number, country: string | undefined, month: number): Buffer {
  const key = Buffer.alloc(6);
  key[0] = MEASURED;
  key[1] = kind;
  key.write((country ?? '').padEnd(2), 2, 'latin1');
  key.writeUInt16BE(month, 4);
  return key;
}

function keyOfTrack(contributor: number, first: number): Buffer {
  const key = Buffer.alloc(13);
  key[0] = TRACK;
  key.writeUInt32BE(contributor, 1);
  key.writeBigUInt64BE(BigInt(first), 5);
  return key;
}

function keyOfBefore(track: number, station: Uint8Array): Buffer {
  const key = Buffer.alloc(9 + station.length);
  key[0] = BEFORE;
  key.writeBigUInt64BE(BigInt(track), 1);
  key.set(station, 9);
  return key;
}

function keyOfRegion(region: number): Buffer {
  const key = Buffer.alloc(3);
  key[0] = REGION;
  key.writeUInt16BE(region, 1);
  return key;
}

function encodeTests(count: number): Buffer {
  const row = Buffer.alloc(4);
  row.writeUInt32LE(count);
  return row;
}

function decodeTests(row: Buffer): number {
  if (row.length !== 4) throw new Error(`The number of tests in a region is damaged: it has ${row.length} bytes.`);
  return row.readUInt32LE();
}

function keyOfPlace(what: number, place: number): Buffer {
  const key = Buffer.alloc(4);
  key[0] = what;
  key[1] = Math.floor(place / 65_536);
  key.writeUInt16BE(place % 65_536, 2);
  return key;
}

/** All keys that begin with a prefix. */
function within(prefix: Buffer): { start: Buffer; end: Buffer } {
  return { start: prefix, end: Buffer.concat([prefix, Buffer.alloc(32, 0xff)]) };
}
