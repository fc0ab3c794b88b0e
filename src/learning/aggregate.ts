// Turns reports into knowledge. Reports are taken in the order of the log, and each sighting is added to what is
// learned about its station. Batches only save reading and writing: the outcome depends on the reports and their order,
// never on where batches begin and end.
//
// A cell that nobody reports with its area code is learned without one, under a key of its own. Once its code is known,
// what was learned becomes that of the cell with the code; later reports without a code add to it. So it is one
// station, and each report counts once.

import type { EarningReport } from '../accounts/account_writer.ts';
import { distanceMetres } from '../geo/distance.ts';
import { JUMP_SPEED_MAX } from '../intake/rules.ts';
import { isCell } from '../radio/kind.ts';
import { CODE_ABSENT, FLAG_INFERRED, FLAG_NO_AREA, FLAG_NO_CELL_ID, SIGNAL_ABSENT } from '../radio/query/layout.ts';
import { StoredObservations } from '../radio/query/stored.ts';
import { KEY_BYTES_CELL_ID, keyBytesOfKind, keyWithoutArea } from '../radio/station_key.ts';
import { isKnownByIdAlone } from '../radio/unknown_cell.ts';
import type { StationBefore } from '../tables/calibration/tracks.ts';
import type { Report } from '../tables/observations/report.ts';
import { type KnowledgeChanges, TRACK_REPORTS, type TrackPosition } from '../tables/stations/knowledge.ts';
import {
  type Candidate,
  encodeLearned,
  type Heard,
  LEARNED_NEW,
  type Learned,
  newLearned,
} from '../tables/stations/learned_record.ts';
import type { Trials } from './calibration/trials.ts';
import { accuracyOf, type Sighting, sightingOf, usualLevelDbm, weightOfAge } from './candidate.ts';
import { Earners } from './confirmation.ts';
import { metresOff, observe, rebase } from './life_cycle.ts';
import { publishStation } from './publish.ts';
import { HEARD_LIMIT } from './reference_points.ts';
import type { Action } from './transitions.ts';

/** Reports of one device further apart in time than this do not contradict one another. */
const JUMP_SECONDS = 3_600;
/** FLAG_* bits of a cell that cannot be learned from. */
const UNLEARNABLE = FLAG_INFERRED | FLAG_NO_CELL_ID;
/** A cell id that stands under more area codes than this identifies no cell. */
const AREAS_MAX = 16;
/** Knowledge before the batch, as of one moment. */
export interface Known {
  learned(key: Buffer): Learned | undefined;
  importedRecord(key: Buffer): Uint8Array | undefined;
  /**
   * Keys of known cells with the id of a cell's key, whatever their area codes, some of them perhaps twice; with more
   * than `limit`, not all.
   */
  areasOfCell(key: Buffer, limit: number): Buffer[];
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
  /** Cells learned without area code whose code is known now. */
  private readonly forgotten = new Map<string, Buffer>();
  /** Cells that this batch begins, by network and id. */
  private readonly begun = new Map<string, Buffer[]>();
  private readonly tracks = new Map<number, TrackPosition>();
  private readonly trials: Trials | undefined;
  private readonly earners = new Earners();
  private progress = 0;

  /** @param trials tests the reports; undefined = they are learned untested */
  constructor(known: Known, trials?: Trials) {
    this.known = known;
    this.trials = trials;
  }

  /** Reports of the batch by which accounts earn, in the order of the log. */
  get earning(): readonly EarningReport[] {
    return this.earners.reports;
  }

  /**
   * Takes one report in. @param sequence its number in the log @param receivedMs time of its arrival, milliseconds
   * since 1970
   */
  add(sequence: number, report: Report, receivedMs: number): void {
    this.progress = sequence;
    this.counts.reports++;
    const previous = report.track === 0 ? undefined : (this.tracks.get(report.track) ?? this.known.track(report.track));
    if (this.hasJumped(sequence, report, previous)) {
      this.counts.jumps++;
      return;
    }
    const observations = new StoredObservations(report.observations);
    this.trials?.test(sequence, report, observations, previous, this.learnedNow);
    const sighting = sightingOf(report, receivedMs);
    const weight = sighting.weight;
    const stations = this.stationsOf(observations, sighting);
    const names = stations.map(station => station?.key.toString('latin1'));
    const cells = strongestCells(observations, names);
    for (const [i, station] of stations.entries()) {
      if (station === undefined) continue;
      const kind = observations.kind(i);
      const { learned } = station;
      const level = observations.signalDbm(i);
      sighting.levelDbm = level === SIGNAL_ABSENT ? usualLevelDbm(kind) : level;
      sighting.weight = weight * weightOfAge(observations.ageMs(i), report.positionAgeMs);
      sighting.heard = [];
      if (isCell(kind)) {
        sighting.heard = coObserved(learned, names[i]!, cells);
        const code = observations.code(i);
        if (code !== CODE_ABSENT) learned.code = code;
      }
      const { action, earners } = observe(learned, kind, sighting);
      this.earners.add(earners);
      this.counts.actions[action]++;
      this.counts.sightings++;
    }
    this.earners.endReport(sequence, receivedMs);
  }

  /** All changes of the batch, with the station records that follow from them. */
  changes(): KnowledgeChanges {
    const learned = [...this.touched.values()].map(({ key, learned }) => ({
      key,
      learned,
      record: publishStation(learned, key[0]),
    }));
    const forgotten = [...this.forgotten.values()].map(key => ({ key, learned: undefined, record: undefined }));
    return {
      learned: [...learned, ...forgotten],
      tracks: this.tracks,
      calibration: this.trials?.changes(),
      progress: this.progress,
    };
  }

  /** A station with what was learned of it in this batch; undefined if nothing was. */
  private readonly learnedNow = (name: string, kind: number): StationBefore | undefined => {
    const touched = this.touched.get(name);
    if (touched === undefined) return undefined;
    const record = publishStation(touched.learned, kind);
    return { record, learned: record === undefined || !isCell(kind) ? undefined : encodeLearned(touched.learned) };
  };

  /**
   * The station of each observation; undefined where there is nothing to learn. Cells without area code come last,
   * since the report may name the same cell with its code too: then it counts once.
   */
  private stationsOf(observations: StoredObservations, sighting: Sighting): (Touched | undefined)[] {
    const stations = new Array<Touched | undefined>(observations.count).fill(undefined);
    let unplaced = 0;
    for (let i = 0; i < observations.count; i++) {
      const kind = observations.kind(i);
      const flags = isCell(kind) ? observations.flags(i) : 0;
      if (flags & UNLEARNABLE) continue;
      if (flags & FLAG_NO_AREA) unplaced++;
      else stations[i] = this.touch(keyAt(observations, i), sighting);
    }
    for (let i = 0; unplaced > 0 && i < observations.count; i++) {
      const kind = observations.kind(i);
      if (
        !isCell(kind) ||
        stations[i] !== undefined ||
        (observations.flags(i) & (UNLEARNABLE | FLAG_NO_AREA)) !== FLAG_NO_AREA
      )
        continue;
      unplaced--;
      const station = this.touchWithoutArea(keyWithoutArea(observations.bytes, observations.at(i)), sighting);
      if (!stations.includes(station)) stations[i] = station;
    }
    return stations;
  }

  /** The station of a key, which lies in the memory of the report. */
  private touch(key: Buffer, sighting: Sighting): Touched {
    const touched = this.load(key);
    const { state, candidates } = touched.learned;
    const isUnsure = state === LEARNED_NEW || candidates.length === 0;
    if (isUnsure && isCell(key[0]) && isKnownByIdAlone(key[0])) this.takeOver(touched, sighting);
    return touched;
  }

  /**
   * Gives a cell what was learned of it while nobody knew its area code. The code is not taken from one untrusted
   * contributor alone, who might hide the cell under a wrong one; what the first of two has told under the code is
   * given up.
   */
  private takeOver(touched: Touched, sighting: Sighting): void {
    const { base, candidates } = touched.learned;
    const isOther = ({ contributors }: Candidate) =>
      contributors.some(contributor => contributor !== sighting.contributor);
    if (!sighting.isTrusted && base === undefined && !candidates.some(isOther)) return;
    const unplaced = keyWithoutArea(touched.key, 0);
    const learned = this.peek(unplaced);
    if (learned === undefined || metresOff(learned, unplaced[0], sighting) === Number.POSITIVE_INFINITY) return;
    if (base !== undefined) rebase(learned, unplaced[0], base);
    touched.learned = learned;
    const name = unplaced.toString('latin1');
    this.touched.delete(name);
    this.forgotten.set(name, unplaced);
  }

  /**
   * The station of a cell that was reported without area code: the one learned without code, if the sighting agrees
   * with it; otherwise the nearest with the same id that it agrees with.
   */
  private touchWithoutArea(key: Buffer, sighting: Sighting): Touched {
    const unplaced = this.peek(key);
    let nearest = key;
    let least = unplaced === undefined ? Number.POSITIVE_INFINITY : metresOff(unplaced, key[0], sighting);
    if (least === Number.POSITIVE_INFINITY) {
      for (const each of this.areasOfCell(key)) {
        const learned = this.peek(each) ?? newLearned(this.known.importedRecord(each));
        const metres = metresOff(learned, key[0], sighting);
        if (metres >= least) continue;
        least = metres;
        nearest = each;
      }
    }
    return this.load(nearest);
  }

  /**
   * The cells with the id of a key that have an area code, in key order; none for an id that stands under so many codes
   * that it identifies no cell.
   */
  private areasOfCell(key: Buffer): Buffer[] {
    const keys = [...this.known.areasOfCell(key, AREAS_MAX + 2), ...(this.begun.get(idOf(key)) ?? [])];
    const distinct = new Map(keys.map(each => [each.toString('latin1'), each]));
    distinct.delete(key.toString('latin1'));
    return distinct.size > AREAS_MAX ? [] : [...distinct.values()].sort(Buffer.compare);
  }

  /** What is learned of a station so far; undefined for nothing. */
  private peek(key: Buffer): Learned | undefined {
    const name = key.toString('latin1');
    return this.touched.get(name)?.learned ?? (this.forgotten.has(name) ? undefined : this.known.learned(key));
  }

  private load(key: Buffer): Touched {
    const name = key.toString('latin1');
    let touched = this.touched.get(name);
    if (touched === undefined) {
      const own = Buffer.from(key);
      const learned = this.forgotten.delete(name) ? newLearned(undefined) : this.known.learned(own);
      touched = { key: own, learned: learned ?? newLearned(this.known.importedRecord(own)) };
      this.touched.set(name, touched);
      if (learned === undefined && isCell(own[0])) this.begin(own);
    }
    return touched;
  }

  /** Notes a cell that the tables before the batch do not have. */
  private begin(key: Buffer): void {
    const id = idOf(key);
    const begun = this.begun.get(id);
    if (begun === undefined) this.begun.set(id, [key]);
    else begun.push(key);
  }

  /**
   * True when a report is too far from the device's previous one. Either may be wrong, so the next report is compared
   * with this one.
   */
  private hasJumped(sequence: number, report: Report, before: TrackPosition | undefined): boolean {
    // Reports without a time of their own have the time of their arrival, which says nothing about speed.
    if (report.track === 0 || !report.isTimed) return false;
    const { timeMs, latitude, longitude } = report;
    const accuracyMetres = Math.fround(accuracyOf(report));
    this.tracks.set(report.track, { timeMs, latitude, longitude, accuracyMetres, sequence });
    if (before === undefined || sequence - before.sequence > TRACK_REPORTS) return false;
    const seconds = Math.abs(timeMs - before.timeMs) / 1000;
    if (seconds > JUMP_SECONDS) return false;
    const metres =
      distanceMetres(before.latitude, before.longitude, latitude, longitude) - before.accuracyMetres - accuracyMetres;
    // Times are often whole seconds.
    return metres > JUMP_SPEED_MAX * Math.max(seconds, 1);
  }
}

/** The key of observation `i`, in the memory of the report. */
function keyAt(observations: StoredObservations, i: number): Buffer {
  const { buffer, byteOffset } = observations.bytes;
  return Buffer.from(buffer, byteOffset + observations.at(i), keyBytesOfKind(observations.kind(i)));
}

/** Kind, network and id in the key of a cell: what the keys of all its areas begin with. */
function idOf(key: Buffer): string {
  return key.toString('latin1', 0, KEY_BYTES_CELL_ID);
}

// Cells that were heard together. The levels of several cells heard at once tell the reference points of one cell apart
// much better than its own level, so each point of a cell remembers the strongest other cells. A record names a limited
// number; when it is full, the cell heard least gives way.

/** Other cells that a cell's record names. */
const NEIGHBOURS = 48;

/** A cell of a report. */
interface HeardCell {
  /** Key as a string of 12 bytes (latin1). */
  name: string;
  levelDbm: number;
}

/**
 * The strongest cells of a report, each once: one more than a point remembers, since one of them is the cell itself.
 * @param names of the stations learned, by observation: the key as a string, undefined where nothing is learned
 */
export function strongestCells(observations: StoredObservations, names: readonly (string | undefined)[]): HeardCell[] {
  const cells: HeardCell[] = [];
  for (let i = 0; i < observations.count; i++) {
    const kind = observations.kind(i);
    const name = names[i];
    if (!isCell(kind) || name === undefined) continue;
    const level = observations.signalDbm(i);
    cells.push({ name, levelDbm: level === SIGNAL_ABSENT ? usualLevelDbm(kind) : level });
  }
  cells.sort((a, b) => b.levelDbm - a.levelDbm);
  const strongest: HeardCell[] = [];
  for (const cell of cells) {
    if (strongest.length > HEARD_LIMIT) break;
    if (!strongest.some(({ name }) => name === cell.name)) strongest.push(cell);
  }
  return strongest;
}

/** The cells heard with the cell `own`, by their indexes in its record, which takes new ones in. */
export function coObserved(learned: Learned, own: string, cells: readonly HeardCell[]): Heard[] {
  const heard: Heard[] = [];
  for (const { name, levelDbm } of cells) {
    if (name === own || heard.length === HEARD_LIMIT) continue;
    heard.push({ neighbour: neighbourOf(learned, name, heard), count: 1, levelE2: levelDbm * 100 });
  }
  return heard;
}

/** Index of a name in the record, which takes a new one in. @param fresh cells of the same report: they stay */
function neighbourOf(learned: Learned, name: string, fresh: readonly Heard[]): number {
  const { neighbours } = learned;
  const known = neighbours.indexOf(name);
  if (known >= 0) return known;
  // A cell whose area code was not known before.
  const unplaced = neighbours.indexOf(keyWithoutArea(Buffer.from(name, 'latin1'), 0).toString('latin1'));
  if (unplaced >= 0) {
    neighbours[unplaced] = name;
    return unplaced;
  }
  if (neighbours.length < NEIGHBOURS) return neighbours.push(name) - 1;
  const counts = new Float64Array(NEIGHBOURS);
  for (const { neighbour } of fresh) counts[neighbour] = Number.POSITIVE_INFINITY;
  for (const { points } of learned.candidates)
    for (const { heard } of points) for (const { neighbour, count } of heard) counts[neighbour] += count;
  const rarest = counts.indexOf(Math.min(...counts));
  for (const { points } of learned.candidates)
    for (const point of points)
      if (point.heard.some(({ neighbour }) => neighbour === rarest))
        point.heard = point.heard.filter(({ neighbour }) => neighbour !== rarest);
  neighbours[rarest] = name;
  return rarest;
}
