// Turns reports into knowledge. Reports are taken in the order of the log, and each sighting is added to what is learned about its station. Batches only save
// reading and writing: the outcome depends on the reports and their order, never on where batches begin and end.

import { distanceMetres } from '../geo/distance.ts';
import { JUMP_SPEED_MAX } from '../intake/rules.ts';
import { isCell } from '../radio/kind.ts';
import { AGE_ABSENT, CODE_ABSENT, SIGNAL_ABSENT } from '../radio/query/layout.ts';
import { StoredObservations } from '../radio/query/stored.ts';
import { keyBytesOfKind } from '../radio/station_key.ts';
import type { Report } from '../tables/observations/report.ts';
import { type KnowledgeChanges, TRACK_REPORTS, type TrackPosition } from '../tables/stations/knowledge.ts';
import { type Learned, newLearned } from '../tables/stations/learned.ts';
import { type Sighting, usualLevelDbm } from './candidate.ts';
import { type Action, observe } from './life_cycle.ts';
import { FLAG_INCOMPLETE, heardWith, nameOfCell, strongestCells } from './neighbours.ts';
import { publishStation } from './publish.ts';

/** Positions this accurate, readings this young and devices this slow have full weight; beyond, the square root of the ratio. */
const FULL_ACCURACY_METRES = 10;
const FULL_AGE_MS = 2_000;
const FULL_SPEED = 5;
/** Accuracy of a position that states none. */
const ACCURACY_METRES_UNKNOWN = 30;
/** Reports of one device further apart in time than this do not contradict one another. */
const JUMP_SECONDS = 3_600;
/** Seconds since 1970 that a record can hold: up to the year 2106. */
const SECONDS_MAX = 2 ** 32 - 1;

/** Knowledge before the batch, as of one moment. */
export interface Known {
  learned(key: Buffer): Learned | undefined;
  importedRecord(key: Buffer): Uint8Array | undefined;
  track(pseudonym: number): TrackPosition | undefined;
}

/** Counts of one batch. */
export interface AggregateCounts {
  reports: number;
  /** Reports refused because their device cannot have come there so fast. */
  jumps: number;
  sightings: number;
  actions: { [action in Action]: number };
}

interface Touched {
  key: Buffer;
  learned: Learned;
}

/** One batch: reports in, changes out. */
export class Aggregation {
  readonly counts: AggregateCounts = {
    reports: 0,
    jumps: 0,
    sightings: 0,
    actions: { new: 0, change: 0, confirm: 0, replace: 0, block: 0, keep: 0 },
  };
  private readonly known: Known;
  private readonly touched = new Map<string, Touched>();
  private readonly tracks = new Map<number, TrackPosition>();
  private progress = 0;

  constructor(known: Known) {
    this.known = known;
  }

  /** Takes one report in; `sequence` is its number in the log. */
  add(sequence: number, report: Report): void {
    this.progress = sequence;
    this.counts.reports++;
    if (this.hasJumped(sequence, report)) {
      this.counts.jumps++;
      return;
    }
    const observations = new StoredObservations(report.observations);
    const sighting = sightingOf(report);
    const weight = sighting.weight;
    const cells = strongestCells(observations);
    for (let i = 0; i < observations.count; i++) {
      const kind = observations.kind(i);
      if (isCell(kind) && observations.flags(i) & FLAG_INCOMPLETE) continue;
      const level = observations.signalDbm(i);
      sighting.levelDbm = level === SIGNAL_ABSENT ? usualLevelDbm(kind) : level;
      sighting.weight = weight * weightOfAge(observations.ageMs(i), report.positionAgeMs);
      const { learned } = this.touch(observations.bytes, observations.at(i), kind);
      sighting.heard = [];
      if (isCell(kind)) {
        sighting.heard = heardWith(learned, nameOfCell(observations, i), cells);
        const code = observations.code(i);
        if (code !== CODE_ABSENT) learned.code = code;
      }
      this.counts.actions[observe(learned, kind, sighting).action]++;
      this.counts.sightings++;
    }
  }

  /** All changes of the batch, with the station records that follow from them. */
  changes(): KnowledgeChanges {
    const learned = [...this.touched.values()].map(({ key, learned }) => ({ key, learned, record: publishStation(learned, key[0]) }));
    return { learned, tracks: this.tracks, progress: this.progress };
  }

  private touch(observations: Uint8Array, at: number, kind: number): Touched {
    const key = Buffer.from(observations.buffer, observations.byteOffset + at, keyBytesOfKind(kind));
    const name = key.toString('latin1');
    let touched = this.touched.get(name);
    if (touched === undefined) {
      const own = Buffer.from(key);
      touched = { key: own, learned: this.known.learned(own) ?? newLearned(this.known.importedRecord(own)) };
      this.touched.set(name, touched);
    }
    return touched;
  }

  /** True when a report is too far from the device's previous one. Either may be wrong, so the next report is compared with this one. */
  private hasJumped(sequence: number, report: Report): boolean {
    // Reports without a time of their own have the time of their arrival, which says nothing about speed.
    if (report.track === 0 || !report.isTimed) return false;
    const before = this.tracks.get(report.track) ?? this.known.track(report.track);
    const { timeMs, latitude, longitude } = report;
    const accuracyMetres = Math.fround(accuracyOf(report));
    this.tracks.set(report.track, { timeMs, latitude, longitude, accuracyMetres, sequence });
    if (before === undefined || sequence - before.sequence > TRACK_REPORTS) return false;
    const seconds = Math.abs(timeMs - before.timeMs) / 1000;
    if (seconds > JUMP_SECONDS) return false;
    const metres = distanceMetres(before.latitude, before.longitude, latitude, longitude) - before.accuracyMetres - accuracyMetres;
    // Times are often whole seconds.
    return metres > JUMP_SPEED_MAX * Math.max(seconds, 1);
  }
}

function accuracyOf({ accuracyMetres }: Report): number {
  return Number.isNaN(accuracyMetres) ? ACCURACY_METRES_UNKNOWN : accuracyMetres;
}

function sightingOf(report: Report): Sighting {
  const accuracyMetres = accuracyOf(report);
  const speed = Number.isNaN(report.speed) ? 0 : report.speed;
  return {
    latitudeE7: Math.round(report.latitude * 1e7),
    longitudeE7: Math.round(report.longitude * 1e7),
    accuracyMetres,
    weight:
      Math.sqrt(FULL_ACCURACY_METRES / Math.max(accuracyMetres, FULL_ACCURACY_METRES)) *
      Math.sqrt(FULL_SPEED / Math.max(speed, FULL_SPEED)),
    levelDbm: 0,
    seconds: Math.min(Math.max(Math.floor(report.timeMs / 1000), 0), SECONDS_MAX),
    contributor: report.contributor,
    isTrusted: report.isTrusted,
    heard: [],
  };
}

/** A reading taken at another time than the position counts less. */
function weightOfAge(ageMs: number, positionAgeMs: number): number {
  const apart = Math.abs((ageMs === AGE_ABSENT ? 0 : ageMs) - (Number.isNaN(positionAgeMs) ? 0 : positionAgeMs));
  return Math.sqrt(FULL_AGE_MS / Math.max(apart, FULL_AGE_MS));
}
