// What the service measured of itself, in one database of the generation (rows.ts).
//
// All but F and L are a function of the log, written with what was learned from the same reports. F and L are derived
// now and then (src/learning/calibration/).

import type { Database } from 'lmdb';
import { type Comparison, decodeComparisons, encodeComparisons } from './comparisons.ts';
import { decodeMeasured, encodeMeasured, type Measured } from './measured.ts';
import { EVERYWHERE, GROUPS, groupOfVariant, levelsOf, placeOfVotes, VARIANTS } from './places.ts';
import {
  COMPARISONS,
  decodeFactors,
  decodeTests,
  decodeVariant,
  encodeFactors,
  encodeTests,
  FACTORS,
  keyOfBefore,
  keyOfPlace,
  keyOfRegion,
  keyOfTrack,
  MEASURED,
  PRIOR,
  TRACK,
  VARIANT,
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
  /** By `placeOfVotes`. */
  comparisons: ReadonlyMap<number, readonly Comparison[]>;
  /** By `keyOfMeasured` (latin1). */
  measured: ReadonlyMap<string, Measured>;
}

/** How answers follow from what tests found. Each rule takes what was counted at the places of `levelsOf`. */
export interface CalibrationRules {
  /** The factors of the radii for 50, 68 and 95 %. */
  factorsOf(levels: readonly (readonly Voter[])[]): readonly number[];
  /** The variant of the method. */
  variantOf(levels: readonly (readonly Comparison[])[]): number;
}

/** What answers take from the tests, by `placeOfVotes`. */
export interface Calibration {
  /** Factors of the radii for 50, 68 and 95 %. */
  factors: ReadonlyMap<number, readonly number[]>;
  /** Variants of methods. */
  variants: ReadonlyMap<number, number>;
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

  /**
   * How the variants of a group's method compare in a region. @param place from `placeOfVotes` @throws Error when the
   * row is damaged
   */
  comparisons(place: number): Comparison[] {
    const row = this.rows.getBinary(keyOfPlace(COMPARISONS, place));
    return row === undefined ? [] : decodeComparisons(row);
  }

  /** The scale of a group's radii before any test. @throws Error when the row is damaged */
  prior(group: number): readonly number[] {
    const row = this.rows.getBinary(Buffer.from([PRIOR, (group % GROUPS) >> 2]));
    return row === undefined ? NO_PRIOR : decodeFactors(row);
  }

  /** Scales the radii of a kind of station before any test, in the open transaction. @param factors for all shares */
  setPrior(kind: number, factors: readonly number[]): void {
    this.rows.putSync(Buffer.from([PRIOR, kind]), encodeFactors(factors));
    for (let variant = 0; variant < VARIANTS; variant++) {
      for (let group = 4 * kind; group < 4 * kind + 4; group++)
        this.rows.putSync(
          keyOfPlace(FACTORS, placeOfVotes(groupOfVariant(group, variant), EVERYWHERE)),
          encodeFactors(factors),
        );
    }
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
  write({ tracks, over, before, tests, votes, comparisons, measured }: CalibrationChanges): void {
    for (const track of over) this.remove(track);
    for (const track of tracks) this.rows.putSync(keyOfTrack(track.contributor, track.first), encodeOpenTrack(track));
    for (const [track, stations] of before) {
      for (const [name, station] of stations)
        this.rows.putSync(keyOfBefore(track, Buffer.from(name, 'latin1')), encodeBefore(station));
    }
    for (const [region, count] of tests) this.rows.putSync(keyOfRegion(region), encodeTests(count));
    for (const [place, voters] of votes) this.rows.putSync(keyOfPlace(VOTES, place), encodeVoters(voters));
    for (const [place, compared] of comparisons)
      this.rows.putSync(keyOfPlace(COMPARISONS, place), encodeComparisons(compared));
    for (const [key, value] of measured) this.rows.putSync(Buffer.from(key, 'latin1'), encodeMeasured(value));
  }

  /**
   * Derives all factors and variants anew, in the open transaction.
   * @returns true if any is another one than before
   */
  derive({ factorsOf, variantOf }: CalibrationRules): boolean {
    let isChanged = false;
    const put = (at: Buffer, row: Buffer) => {
      if (this.rows.getBinary(at)?.equals(row) === true) return;
      this.rows.putSync(at, row);
      isChanged = true;
    };
    for (const { group, region } of this.placesOf(VOTES)) {
      const prior = this.prior(group);
      const factors = factorsOf(levelsOf(group, region).map(place => this.votes(place)));
      put(
        keyOfPlace(FACTORS, placeOfVotes(group, region)),
        encodeFactors(factors.map((factor, i) => factor * prior[i])),
      );
    }
    for (const { group, region } of this.placesOf(COMPARISONS)) {
      const variant = variantOf(levelsOf(group, region).map(place => this.comparisons(place)));
      put(keyOfPlace(VARIANT, placeOfVotes(group, region)), Buffer.of(variant));
    }
    return isChanged;
  }

  /** What answers take from it. @throws Error when a row is damaged */
  published(): Calibration {
    const factors = new Map<number, readonly number[]>();
    for (const { group, region, row } of this.rowsOf(FACTORS))
      factors.set(placeOfVotes(group, region), decodeFactors(row));
    const variants = new Map<number, number>();
    for (const { group, region, row } of this.rowsOf(VARIANT))
      variants.set(placeOfVotes(group, region), decodeVariant(row));
    return { factors, variants };
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

  private *rowsOf(what: number): Generator<{ group: number; region: number; row: Buffer }> {
    for (const { key, value } of this.rows.getRange(within(Buffer.of(what))))
      yield { group: key[1], region: key.readUInt16BE(2), row: value };
  }

  /** The places that have a row. */
  private placesOf(what: number): { group: number; region: number }[] {
    return [...this.rows.getKeys(within(Buffer.of(what)))].map(key => ({ group: key[1], region: key.readUInt16BE(2) }));
  }

  private remove(track: OpenTrack): void {
    this.rows.removeSync(keyOfTrack(track.contributor, track.first));
    for (const key of [...this.rows.getKeys(within(keyOfBefore(track.first, NO_STATION)))].map(key => Buffer.from(key)))
      this.rows.removeSync(key);
  }
}
