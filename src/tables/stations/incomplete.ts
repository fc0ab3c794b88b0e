// Finds cells of which a part of the identity is missing: the area code, the radio type, or both. An incomplete
// identity may be that of several cells, its candidates: all areas of the id in its network, and all types that the id
// fits. The one that most of the other evidence agrees with is the cell: other stations that the device hears, and its
// own fix. A cell found so is known as if the request had named all of it. Areas of one id that lie within 10 km of
// each other are one cell under several codes; it is known by their mean.

import type { Database } from 'lmdb';
import {
  LEARNED_BIT,
  PACKED_LATITUDE,
  PACKED_LONGITUDE,
  PACKED_RADII,
  PACKED_STATE,
  STATE_BITS,
} from '../../../wasm/packed_station_constants.ts';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import { distanceMetres } from '../../geo/distance.ts';
import { INFERRED_KINDS, UNNAMED_KINDS } from '../../radio/cell_kind.ts';
import { KIND_CDMA, KIND_GSM } from '../../radio/kind.ts';
import { CODE_ABSENT, FLAG_INFERRED, FLAG_NO_AREA, FLAG_NO_CELL_ID } from '../../radio/query/layout.ts';
import { completeKey, type QueryReader } from '../../radio/query/reader.ts';
import { CELL_RANGES, isIn } from '../../radio/ranges.ts';
import {
  areaOfKey,
  cellOfKey,
  KEY_BYTES_CELL,
  KEY_BYTES_CELL_ID,
  mccOfKey,
  mncOfKey,
  networkNumber,
  writeCellKey,
  writeKeyWithoutArea,
} from '../../radio/station_key.ts';
import { AREA_NONE, isAreaUnknown, isKnownByIdAlone } from '../../radio/unknown_cell.ts';
import { isInside } from './home_country.ts';
import { packMean, packStation } from './packed_station.ts';
import { decodeRadius, STATE_ACTIVE, stationView } from './station.ts';

/** Most incomplete cells looked up in one query: each takes a range scan, and more would add nothing. */
export const INCOMPLETE_LIMIT = 64;
/** FLAG_* bits of an incomplete cell. */
export const INCOMPLETE = FLAG_INFERRED | FLAG_NO_AREA | FLAG_NO_CELL_ID;

/** A cell id that stands under more area codes than this identifies no cell. */
const AREAS_MAX = 16;
/** Stations farther apart than the sum of their 95 % radii and this are not heard at once. */
const APART_METRES = 3_000;
/** Number of other stations whose evidence counts. */
const WITNESSES_MAX = 32;

/** The key that is looked up. */
const sought = new Uint8Array(KEY_BYTES_CELL);

/** A known cell that an incomplete one may be. */
interface Candidate {
  /** Key, `KEY_BYTES_CELL` bytes. */
  key: Uint8Array;
  /** Its packed station. */
  words: Int32Array;
}

/** The candidates of one radio type. */
type Candidates = readonly Candidate[];

/** What an incomplete cell is found to be. */
interface FoundCell {
  /** Packed station. */
  words: Int32Array;
  /** Its key; undefined for the mean of several. */
  key: Uint8Array | undefined;
}

/** Where a station or a fix puts the device. */
interface Witness {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Metres from there within which the device is, nearly always. */
  reachMetres: number;
}

/** The stations of a query, as far as they are known, and the cells that its incomplete ones may be. */
export interface QueryStations {
  /**
   * The packed cell of a whole key, from the cache or the table, valid until the next call; undefined if it takes no
   * part in lookups.
   */
  read(key: Uint8Array): Int32Array | undefined;
  /** The table of stations, in a read transaction. */
  rows(): Database<Buffer, Buffer>;
  /** Observation `i` as a witness of where the device is; undefined while it is unknown. */
  witness(i: number): Witness | undefined;
  /** Enters the packed station of observation `i`. */
  enter(i: number, words: Int32Array): void;
}

/**
 * Looks up the cells that lack a radio type or an area code.
 * @param incomplete their observations
 * @throws Error when a record is damaged
 */
export function lookUpIncomplete(query: QueryReader, incomplete: readonly number[], stations: QueryStations): void {
  const candidates = incomplete.map(i =>
    candidatesOf(query, i, (query.observationFlags(i) & FLAG_NO_AREA) !== 0, stations),
  );
  complete(query, incomplete, candidates, stations);
}

/**
 * Looks up cells by whole identities, none of which is known, without their area codes: where the code says that the
 * device knows none, and where everyone who has reported the cell knew none.
 * @throws Error when a record is damaged
 */
export function lookUpWithoutArea(query: QueryReader, stations: QueryStations): void {
  const cells: number[] = [];
  const candidates: Candidates[][] = [];
  for (let i = query.firstCell; i < query.observations && cells.length < INCOMPLETE_LIMIT; i++) {
    const kind = query.kind(i);
    if ((query.observationFlags(i) & INCOMPLETE) !== 0 || !isKnownByIdAlone(kind)) continue;
    const isUnknown = isAreaUnknown(kind, areaOfKey(query.memory.u8, query.at(i)));
    if (!isUnknown) {
      writeKeyWithoutArea(sought, 0, query.memory.u8, query.at(i));
      if (stations.read(sought) === undefined) continue;
    }
    const found = candidatesOf(query, i, true, stations);
    if (!isUnknown && !isAloneWithoutArea(found)) continue;
    cells.push(i);
    candidates.push(found);
  }
  complete(query, cells, candidates, stations);
}

function complete(
  query: QueryReader,
  cells: readonly number[],
  candidates: readonly Candidates[][],
  stations: QueryStations,
): void {
  const found = chooseCells(candidates, () => witnessesOf(query, stations));
  found.forEach((cell, c) => {
    if (cell === undefined) return;
    stations.enter(cells[c], cell.words);
    if (cell.key !== undefined) completeKey(query.memory, query.at(cells[c]), cell.key);
  });
}

/**
 * The device's own fix, and the beacons and cells known so far. Access points are none, since a single one must not
 * influence anything.
 */
function witnessesOf(query: QueryReader, stations: QueryStations): Witness[] {
  const { fix } = query;
  const found = fix === undefined ? [] : [witnessAt(fix.latitude, fix.longitude, 2 * Math.max(fix.accuracyMetres, 0))];
  for (let i = query.wifi; i < query.observations; i++) {
    const witness = stations.witness(i);
    if (witness !== undefined) found.push(witness);
  }
  return found;
}

/**
 * The candidates of observation `i`, by radio type in the order of preference.
 * @param hasNoArea the area code is missing, or says that the device knows none
 * @throws Error when a record is damaged
 */
function candidatesOf(query: QueryReader, i: number, hasNoArea: boolean, table: QueryStations): Candidates[] {
  const { u8 } = query.memory;
  const at = query.at(i);
  const mcc = mccOfKey(u8, at);
  const groups: Candidates[] = [];
  for (const kind of kindsOf(query, i)) {
    writeCellKey(
      sought,
      0,
      kind,
      networkNumber(kind, Math.max(mcc, 0), mncOfKey(u8, at)),
      areaOfKey(u8, at),
      cellOfKey(u8, at),
    );
    let found: Candidate[] = [];
    if (!hasNoArea) {
      const words = table.read(sought);
      if (words !== undefined) found.push({ key: Uint8Array.from(sought), words: Int32Array.from(words) });
    } else if (isKnownByIdAlone(kind)) found = areasOf(table.rows(), sought);
    // The keys of cdma have no country, so it is compared here.
    if (kind === KIND_CDMA) found = found.filter(({ words }) => isInside(mcc, words[0] / 1e7, words[1] / 1e7));
    if (found.length > 0) groups.push(found);
  }
  return groups;
}

/** The radio types that an observation may have. */
function kindsOf(query: QueryReader, i: number): readonly number[] {
  const kind = query.kind(i);
  if ((query.observationFlags(i) & FLAG_INFERRED) === 0 || kind === KIND_CDMA) return [kind];
  if (kind === KIND_GSM) return UNNAMED_KINDS;
  const isShort =
    query.code(i) === CODE_ABSENT && isIn(cellOfKey(query.memory.u8, query.at(i)), CELL_RANGES.cdma.cellId);
  return isShort ? [...INFERRED_KINDS, KIND_CDMA] : INFERRED_KINDS;
}

/** All active areas of the cell id in a key. */
function areasOf(rows: Database<Buffer, Buffer>, key: Uint8Array): Candidate[] {
  const start = Buffer.from(key).fill(0, KEY_BYTES_CELL_ID);
  const end = Buffer.alloc(KEY_BYTES_CELL + 1, 0xff);
  start.copy(end, 0, 0, KEY_BYTES_CELL_ID);
  const found: Candidate[] = [];
  let read = 0;
  for (const { key: row, value } of rows.getRange({ start, end, limit: AREAS_MAX + 1 })) {
    if (++read > AREAS_MAX) return [];
    const words = new Int32Array(PAYLOAD_WORDS);
    packStation(row, 0, stationView(value), words, 0);
    if ((words[PACKED_STATE] & STATE_BITS) === STATE_ACTIVE) found.push({ key: Uint8Array.from(row), words });
  }
  return found;
}

/** True if the only cell with this id is one that was reported without area code. */
function isAloneWithoutArea(groups: readonly Candidates[]): boolean {
  return groups.length === 1 && groups[0].length === 1 && areaOfKey(groups[0][0].key, 0) === AREA_NONE;
}

/**
 * Chooses what each incomplete cell is.
 * @param cells candidates of each
 * @param witnesses other evidence; called only if a cell has several candidates
 * @returns for each cell what it is; undefined if nothing tells its candidates apart
 */
function chooseCells(
  cells: readonly (readonly Candidates[])[],
  witnesses: () => readonly Witness[],
): (FoundCell | undefined)[] {
  let others: readonly Witness[] | undefined;
  return cells.map((groups, c) => {
    if (groups.length === 0) return undefined;
    if (groups.length === 1 && groups[0].length === 1) return groups[0][0];
    others ??= witnesses();
    return choose(groups, [...others, ...witnessesAmong(cells, c)].slice(0, WITNESSES_MAX));
  });
}

/**
 * The other incomplete cells of the request as witnesses: those that have only one candidate, and so are what they are.
 */
function witnessesAmong(cells: readonly (readonly Candidates[])[], own: number): Witness[] {
  const sure = cells.filter((groups, c) => c !== own && groups.length === 1 && groups[0].length === 1);
  return sure.map(([[{ words }]]) => witnessOf(words));
}

/** A witness that is sure to some metres. */
export function witnessAt(latitude: number, longitude: number, metres: number): Witness {
  return { latitude, longitude, reachMetres: metres + APART_METRES };
}

function witnessOf(words: Int32Array): Witness {
  return witnessAt(
    words[PACKED_LATITUDE] / 1e7,
    words[PACKED_LONGITUDE] / 1e7,
    decodeRadius(words[PACKED_RADII] >>> 16),
  );
}

/**
 * The radio type most witnesses agree with; the earliest of equals. Of each type only the candidates count that most
 * witnesses agree with.
 */
function choose(groups: readonly Candidates[], witnesses: readonly Witness[]): FoundCell | undefined {
  let best: FoundCell | undefined;
  let most = -1;
  for (const group of groups) {
    const votes = group.map(({ words }) => witnesses.filter(witness => agree(witnessOf(words), witness)).length);
    const highest = Math.max(...votes);
    if (highest <= most) continue;
    const found = together(group.filter((_, c) => votes[c] === highest));
    if (found === undefined) continue;
    best = found;
    most = highest;
  }
  return best;
}

function agree(a: Witness, b: Witness): boolean {
  return (
    distanceMetres(a.latitude, a.longitude, b.latitude, b.longitude) <= a.reachMetres + b.reachMetres - APART_METRES
  );
}

/**
 * One candidate, or the mean of several that lie together. One that was learned without area code is any of them, and
 * what is learned counts more.
 */
function together(candidates: Candidates): FoundCell | undefined {
  if (candidates.length === 1) return candidates[0];
  const words = new Int32Array(PAYLOAD_WORDS * candidates.length);
  for (const [c, candidate] of candidates.entries()) words.set(candidate.words, c * PAYLOAD_WORDS);
  const mean = new Int32Array(PAYLOAD_WORDS);
  // Under its own key the mean has no radio map.
  if (!packMean(words, candidates.length, mean, 0)) return undefined;
  const learned = candidates.find(({ key }) => areaOfKey(key, 0) === AREA_NONE);
  if (learned !== undefined) return learned;
  mean[PACKED_STATE] &= ~LEARNED_BIT;
  return { words: mean, key: undefined };
}
