// Looks stations up: first in the cache, then in LMDB, in one fresh read transaction for all misses. Each thread has
// its own reader.

import {
  LEARNED_BIT,
  PACKED_LATITUDE,
  PACKED_LONGITUDE,
  PACKED_RADII,
  PACKED_STATE,
  STATE_BITS,
} from '../../../wasm/packed_station_constants.ts';
import {
  LANE_KEYS,
  PAYLOAD_WORDS,
  RECORD_KEY_WORDS,
  RECORD_PAYLOAD,
  RECORD_WORDS,
} from '../../../wasm/station_cache_constants.ts';
import type { CacheLane } from '../../core/cache_lane.ts';
import { isCell } from '../../radio/kind.ts';
import { CODE_ABSENT, FLAG_NO_CELL_ID } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { KEY_BYTES_CELL, KEY_BYTES_MAX, keyBytesOfKind, paddedKeyBytes } from '../../radio/station_key.ts';
import type { RadiusFactors } from '../calibration/calibration_tables.ts';
import { CACHE_HIT, CacheMiss, type StationCache } from './cache.ts';
import { CellIndex } from './cell_index.ts';
import { recordsOfCode } from './codes.ts';
import type { Generation } from './generation.ts';
import { LiveTables } from './generation.ts';
import {
  INCOMPLETE,
  INCOMPLETE_LIMIT,
  lookUpIncomplete,
  lookUpWithoutArea,
  type QueryStations,
  witnessAt,
} from './incomplete.ts';
import { KnowledgeTables } from './knowledge.ts';
import type { Learned } from './learned_record.ts';
import {
  type CellSite,
  type CellWithMap,
  FoundStations,
  packAbsent,
  packNearest,
  packStation,
  siteOfCell,
} from './packed_station.ts';
import { RadioMap } from './radio_map.ts';
import { decodeRadius, STATE_ACTIVE, stationView } from './station.ts';

/** Most cells known by their code alone that are searched in one query: each takes range scans. */
const CODES_LIMIT = 6;
/** Sectors of one cell site are searched within the cell's 95 % radius and this. */
const SITE_METRES = 10_000;

/** Stations of a query, as arrays by observation. Valid until the next lookup of the same reader. */
export class StationReader extends FoundStations {
  private readonly cache: StationCache;
  private readonly live: LiveTables;
  private readonly miss = new CacheMiss();
  private readonly lane: CacheLane | undefined;
  /** Observations of the keys in the lane. */
  private readonly asked = new Int32Array(LANE_KEYS);
  /** Incomplete cells of this query. */
  private readonly incomplete: number[] = [];
  /** Lookups and misses that are not counted in the cache yet. */
  private looked = 0;
  private missed = 0;
  private readonly misses: { observation: number; miss: CacheMiss }[] = [];
  private readonly keys: Map<number, Buffer> = new Map();
  private readonly map = new RadioMap();
  /** The stations of this query, for cells of which a part of the identity is missing. */
  private readonly ofQuery: QueryStations = {
    read: key => this.readCell(key),
    rows: () => this.live.begin().stations,
    witness: i => (this.isKnown(i) ? witnessAt(this.latitude(i), this.longitude(i), this.r95Metres(i)) : undefined),
    enter: (i, words) => this.payload.set(words, i * PAYLOAD_WORDS),
  };
  private readonly scratch = new Uint8Array(KEY_BYTES_MAX);
  private readonly scratchWords = new Int32Array(this.scratch.buffer);
  private readonly scratchPayload = new Int32Array(PAYLOAD_WORDS);

  /**
   * Opens the live tables if the writer has named some.
   * @param folder data folder
   * @param cache this thread's view of the cache
   * @throws Error when the tables cannot be used
   */
  constructor(folder: string, cache: StationCache) {
    super();
    this.cache = cache;
    this.live = new LiveTables(folder, cache);
    this.lane = cache.openLane();
  }

  /** Looks up all observations of a query. Results are read by index through the methods below. */
  lookUp(query: QueryReader): void {
    const { u8 } = query.memory;
    const count = query.observations;
    if (this.payload.length < count * PAYLOAD_WORDS) this.payload = new Int32Array(count * PAYLOAD_WORDS * 2);
    let missed = 0;
    this.incomplete.length = 0;
    for (let from = 0; from < count; from += LANE_KEYS) {
      const to = Math.min(count, from + LANE_KEYS);
      missed =
        this.lane === undefined
          ? this.findInTurn(query, from, to, missed)
          : this.findTogether(this.lane, query, from, to, missed);
    }
    this.missed += missed;
    if (missed > 0) {
      // All versions were taken above, so one fresh transaction serves all misses.
      const tables = this.live.begin();
      for (let m = 0; m < missed; m++) {
        const { observation, miss } = this.misses[m];
        this.readThrough(tables, u8, query.at(observation), this.payload, observation * PAYLOAD_WORDS, miss);
      }
    }
    if (this.incomplete.length > 0) lookUpIncomplete(query, this.incomplete, this.ofQuery);
    if (query.cells > 0 && !this.knowsCell(query)) lookUpWithoutArea(query, this.ofQuery);
  }

  /** Finds observations in the cache by the lane. @param missed misses before @returns misses so far */
  private findTogether(lane: CacheLane, query: QueryReader, from: number, to: number, missed: number): number {
    const { u8, i32 } = query.memory;
    const { records } = lane;
    const { payload, asked } = this;
    let count = 0;
    for (let i = from; i < to; i++) {
      const at = query.at(i);
      const words = paddedKeyBytes(u8[at]) >> 2;
      if (isCell(u8[at]) && this.notesIncomplete(query, i)) continue;
      const record = count * RECORD_WORDS;
      for (let word = 0; word < words; word++) records[record + word] = i32[(at >> 2) + word];
      records[record + RECORD_KEY_WORDS] = words;
      asked[count++] = i;
    }
    lane.find(count);
    this.looked += count;
    for (let k = 0; k < count; k++) {
      const record = k * RECORD_WORDS;
      const out = asked[k] * PAYLOAD_WORDS;
      for (let word = 0; word < PAYLOAD_WORDS; word++) payload[out + word] = records[record + RECORD_PAYLOAD + word];
      if (payload[out + PACKED_STATE] === 0) this.cache.readMiss(records, record, this.nextMiss(missed++, asked[k]));
    }
    return missed;
  }

  /** The same one after the other, where there is no lane. */
  private findInTurn(query: QueryReader, from: number, to: number, missed: number): number {
    const { u8, i32 } = query.memory;
    for (let i = from; i < to; i++) {
      const at = query.at(i);
      this.cache.mix(i - from, i32, at >> 2, paddedKeyBytes(u8[at]) >> 2);
    }
    this.cache.touch(to - from);
    for (let i = from; i < to; i++) {
      if (isCell(u8[query.at(i)]) && this.notesIncomplete(query, i)) continue;
      const miss = this.nextMiss(missed, i);
      this.looked++;
      if (this.cache.findMixed(i - from, this.payload, i * PAYLOAD_WORDS, miss) !== CACHE_HIT) missed++;
    }
    return missed;
  }

  /** The factors of radii, by `placeOfVotes`. */
  radiusFactors(): RadiusFactors {
    return this.live.radiusFactors();
  }

  /**
   * What is learned of a station, in a fresh read transaction. @param key cut to its length @throws Error when the
   * record is damaged
   */
  learned(key: Buffer): Learned | undefined {
    return new KnowledgeTables(this.live.begin()).learned(key);
  }

  /** Cells by parts of their identity, in a fresh read transaction; valid until the next call of this reader. */
  openIndex(): CellIndex {
    return new CellIndex(this.live.begin());
  }

  /**
   * Ends the read transaction, so that no old page is kept while the thread waits, and counts what was looked up since
   * the last call.
   */
  release(): void {
    if (this.looked > 0) this.cache.countLookups(this.looked, this.missed);
    this.looked = 0;
    this.missed = 0;
    this.live.release();
  }

  override radioMap(query: QueryReader, i: number): RadioMap | undefined {
    return this.readMap(this.keyOf(query.memory.u8, query.at(i), keyBytesOfKind(query.kind(i))));
  }

  override radioMapOf(key: Uint8Array): CellWithMap | undefined {
    const cell = this.readCell(key);
    if (cell === undefined || (cell[PACKED_STATE] & LEARNED_BIT) === 0) return undefined;
    const map = this.readMap(this.keyOf(key, 0, KEY_BYTES_CELL));
    return (
      map && {
        map,
        latitude: cell[PACKED_LATITUDE] / 1e7,
        longitude: cell[PACKED_LONGITUDE] / 1e7,
        r95Metres: decodeRadius(cell[PACKED_RADII] >>> 16),
      }
    );
  }

  override findByCode(query: QueryReader, near: number): number {
    const { u8 } = query.memory;
    let codes: Generation['codes'] | undefined;
    let tried = 0;
    let found = 0;
    let position = near < 0 ? undefined : { latitude: this.latitude(near), longitude: this.longitude(near) };
    for (let i = query.firstCell; i < query.observations && tried < CODES_LIMIT; i++) {
      const code = query.code(i);
      if ((query.observationFlags(i) & FLAG_NO_CELL_ID) === 0 || code === CODE_ABSENT) continue;
      tried++;
      if (codes === undefined) {
        codes = this.live.begin().codes;
        if ((codes.getStats() as { entryCount: number }).entryCount === 0) return 0;
      }
      const at = query.at(i);
      const records = recordsOfCode(codes, u8, at, code, position);
      if (records === undefined || !packNearest(records, u8, at, position, this.payload, i * PAYLOAD_WORDS)) continue;
      found++;
      position ??= { latitude: this.latitude(i), longitude: this.longitude(i) };
    }
    return found;
  }

  override siteOf(query: QueryReader, i: number): CellSite | undefined {
    const near = { latitude: this.latitude(i), longitude: this.longitude(i) };
    return siteOfCell(this.live.begin().stations, query.memory.u8, query.at(i), near, this.r95Metres(i) + SITE_METRES);
  }

  close(): Promise<void> {
    this.lane?.close();
    return this.live.close();
  }

  private readMap(key: Buffer): RadioMap | undefined {
    const { learned } = this.live.begin();
    const bytes = learned.getBinaryFast(key);
    if (bytes === undefined) return undefined;
    this.map.read(bytes, (learned as unknown as { lastSize: number }).lastSize);
    return this.map;
  }

  /** Answers one miss from LMDB, in the transaction begun after the miss was seen. */
  private readThrough(
    tables: Generation,
    u8: Uint8Array,
    at: number,
    out: Int32Array,
    outAt: number,
    miss: CacheMiss,
  ): void {
    const { stations } = tables;
    const record = stations.getBinaryFast(this.keyOf(u8, at, keyBytesOfKind(u8[at])));
    if (record === undefined) packAbsent(out, outAt);
    else {
      const bytes = (stations as unknown as { lastSize: number }).lastSize;
      packStation(u8, at, stationView(record.subarray(0, bytes)), out, outAt);
    }
    // Read from tables that are no longer live: the answer stands, but is not cached.
    if (miss.generation === this.live.generation) this.cache.fill(miss, out, outAt);
  }

  /** The key at byte `at`, cut to its length. Reused. */
  private keyOf(u8: Uint8Array, at: number, keyBytes: number): Buffer {
    let key = this.keys.get(keyBytes);
    if (key === undefined) {
      key = Buffer.alloc(keyBytes);
      this.keys.set(keyBytes, key);
    }
    for (let i = 0; i < keyBytes; i++) key[i] = u8[at + i];
    return key;
  }

  private nextMiss(missed: number, observation: number): CacheMiss {
    if (missed === this.misses.length) this.misses.push({ observation: 0, miss: new CacheMiss() });
    this.misses[missed].observation = observation;
    return this.misses[missed].miss;
  }

  /**
   * Notes a cell of which a part of the identity is missing; it is looked up after all others. @returns false for a
   * whole identity
   */
  private notesIncomplete(query: QueryReader, i: number): boolean {
    const flags = query.observationFlags(i);
    if ((flags & INCOMPLETE) === 0) return false;
    packAbsent(this.payload, i * PAYLOAD_WORDS);
    if ((flags & FLAG_NO_CELL_ID) === 0 && this.incomplete.length < INCOMPLETE_LIMIT) this.incomplete.push(i);
    return true;
  }

  /** True if any cell of the query is known. */
  private knowsCell(query: QueryReader): boolean {
    for (let i = query.firstCell; i < query.observations; i++) if (this.isKnown(i)) return true;
    return false;
  }

  /** Reads a cell by a key that the query does not hold. */
  private readCell(key: Uint8Array): Int32Array | undefined {
    const { scratch, scratchWords, scratchPayload: words, miss } = this;
    for (let i = 0; i < KEY_BYTES_CELL; i++) scratch[i] = key[i];
    if (this.cache.find(scratchWords, 0, KEY_BYTES_CELL >> 2, words, 0, miss) !== CACHE_HIT) {
      this.readThrough(this.live.begin(), scratch, 0, words, 0, miss);
    }
    return (words[PACKED_STATE] & STATE_BITS) === STATE_ACTIVE ? words : undefined;
  }
}
