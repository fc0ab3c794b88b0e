// Selects the known stations of a query that take part: each radio once, the strongest first, and no more than the
// core's buffers hold.

import { MAX_SOLVE, ROLE_VOTER } from '../../../wasm/memory.ts';
import type { SelectedStations } from '../../core/selected_stations.ts';
import { AGE_ABSENT, SIGNAL_ABSENT } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import type { FoundStations } from '../../tables/stations/packed_station.ts';
import type { PositionRecorder } from '../estimates/recorder.ts';
import type { Guesser } from './guesser.ts';

/** Largest number of stations in one estimate: as many as the core solves. */
export const SELECTION_LIMIT = MAX_SOLVE;

/** More observations than any body has. */
const CANDIDATES_LIMIT = 1_048_576;
/** Values of a 32-bit word. */
const WORD = 4_294_967_296;
/** Up to this many radios are compared one by one, more by a hash table. */
const RADIOS_COMPARED = 24;
/** Readings older than the youngest one by more than this are dropped: they say where the device was. */
const STALE_MILLISECONDS = 60_000;
/** Readings of this age are dropped in any case, as a GPS fix is. */
const AGE_MILLISECONDS_LIMIT = 600_000;
/** A reading this much older than the youngest one has half of its weight. */
const FRESH_MILLISECONDS = 3_000;
/** Walking pace, at which a device moves away from where a reading was taken. */
const DRIFT_METRES_PER_MILLISECOND = 1.4e-3;

/** What a device hears, looked up. */
export interface KnownScan {
  query: QueryReader;
  stations: FoundStations;
  /** The account that asks; undefined where nobody does who might guess. */
  guesser?: Guesser | undefined;
}

/** What a device hears, and what it is located by. */
export interface Heard extends KnownScan {
  selection: Selection;
  /** For an explanation. */
  recorder?: PositionRecorder | undefined;
}

/** What the selection needs to know of a kind of stations. */
interface SelectedKind {
  /**
   * Identifies the transmitter of an observation: observations of one radio count as one, with the strongest reading.
   */
  radioOf: (query: QueryReader, i: number) => number;
  /** Stands for a level that was not sent, dBm. */
  unknownDbm: number;
  /** Observation `i`, a known station, may place a device by itself. */
  isEnoughAlone: (query: QueryReader, i: number, stations: FoundStations) => boolean;
}

/**
 * The selected observations of a query by index, strongest first, in the core's buffers for selected stations. The
 * memory is reused from query to query.
 */
export class Selection {
  /** The stations in the core's memory. */
  readonly selected: SelectedStations;
  count = 0;
  readonly observation = new Int32Array(SELECTION_LIMIT);
  /** dBm; a substitute where none was sent. In the core's memory. */
  readonly levelDbm: Float64Array;
  /** 1 if the level was sent. In the core's memory. */
  readonly levelSent: Int32Array;
  /** Distance that a walking device may have moved since the youngest reading. */
  leastDriftMetres = 0;
  /** Mean binary logarithm of the observations behind the stations. */
  logSamples = 0;
  private readonly byRadio = new Map<number, number>();
  private candidates = new Int32Array(1024);
  private levels = new Int16Array(1024);
  private radios = new Float64Array(1024);
  private order = new Float64Array(1024);

  constructor(selected: SelectedStations) {
    this.selected = selected;
    this.levelDbm = selected.levelDbm;
    this.levelSent = selected.levelSent;
  }

  /**
   * Selects from the `count` observations that begin at index `first`, and writes what the core needs of them.
   * @param kind of the stations
   */
  select(heard: Omit<Heard, 'selection'>, first: number, count: number, kind: SelectedKind): void {
    const { query } = heard;
    if (this.candidates.length < count) this.grow(count * 2);
    if (this.byRadio.size > 0) this.byRadio.clear();
    const youngest = youngestAge(query, first, count);
    this.leastDriftMetres = youngest * DRIFT_METRES_PER_MILLISECOND;
    const found = this.collect(heard, first, count, kind, youngest);
    const most = Math.min(SELECTION_LIMIT, heard.guesser?.allowance ?? SELECTION_LIMIT);
    this.sortByLevel(found, most);
    for (let c = most; heard.recorder !== undefined && c < found; c++)
      heard.recorder.take(this.candidates[candidateOf(this.order[c])], { taken: 'tooMany' });
    this.write(heard, kind, youngest);
  }

  /** Collects the strongest reading of each known radio that is not too old. @returns their number */
  private collect(
    { query, stations, recorder }: Omit<Heard, 'selection'>,
    first: number,
    count: number,
    { radioOf, unknownDbm }: SelectedKind,
    youngest: number,
  ): number {
    const { candidates, levels, radios } = this;
    const oldest = Math.min(youngest + STALE_MILLISECONDS, AGE_MILLISECONDS_LIMIT);
    let found = 0;
    for (let i = first; i < first + count; i++) {
      if (!stations.isKnown(i)) continue;
      const age = query.ageMs(i);
      if (age !== AGE_ABSENT && age > oldest) {
        recorder?.take(i, { taken: 'stale' });
        continue;
      }
      const sent = query.signalDbm(i);
      const level = sent === SIGNAL_ABSENT ? unknownDbm : sent;
      const radio = radioOf(query, i);
      const earlier = this.find(radio, found);
      if (earlier < 0) {
        candidates[found] = i;
        levels[found] = level;
        radios[found] = radio;
        found++;
        if (found > RADIOS_COMPARED) this.enter(found);
      } else {
        const isStronger = level > levels[earlier];
        recorder?.take(isStronger ? candidates[earlier] : i, { taken: 'sameRadio' });
        if (!isStronger) continue;
        candidates[earlier] = i;
        levels[earlier] = level;
      }
    }
    return found;
  }

  /** Writes what the core needs of the selected stations. */
  private write(
    { query, stations, guesser }: Omit<Heard, 'selection'>,
    { isEnoughAlone }: SelectedKind,
    youngest: number,
  ): void {
    const { payload, levelSent, frequencyMhz, driftMetres, freshness, radio, alone, role } = this.selected;
    let logSamples = 0;
    for (let s = 0; s < this.count; s++) {
      const i = this.observation[s];
      const number = this.radios[candidateOf(this.order[s])];
      radio[2 * s] = number;
      radio[2 * s + 1] = number / WORD;
      alone[s] = isEnoughAlone(query, i, stations) ? 1 : 0;
      role[s] = guesser === undefined || alone[s] === 1 ? ROLE_VOTER : guesser.roleOf(number);
      const age = query.ageMs(i);
      stations.copyPacked(i, payload, s);
      logSamples += stations.logSamples(i);
      levelSent[s] = query.signalDbm(i) === SIGNAL_ABSENT ? 0 : 1;
      frequencyMhz[s] = query.frequencyMhz(i);
      driftMetres[s] = age === AGE_ABSENT ? 0 : age * DRIFT_METRES_PER_MILLISECOND;
      const behind = age === AGE_ABSENT ? 0 : (age - youngest) / FRESH_MILLISECONDS;
      freshness[s] = 1 / (1 + behind * behind);
    }
    this.logSamples = this.count === 0 ? 0 : logSamples / this.count;
  }

  /** The candidate of this radio among the first `found`, or -1. */
  private find(radio: number, found: number): number {
    if (found > RADIOS_COMPARED) return this.byRadio.get(radio) ?? -1;
    const { radios } = this;
    for (let c = 0; c < found; c++) if (radios[c] === radio) return c;
    return -1;
  }

  /** Enters the last of `found` candidates into the hash table, and all before it if the table is still empty. */
  private enter(found: number): void {
    for (let c = this.byRadio.size === 0 ? 0 : found - 1; c < found; c++) this.byRadio.set(this.radios[c], c);
  }

  private grow(length: number): void {
    this.candidates = new Int32Array(length);
    this.levels = new Int16Array(length);
    this.radios = new Float64Array(length);
    this.order = new Float64Array(length);
  }

  /**
   * Sorts the candidates by level, strongest first: insertion sort for the usual handful, otherwise a typed sort of
   * (level, candidate).
   */
  private sortByLevel(found: number, most: number): void {
    const { order, candidates, levels } = this;
    // Whole dBm and candidate in one number: weaker readings are larger.
    for (let c = 0; c < found; c++) order[c] = -levels[c] * CANDIDATES_LIMIT + c;
    if (found > RADIOS_COMPARED) order.subarray(0, found).sort();
    else {
      for (let c = 1; c < found; c++) {
        const value = order[c];
        let to = c;
        for (; to > 0 && order[to - 1] > value; to--) order[to] = order[to - 1];
        order[to] = value;
      }
    }
    this.count = Math.min(found, most);
    for (let s = 0; s < this.count; s++) {
      const candidate = candidateOf(order[s]);
      this.observation[s] = candidates[candidate];
      this.levelDbm[s] = levels[candidate];
    }
  }
}

/** The candidate in a number that is sorted by. The remainder of doubles is a call, which this is not. */
function candidateOf(order: number): number {
  return order - Math.floor(order / CANDIDATES_LIMIT) * CANDIDATES_LIMIT;
}

/**
 * Age in ms of the youngest reading; a reading without an age is new. Unknown stations count too, since they show when
 * the device last listened.
 */
function youngestAge(query: QueryReader, first: number, count: number): number {
  let youngest = AGE_MILLISECONDS_LIMIT;
  for (let i = first; i < first + count; i++) {
    const age = query.ageMs(i);
    youngest = Math.min(youngest, age === AGE_ABSENT ? 0 : age);
  }
  return youngest;
}
