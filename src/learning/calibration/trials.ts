// Evaluates each report before learning from it. A report of a tested track is located by its stations as they were
// before the track first heard them, and the error is compared with the radii of each estimate. So learning need not
// wait for a track to end: its reports are learned at once, but do not influence the tests of the same track. The
// earlier state of the stations is kept until the track ends.

import { countryAt } from '../../geo/country.ts';
import { distanceMetres } from '../../geo/distance.ts';
import { isCell } from '../../radio/kind.ts';
import { FLAG_INCOMPLETE } from '../../radio/query/layout.ts';
import type { StoredObservations } from '../../radio/query/stored.ts';
import { keyBytesOfKind } from '../../radio/station_key.ts';
import {
  type CalibrationChanges,
  type CalibrationTables,
  OPEN_REPORTS,
} from '../../tables/calibration/calibration_tables.ts';
import { countError, type Measured, newMeasured } from '../../tables/calibration/measured.ts';
import { keyOfMeasured, levelsOf, regionAt } from '../../tables/calibration/rows.ts';
import type { OpenTrack, StationBefore } from '../../tables/calibration/tracks.ts';
import { countTest, TRACK_SETS, TRUSTED, type Voter } from '../../tables/calibration/votes.ts';
import { isBatchTrack, type Report } from '../../tables/observations/report.ts';
import type { TrackPosition } from '../../tables/stations/knowledge.ts';
import { factorsOfVotes } from './factors_of_votes.ts';
import type { ReportLocator, Tested } from './report_locator.ts';

/** Fixes worse than this say too little of an estimate's error. A fix without an accuracy may be good. */
const FIX_METRES_MAX = 30;
/**
 * All tracks are tested that begin in a region with fewer tests than this, so that a small network measures itself.
 * After each so many more only half of them are, by hash, down to one in so many: so tests cost little, and go on as
 * the map grows.
 */
const FIRST_TESTS = 2_000;
const HALVINGS_MAX = 4;
/**
 * All reports of a tested track are tested in a region with fewer tests than this. Then one is in each so many
 * milliseconds: the next ones say much the same, since a device goes only so far. All are where times are unknown.
 */
const DENSE_TESTS = 500;
const TEST_MS = 20_000;
/** Bounds of a track: tests, and stations remembered. One that has more goes on untested. */
const TESTS_OF_TRACK = 1_000;
const STATIONS_OF_TRACK = 1_000;
/** Tracks of one contributor under way that are told apart. */
const OPEN_TRACKS = 64;

/** What was known before the batch. */
interface KnownBefore {
  /** A station as lookups saw it, with its learned record if it is a cell. */
  stationNow(key: Buffer): StationBefore;
  calibration: Pick<CalibrationTables, 'openTracks' | 'stationBefore' | 'tests' | 'votes' | 'measured' | 'prior'>;
}

/** @param name key of a station (latin1) */
type LearnedNow = (name: string, kind: number) => StationBefore | undefined;

/** Tests the reports of one batch. */
export class Trials {
  private readonly known: KnownBefore;
  private readonly locator: ReportLocator;
  private readonly open = new Map<number, OpenTrack[]>();
  private readonly touched = new Set<OpenTrack>();
  private readonly over: OpenTrack[] = [];
  /** Tracks that began in this batch, by their first reports. */
  private readonly begun = new Set<number>();
  /** Stations as they were, by track and key: all that were asked for, and those that are new. */
  private readonly heard = new Map<number, Map<string, StationBefore>>();
  private readonly before = new Map<number, Map<string, StationBefore>>();
  private readonly tests = new Map<number, number>();
  private readonly votes = new Map<number, Voter[]>();
  private readonly priors = new Map<number, readonly number[]>();
  private readonly found = new Map<string, Measured>();

  constructor(known: KnownBefore, locator: ReportLocator) {
    this.known = known;
    this.locator = locator;
  }

  /**
   * Tests a report that is about to be learned, if it belongs to a tested track.
   * @param previous the last report of its device, if that has a name
   * @param learnedNow a station with what the batch has taught so far; undefined if nothing
   */
  test(
    sequence: number,
    report: Report,
    observations: StoredObservations,
    previous: TrackPosition | undefined,
    learnedNow: LearnedNow,
  ): void {
    const { track, isNext } = this.trackOf(sequence, report, previous);
    if (track === undefined || !track.isTested) return;
    const stations: (StationBefore | undefined)[] = [];
    const { buffer, byteOffset, length } = observations.bytes;
    const bytes = Buffer.from(buffer, byteOffset, length);
    const heard = mapIn(this.heard, track.first);
    for (let i = 0; i < observations.count; i++) {
      const kind = observations.kind(i);
      if (isCell(kind) && (observations.flags(i) & FLAG_INCOMPLETE) !== 0) {
        stations.push(undefined);
        continue;
      }
      const at = observations.at(i);
      const name = bytes.toString('latin1', at, at + keyBytesOfKind(kind));
      let station = heard.get(name);
      if (station === undefined) {
        station = this.stationBefore(track, name, kind, learnedNow);
        heard.set(name, station);
      }
      stations.push(station);
    }
    if (track.stations > STATIONS_OF_TRACK) track.isTested = false;
    if (!isNext || report.accuracyMetres > FIX_METRES_MAX || stations.every(station => station?.record === undefined))
      return;
    for (const tested of this.locator.locate(observations, stations)) this.count(report, track.set, tested);
    const region = regionAt(report.latitude, report.longitude);
    this.tests.set(region, this.testsIn(region) + 1);
    if (++track.tests >= TESTS_OF_TRACK) track.isTested = false;
  }

  /** What the batch changes. */
  changes(): CalibrationChanges {
    const { touched: tracks, over, before, tests, votes, found: measured } = this;
    return { tracks, over, before, tests, votes, measured };
  }

  /**
   * The track of a report, with the report as its last one; undefined if it is not followed. The report is its next
   * test if it is.
   */
  private trackOf(
    sequence: number,
    report: Report,
    previous: TrackPosition | undefined,
  ): { track: OpenTrack | undefined; isNext: boolean } {
    const { contributor, timeMs, latitude, longitude, track: device } = report;
    let open = this.open.get(contributor);
    if (open === undefined) {
      open = this.known.calibration.openTracks(contributor);
      this.open.set(contributor, open);
    }
    const at = continuedTrack(open, sequence, report);
    if (at >= 0) {
      const track = open[at];
      this.touched.add(track);
      const isNext =
        !report.isTimed ||
        Math.floor(timeMs / TEST_MS) !== Math.floor(track.timeMs / TEST_MS) ||
        this.testsIn(regionAt(latitude, longitude)) < DENSE_TESTS;
      return { track: Object.assign(track, { timeMs, latitude, longitude, sequence }), isNext };
    }
    const halvings = Math.min(HALVINGS_MAX, Math.floor(this.testsIn(regionAt(latitude, longitude)) / FIRST_TESTS));
    const isTested = mixed(isNamed(report) ? device : sequence) % 2 ** halvings === 0;
    if (isNamed(report)) {
      // A name tells a device's reports apart from others, so only those that are tested are followed. One that was
      // here before has lost its place.
      const isBegun = previous !== undefined && Math.abs(timeMs - previous.timeMs) <= DEVICE_MS;
      if (!isTested || isBegun) return { track: undefined, isNext: false };
    }
    const set = ((open.at(-1)?.set ?? contributor) + 1) % TRACK_SETS;
    const track = {
      first: sequence,
      contributor,
      device,
      set,
      isTested,
      timeMs,
      latitude,
      longitude,
      sequence,
      stations: 0,
      tests: 0,
    };
    let ended = open.findIndex(each => isOver(each, sequence, report));
    if (ended < 0 && open.length === OPEN_TRACKS) {
      // Too many to tell one that begins from one that goes on.
      track.isTested = false;
      ended = open.reduce((oldest, each, i) => (each.sequence < open[oldest].sequence ? i : oldest), 0);
    }
    if (ended >= 0) this.end(open.splice(ended, 1)[0]);
    open.push(track);
    this.begun.add(sequence);
    this.touched.add(track);
    return { track, isNext: true };
  }

  private end(track: OpenTrack): void {
    this.heard.delete(track.first);
    this.before.delete(track.first);
    this.touched.delete(track);
    this.over.push(track);
  }

  /** A station that the track has not heard yet in this batch. */
  private stationBefore(track: OpenTrack, name: string, kind: number, learnedNow: LearnedNow): StationBefore {
    const key = Buffer.from(name, 'latin1');
    // Nothing is stored of a track that began in this batch.
    const stored = this.begun.has(track.first) ? undefined : this.known.calibration.stationBefore(track.first, key);
    if (stored !== undefined) return stored;
    const station = learnedNow(name, kind) ?? this.known.stationNow(key);
    mapIn(this.before, track.first).set(name, station);
    track.stations++;
    return station;
  }

  /** Counts a test: what the answer would have been worth today, and its votes on the answers of tomorrow. */
  private count(
    report: Report,
    set: number,
    { estimate: { group, latitude, longitude }, kind, radii: raw }: Tested,
  ): void {
    const prior = this.priorOf(group);
    const radii = raw.map((radius, share) => radius * prior[share]);
    const levels = levelsOf(group, regionAt(latitude, longitude)).map(place => this.votesAt(place));
    const errorMetres = distanceMetres(latitude, longitude, report.latitude, report.longitude);
    const factors = factorsOfVotes(levels);
    const answered = radii.map((radius, share) => radius * factors[share]);
    countError(this.measuredOf(kind, report), errorMetres, answered);
    const multiples = radii.map(radius => errorMetres / radius);
    const contributor = report.isTrusted ? TRUSTED : report.contributor;
    for (const voters of levels.slice(-2)) countTest(voters, contributor, set, multiples);
  }

  /** What tests found of a kind of station where and when a report was made. */
  private measuredOf(kind: number, report: Report): Measured {
    const key = keyOfMeasured(kind, countryAt(report.latitude, report.longitude), monthOf(report.timeMs));
    const name = key.toString('latin1');
    let measured = this.found.get(name);
    if (measured === undefined) {
      measured = this.known.calibration.measured(key) ?? newMeasured();
      this.found.set(name, measured);
    }
    return measured;
  }

  private priorOf(group: number): readonly number[] {
    let prior = this.priors.get(group);
    if (prior === undefined) {
      prior = this.known.calibration.prior(group);
      this.priors.set(group, prior);
    }
    return prior;
  }

  private testsIn(region: number): number {
    return this.tests.get(region) ?? this.known.calibration.tests(region);
  }

  private votesAt(place: number): Voter[] {
    let voters = this.votes.get(place);
    if (voters === undefined) {
      voters = this.known.calibration.votes(place);
      this.votes.set(place, voters);
    }
    return voters;
  }
}

function mapIn(maps: Map<number, Map<string, StationBefore>>, track: number): Map<string, StationBefore> {
  let map = maps.get(track);
  if (map === undefined) {
    map = new Map();
    maps.set(track, map);
  }
  return map;
}

/** Months since January 1970 of a time in milliseconds since 1970, which the rules of intake have checked. */
function monthOf(timeMs: number): number {
  const date = new Date(timeMs);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** Mixes a number up to 2^53 into 32 bits: murmur3's fmix32 (public domain). */
function mixed(value: number): number {
  let hash = ((value % 4_294_967_296) ^ Math.floor(value / 4_294_967_296)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), -2_048_144_789);
  hash = Math.imul(hash ^ (hash >>> 13), -1_028_477_387);
  return (hash ^ (hash >>> 16)) >>> 0;
}

// Which track a report belongs to: the way of one device, whose reports lie so close together that one would be the
// answer to another. A device that has a name is one track until it was silent for half a day. Most have none, and many
// share a key; a track is then what is continuous in time and place under the key, and several are under way at once.
// Items of a batch without times of their own are a track. A report joins the nearest track that it may continue.

/** A device with a name that was silent for this long begins a new track. */
const DEVICE_MS = 12 * 3_600_000;
/** What comes later than this after a track's last report is another one. */
const GAP_MS = 15 * 60_000;
/** How far the next report of a track may be: fixes differ by the first part, cars drive the second. */
const NEAR_METRES = 300;
const METRES_PER_SECOND = 40;

/** True if a report names its device. */
function isNamed({ track }: Pick<Report, 'track'>): boolean {
  return track !== 0 && !isBatchTrack(track);
}

/**
 * The open track that a report continues.
 * @param open tracks of the report's contributor
 * @param sequence of the report
 * @returns its index, -1 = none
 */
function continuedTrack(open: readonly OpenTrack[], sequence: number, report: Report): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < open.length; i++) {
    const metres = isOver(open[i], sequence, report) ? Number.POSITIVE_INFINITY : metresBehind(open[i], report);
    if (metres >= least) continue;
    best = i;
    least = metres;
  }
  return best;
}

/** True if a track ended before a report was made. */
function isOver(track: OpenTrack, sequence: number, { timeMs }: Report): boolean {
  if (sequence - track.sequence > OPEN_REPORTS) return true;
  return Math.abs(timeMs - track.timeMs) > (isNamed({ track: track.device }) ? DEVICE_MS : GAP_MS);
}

/** Metres from a track's last report; infinite if the report cannot continue it. */
function metresBehind(track: OpenTrack, report: Report): number {
  // Without a time of their own, the items of a batch have nothing else in common.
  if (isNamed(report) || isNamed({ track: track.device }) || (report.track !== 0 && !report.isTimed))
    return track.device === report.track ? 0 : Number.POSITIVE_INFINITY;
  const metres = distanceMetres(track.latitude, track.longitude, report.latitude, report.longitude);
  const seconds = Math.abs(report.timeMs - track.timeMs) / 1_000;
  return metres <= NEAR_METRES + METRES_PER_SECOND * seconds ? metres : Number.POSITIVE_INFINITY;
}
