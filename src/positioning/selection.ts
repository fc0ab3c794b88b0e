// Which of a query's known stations take part: the same radio once, the strongest first, no more than the core's buffers hold.

import {
  AGE_ABSENT,
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  SIGNAL_ABSENT,
} from '../../wasm/layout.ts';
import type { StationReader } from '../tables/stations.ts';
import type { QueryMemory } from './query.ts';

/** Stations that one estimate rests on at most. */
export const SELECTION_LIMIT = 512;

/** Levels that sort and weigh observations sent without one: the median of weak readings. */
const LEVEL_DBM_UNKNOWN = -85;
/** Readings that are older than the youngest one by more than this say where the device was, not where it is. */
const STALE_MILLISECONDS = 60_000;
/** And so do all of this age, as for a GPS fix. */
const AGE_MILLISECONDS_LIMIT = 600_000;
/** A walking device leaves a reading behind at this pace. */
const DRIFT_METRES_PER_SECOND = 1.4;

/** Indices into the query's observations, and their levels, strongest first. Reused from query to query. */
export class Selection {
  count = 0;
  readonly observation = new Int32Array(SELECTION_LIMIT);
  /** dBm; LEVEL_DBM_UNKNOWN when not sent. */
  readonly levelDbm = new Float64Array(SELECTION_LIMIT);
  /** Whether the level was sent. */
  readonly levelSent = new Uint8Array(SELECTION_LIMIT);
  /** 0 = not sent. */
  readonly frequencyMhz = new Uint16Array(SELECTION_LIMIT);
  /** Metres that a walking device may have moved since the reading. */
  readonly driftMetres = new Float64Array(SELECTION_LIMIT);
  private readonly radios = new Map<number, number>();
  private candidates = new Int32Array(1024);
  private order = new Float64Array(1024);

  /**
   * Selects among the `count` observations from index `first` on.
   * @param radioOf names the transmitter of an observation: those of one radio count as one, with the strongest reading
   */
  select(
    memory: QueryMemory,
    start: number,
    first: number,
    count: number,
    stations: StationReader,
    radioOf: (memory: QueryMemory, at: number) => number,
  ): void {
    this.radios.clear();
    if (this.candidates.length < count) {
      this.candidates = new Int32Array(count * 2);
      this.order = new Float64Array(count * 2);
    }
    const oldest = oldestAge(memory, start, first, count);
    let found = 0;
    for (let i = first; i < first + count; i++) {
      if (!stations.isKnown(i)) continue;
      const at = start + i * OBSERVATION_BYTES;
      const age = memory.u32[(at + OBSERVATION_AGE) >> 2];
      if (age !== AGE_ABSENT && age > oldest) continue;
      const radio = radioOf(memory, at);
      const earlier = this.radios.get(radio);
      if (earlier === undefined) {
        this.radios.set(radio, found);
        this.candidates[found++] = i;
      } else if (levelAt(memory, at) > levelAt(memory, start + this.candidates[earlier] * OBSERVATION_BYTES)) {
        this.candidates[earlier] = i;
      }
    }
    this.sortByLevel(memory, start, found);
    this.count = Math.min(found, SELECTION_LIMIT);
    for (let s = 0; s < this.count; s++) {
      const at = start + this.observation[s] * OBSERVATION_BYTES;
      const age = memory.u32[(at + OBSERVATION_AGE) >> 2];
      this.levelDbm[s] = levelAt(memory, at);
      this.levelSent[s] = memory.i16[(at + OBSERVATION_SIGNAL) >> 1] === SIGNAL_ABSENT ? 0 : 1;
      this.frequencyMhz[s] = memory.u16[(at + OBSERVATION_FREQUENCY) >> 1];
      this.driftMetres[s] = age === AGE_ABSENT ? 0 : (age / 1000) * DRIFT_METRES_PER_SECOND;
    }
  }

  /** Insertion sort for the usual handful, a typed sort of (level, index) pairs for malls and worse. */
  private sortByLevel(memory: QueryMemory, start: number, found: number): void {
    const order = this.order;
    for (let c = 0; c < found; c++) {
      // Level in whole dBm and index in one number: weaker readings are larger.
      order[c] = -levelAt(memory, start + this.candidates[c] * OBSERVATION_BYTES) * 1_048_576 + c;
    }
    if (found > 24) order.subarray(0, found).sort();
    else {
      for (let c = 1; c < found; c++) {
        const value = order[c];
        let to = c;
        for (; to > 0 && order[to - 1] > value; to--) order[to] = order[to - 1];
        order[to] = value;
      }
    }
    const kept = Math.min(found, SELECTION_LIMIT);
    for (let s = 0; s < kept; s++) this.observation[s] = this.candidates[order[s] % 1_048_576];
  }
}

/** Age in ms beyond which a reading is stale: a reading without an age is taken as new. Unknown stations tell as well when the device listened last. */
function oldestAge(memory: QueryMemory, start: number, first: number, count: number): number {
  let youngest = AGE_MILLISECONDS_LIMIT;
  for (let i = first; i < first + count; i++) {
    const age = memory.u32[(start + i * OBSERVATION_BYTES + OBSERVATION_AGE) >> 2];
    youngest = Math.min(youngest, age === AGE_ABSENT ? 0 : age);
  }
  return Math.min(youngest + STALE_MILLISECONDS, AGE_MILLISECONDS_LIMIT);
}

function levelAt(memory: QueryMemory, at: number): number {
  const level = memory.i16[(at + OBSERVATION_SIGNAL) >> 1];
  return level === SIGNAL_ABSENT ? LEVEL_DBM_UNKNOWN : level;
}
