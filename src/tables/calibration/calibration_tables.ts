// What the service measured of itself, in one database of the generation (rows.ts).
//
// All but F are a function of the log, written with what was learned from the same reports. F are derived now and then
// (src/learning/calibration/).

import type { Database } from 'lmdb';
import { decodeMeasured, encodeMeasured, type Measured } from './measured.ts';
import {
  decodeFactors,
  decodeTests,
  EVERYWHERE,
  encodeFactors,
  encodeTests,
  FACTORS,
  keyOfBefore,
  keyOfPlace,
  keyOfRegion,
  keyOfTrack,
  levelsOf,
  MEASURED,
  PLACE_KEY,
  PRIOR,
  placeOfVotes,
  TRACK,
  VOTES,
  within,
} from './rows.ts';
import {
  decodeBefore,
  decodeOpenTrack,
  encodeBefore,
  encodeOpenTrack,
  type OpenTrack,
  type StationBefore,
} from './tracks.ts';
import { decodeVoters, encodeVoters, SHARES, type Voter } from './votes.ts';

type Rows = Database<Buffer, Buffer>;

/** A track is over after this many reports of others. */
export const OPEN_REPORTS = 100_000;
const NO_STATION = new Uint8Array(0);
const NO_PRIOR: readonly number[] = SHARES.map(() => 1);

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

/** How the factors of the radii for 50, 68 and 95 % follow from what was counted at the places of `levelsOf`. */
export type FactorsOf = (levels: readonly (readonly Voter[])[]) => readonly number[];

/** What answers take from the tests: factors of the radii for 50, 68 and 95 %, by `placeOfVotes`. */
export type RadiusFactors = ReadonlyMap<number, readonly number[]>;

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

  /**
   * A station as it was before a track; undefined if the track has not heard it yet. @throws Error when the row is
   * damaged
   */
  stationBefore(track: number, key: Uint8Array): StationBefore | undefined {
    const row = this.rows.getBinary(keyOfBefore(track, key));
    return row && decodeBefore(row);
  }

  /** Tests in a region so far. @throws Error when the row is damaged */
  tests(region: number): number {
    const row = this.rows.getBinary(keyOfRegion(region));
    return row === undefined ? 0 : decodeTests(row);
  }

  /**
   * Votes on a group of estimates in a region. @param place from `placeOfVotes` @throws Error when the row is damaged
   */
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
      yield {
        kind: key[1],
        country: key.toString('latin1', 2, 4).trim(),
        month: key.readUInt16BE(4),
        measured: decodeMeasured(value),
      };
    }
  }

  /** Writes the changes of a batch, in the open transaction. */
  write({ tracks, over, before, tests, votes, measured }: CalibrationChanges): void {
    for (const track of over) this.remove(track);
    for (const track of tracks) this.rows.putSync(keyOfTrack(track.contributor, track.first), encodeOpenTrack(track));
    for (const [track, stations] of before) {
      for (const [name, station] of stations)
        this.rows.putSync(keyOfBefore(track, Buffer.from(name, 'latin1')), encodeBefore(station));
    }
    for (const [region, count] of tests) this.rows.putSync(keyOfRegion(region), encodeTests(count));
    for (const [place, voters] of votes) this.rows.putSync(keyOfPlace(VOTES, place), encodeVoters(voters));
    for (const [key, value] of measured) this.rows.putSync(Buffer.from(key, 'latin1'), encodeMeasured(value));
  }

  /**
   * Derives all factors anew, in the open transaction.
   * @returns true if any is another one than before
   */
  derive(factorsOf: FactorsOf): boolean {
    let isChanged = false;
    for (const { group, region } of this.placesOfVotes()) {
      const prior = this.prior(group);
      const factors = factorsOf(levelsOf(group, region).map(place => this.votes(place)));
      const key = keyOfPlace(FACTORS, placeOfVotes(group, region));
      const row = encodeFactors(factors.map((factor, i) => factor * prior[i]));
      if (this.rows.getBinary(key)?.equals(row) === true) continue;
      this.rows.putSync(key, row);
      isChanged = true;
    }
    return isChanged;
  }

  /** What answers take from it. @throws Error when a row is damaged */
  published(): RadiusFactors {
    const factors = new Map<number, readonly number[]>();
    for (const { key, value } of this.rows.getRange(within(Buffer.of(FACTORS))))
      factors.set(placeOfVotes(key[1], key.readUInt16BE(2)), decodeFactors(value));
    return factors;
  }

  /**
   * Forgets tracks that nothing can continue any more, in the open transaction. @param sequence a report since which
   * all others came
   */
  sweepTracks(sequence: number): void {
    const tracks = [...this.rows.getRange(within(Buffer.from([TRACK])))].map(({ value }) => decodeOpenTrack(value));
    for (const track of tracks) if (sequence - track.sequence > OPEN_REPORTS) this.remove(track);
  }

  /** Forgets all tracks under way, in the open transaction. */
  forgetTracks(): void {
    for (const { value } of [...this.rows.getRange(within(Buffer.from([TRACK])))]) this.remove(decodeOpenTrack(value));
  }

  private placesOfVotes(): { group: number; region: number }[] {
    return [...this.rows.getKeys(within(Buffer.of(VOTES)))].map(key => ({
      ...PLACE_KEY.read(key),
    }));
  }

  private remove(track: OpenTrack): void {
    this.rows.removeSync(keyOfTrack(track.contributor, track.first));
    for (const key of [...this.rows.getKeys(within(keyOfBefore(track.first, NO_STATION)))].map(key => Buffer.from(key)))
      this.rows.removeSync(key);
  }
}
