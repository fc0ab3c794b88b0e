// Checks a generation of the station tables: stations against what is learned about them, areas, tracks, marks and
// counters.
//
// A slice of stations and the same range of learned records are read in one snapshot, so the aggregation, which writes
// both in one transaction, may go on meanwhile.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ACCOUNT_ID_MAX } from '../tables/accounts/account_record.ts';
import { problemWithRow } from '../tables/calibration/check_row.ts';
import {
  type Check,
  CountCheck,
  countRows,
  inSnapshot,
  REBUILD,
  RESTORE,
  readRows,
  reasonOf,
  type TableCheck,
  walkRows,
} from '../tables/environment/check_walk.ts';
import { MARK_BYTES } from '../tables/stations/areas.ts';
import { AreaCheck } from '../tables/stations/check_areas.ts';
import { CODE_KEY_BYTES, cellOfCodeKey, codeKey } from '../tables/stations/codes.ts';
import { type Generation, type GenerationMeta, META_KEY } from '../tables/stations/generation.ts';
import { decodeTrack, KnowledgeTables, TRACK_ROW } from '../tables/stations/knowledge.ts';
import {
  type Candidate,
  decodeLearned,
  LEARNED_BLOCKED,
  LEARNED_KNOWN,
  LEARNED_NEW,
  type Learned,
  type ReferencePoint,
  SLOTS,
} from '../tables/stations/learned_record.ts';
import { STATION_BYTES } from '../tables/stations/record_layout.ts';
import {
  decodeStation,
  isCellKey,
  isOnGlobe,
  nameStation,
  problemWithKey,
  problemWithRecord,
} from '../tables/stations/station.ts';
import { pointsBeforeThinning, pointsOfKind } from './candidate.ts';
import { CANDIDATES } from './life_cycle.ts';
import { publishStation } from './publish.ts';

const SLICE = 2_000;
const LEARN_AGAIN = `${REBUILD}, which learns it again`;
const IMPORT_AGAIN = 'import it again, or restore the data folder from a backup';

interface Row {
  key: Buffer;
  value: Buffer;
}

/** The generation, and the checks that take findings. */
interface Tables {
  generation: Generation;
  check: Check;
  stations: TableCheck;
  learned: TableCheck;
  areas: AreaCheck;
  prefix: string;
}

/**
 * Walks through all tables of a generation.
 * @param prefix of the tables' names
 * @param removable number of stations that may have been removed since the generation was built
 */
export async function checkGeneration(
  generation: Generation,
  check: Check,
  prefix: string,
  removable: number,
): Promise<void> {
  const { stations, areas, learned, codes, tracks, stale, calibration } = generation;
  check.begin(`${prefix}station tables`, [stations, areas, learned, codes, tracks, stale, calibration]);
  const tables: Tables = {
    generation,
    check,
    stations: check.table(`${prefix}stations`, IMPORT_AGAIN),
    learned: check.table(`${prefix}learned stations`, LEARN_AGAIN),
    areas: new AreaCheck(generation, check, prefix),
    prefix,
  };
  checkMeta(tables, removable);
  if (await walkStations(tables)) await tables.areas.walk();
  await walkCodes(tables);
  await walkTracks(tables);
  await walkMarks(tables);
  await walkCalibration(tables);
}

function checkMeta({ generation, check, prefix }: Tables, removable: number): void {
  const meta = check.table(`${prefix}meta`, RESTORE);
  meta.reading();
  inSnapshot(generation.root, meta, undefined, () => {
    const { count, builtAt } = generation.meta.get(META_KEY) as GenerationMeta;
    const stations = countRows(generation.stations);
    if (Number.isNaN(Date.parse(builtAt)))
      meta.find('counter', 'builtAt', `it names no time: ${JSON.stringify(builtAt)}`);
    if (!isCount(count)) meta.find('counter', 'count', `it is no number of stations: ${JSON.stringify(count)}`);
    else if (count > stations + removable)
      meta.find('counter', 'count', `${count} stations were there when it was written, and only ${stations} are left`);
    const { progress } = new KnowledgeTables(generation);
    if (!isCount(progress))
      meta.find('counter', 'progress', `it is no number of a report: ${JSON.stringify(progress)}`, LEARN_AGAIN);
  });
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** @returns false when it could not be read to the end */
async function walkStations(tables: Tables): Promise<boolean> {
  const { generation, stations, learned, areas } = tables;
  const count = new CountCheck(generation.root, [
    { rows: generation.stations, check: stations },
    { rows: generation.learned, check: learned },
  ]);
  let after: Buffer | undefined;
  for (let more = true; more; ) {
    const end = inSnapshot(generation.root, stations, after, () => {
      const slice = readSlice(tables, after);
      const isRebaseDue = new KnowledgeTables(generation).isRebaseDue;
      const found = new Map(slice.learned.map(({ key, value }) => [key.toString('latin1'), value]));
      for (const { key, value } of slice.stations) {
        const name = key.toString('latin1');
        checkStation(tables, key, value, found.get(name), isRebaseDue);
        found.delete(name);
      }
      for (const [name, value] of found)
        checkStation(tables, Buffer.from(name, 'latin1'), undefined, value, isRebaseDue);
      if (slice.end === undefined) areas.endNetwork();
      count.add(stations, slice.stations.length);
      count.add(learned, slice.learned.length);
      stations.walked(slice.stations.length);
      learned.walked(slice.learned.length);
      return { key: slice.end };
    });
    if (end === undefined) return false;
    more = end.key !== undefined;
    after = end.key;
    await nextTurn();
  }
  count.end();
  return true;
}

/** Stations and learned records after a key, up to and with `end`, which is undefined at the end of both. */
function readSlice(
  { generation, stations, learned }: Tables,
  after: Buffer | undefined,
): { stations: Row[]; learned: Row[]; end: Buffer | undefined } {
  stations.reading();
  const published = readRows(generation.stations, after, SLICE);
  learned.reading();
  const known = readRows(generation.learned, after, SLICE);
  const ends = [published, known].filter(rows => rows.length === SLICE).map(rows => rows[SLICE - 1].key);
  const end =
    ends.length === 0 ? undefined : ends.reduce((least, key) => (Buffer.compare(key, least) < 0 ? key : least));
  const isWithin = ({ key }: Row): boolean => end === undefined || Buffer.compare(key, end) <= 0;
  return { stations: published.filter(isWithin), learned: known.filter(isWithin), end };
}

/** Checks one station: its record, what is learned about it, or both. */
function checkStation(
  tables: Tables,
  key: Buffer,
  record: Buffer | undefined,
  bytes: Buffer | undefined,
  isRebaseDue: boolean,
): void {
  const { check, stations, learned: table, areas } = tables;
  const name = nameStation(key);
  const keyProblem = problemWithKey(key);
  const recordProblem = record === undefined ? undefined : problemWithRecord(record);
  if (keyProblem !== undefined) (record === undefined ? table : stations).find('key', name, keyProblem);
  stations.findSome('record', name, recordProblem);
  const isSound = keyProblem === undefined && recordProblem === undefined;
  if (record !== undefined && !check.isQuick) areas.add(key, record, isSound);
  if (bytes === undefined) {
    if (record !== undefined && isSound && isLearned(record))
      stations.find('index', name, 'it is marked as learned, but nothing is learned of it', LEARN_AGAIN);
    return;
  }
  const learned = decode(bytes);
  if (typeof learned === 'string') {
    table.find('record', name, learned);
    return;
  }
  const learnedProblem = keyProblem === undefined ? problemWithLearned(learned, key[0]) : keyProblem;
  if (keyProblem === undefined) table.findSome('record', name, learnedProblem);
  if (learnedProblem !== undefined || recordProblem !== undefined || check.isQuick) return;
  const what = problemWithPublished(learned, key[0], record, isRebaseDue);
  if (what !== undefined) stations.find('derived', name, what, LEARN_AGAIN);
}

function isLearned(record: Buffer): boolean {
  return decodeStation(new DataView(record.buffer, record.byteOffset, record.byteLength), 0).isLearned;
}

function decode(bytes: Buffer): Learned | string {
  try {
    return decodeLearned(bytes);
  } catch (error) {
    return reasonOf(error);
  }
}

/** Cells by their codes: each is a station, and its key is that of its record. */
async function walkCodes({ generation, check, prefix }: Tables): Promise<void> {
  const codes = check.table(`${prefix}codes`, LEARN_AGAIN);
  await walkRows(generation.root, generation.codes, codes, (key, value) => {
    const name = `code ${key.toString('hex')}`;
    if (key.length !== CODE_KEY_BYTES) {
      codes.find('key', name, 'it is no code of a cell');
      return;
    }
    const cell = cellOfCodeKey(key);
    if (value.length !== STATION_BYTES || codeKey(cell, value)?.equals(key) !== true)
      codes.find('record', name, 'its record is not of a cell with this code at this place');
    else if (!generation.stations.doesExist(cell))
      codes.find('index', name, 'it leads to a station that does not exist');
  });
}

/** Devices: each one's last position comes from a report that took effect. */
async function walkTracks({ generation, check, prefix }: Tables): Promise<void> {
  const tracks = check.table(`${prefix}tracks`, LEARN_AGAIN);
  const knowledge = new KnowledgeTables(generation);
  await walkRows(generation.root, generation.tracks, tracks, (key, value) => {
    const pseudonym = key.length === 8 ? Number(key.readBigUInt64BE()) : 0;
    const name = `device ${pseudonym === 0 ? key.toString('hex') : pseudonym}`;
    if (!(pseudonym > 0 && Number.isSafeInteger(pseudonym))) tracks.find('key', name, 'its key is no pseudonym');
    else if (value.length !== TRACK_ROW.bytes)
      tracks.find('record', name, `its record has ${value.length} bytes instead of ${TRACK_ROW.bytes}`);
    else tracks.findSome('record', name, problemWithTrack(knowledge, value));
  });
}

function problemWithTrack(knowledge: KnowledgeTables, row: Buffer): string | undefined {
  try {
    const { sequence } = decodeTrack(row);
    return sequence <= knowledge.progress
      ? undefined
      : `its report ${sequence} has not taken effect: the last that has is ${knowledge.progress}`;
  } catch (error) {
    return reasonOf(error)
      .replace(/^The row of a device is damaged: /, '')
      .replace(/\.$/, '');
  }
}

/** Networks whose areas are older than their cells. */
async function walkMarks({ generation, check, prefix }: Tables): Promise<void> {
  const marks = check.table(`${prefix}stale areas`, REBUILD);
  await walkRows(generation.root, generation.stale, marks, (key, value) => {
    const name = `network ${key.toString('hex')}`;
    const cell = Buffer.alloc(12);
    key.copy(cell);
    if (key.length !== 4 || !isCellKey(cell)) marks.find('key', name, 'it is no network of cells');
    else if (value.length !== MARK_BYTES)
      marks.find('record', name, `its mark has ${value.length} bytes instead of ${MARK_BYTES}`);
  });
}

/** What the service measured of itself. */
async function walkCalibration({ generation, check, prefix }: Tables): Promise<void> {
  const calibration = check.table(`${prefix}calibration`, LEARN_AGAIN);
  const knowledge = new KnowledgeTables(generation);
  await walkRows(generation.root, generation.calibration, calibration, (key, value) => {
    // A service may be learning: each row is compared with the progress in the same snapshot.
    calibration.findSome('record', `row ${key.toString('hex')}`, problemWithRow(key, value, knowledge.progress));
  });
}

// Checks what is learned about a station, and its published record. A learned record that follows the rules of
// candidate.ts and life_cycle.ts is published again, and the result must equal the record in the tables.

const DAY_SECONDS = 86_400;

/** The fault of what is learned about a station; undefined when it has none. */
function problemWithLearned(learned: Learned, kind: number): string | undefined {
  const { state, main, base, blocks, isBaseDisowned, candidates } = learned;
  if (candidates.length === 0 || candidates.length > CANDIDATES)
    return `it has ${candidates.length} candidates, and 1 to ${CANDIDATES} are possible`;
  if (base !== undefined) {
    const problem = problemWithRecord(Buffer.from(base));
    if (problem !== undefined) return `the imported record in it is damaged: ${problem}`;
    if (stationOf(base).isLearned) return 'the record that it holds as imported is not';
    if (state === LEARNED_NEW) return 'it is new although it was imported';
  }
  if (isBaseDisowned && base === undefined) return 'it disowns an imported record that it does not hold';
  if (main < 0 && (base === undefined || state !== LEARNED_KNOWN)) return 'it has no main candidate';
  if (state === LEARNED_BLOCKED && blocks === 0) return 'it is blocked but was never blocked';
  for (const [c, candidate] of candidates.entries()) {
    const problem = problemWithCandidate(candidate, kind);
    if (problem !== undefined) return `candidate ${c + 1}: ${problem}`;
  }
  return undefined;
}

function problemWithCandidate(
  { points, contributors, reports, firstSeconds, lastSeconds }: Candidate,
  kind: number,
): string | undefined {
  const limit = pointsBeforeThinning(pointsOfKind(kind, reports));
  if (points.length === 0 || points.length > limit)
    return `it has ${points.length} reference points, and 1 to ${limit} are possible`;
  if (contributors.length > SLOTS) return `it has ${contributors.length} contributors, and ${SLOTS} are possible`;
  if (new Set(contributors).size < contributors.length) return 'a contributor stands in it twice';
  const stranger = contributors.find(contributor => contributor > ACCOUNT_ID_MAX);
  if (stranger !== undefined) return `no account can have the number ${stranger} of its contributor`;
  if (reports === 0) return 'it rests on no report';
  if (firstSeconds > lastSeconds) return 'it was seen last before it was first seen';
  for (const [p, point] of points.entries()) {
    const problem = problemWithPoint(point, lastSeconds);
    if (problem !== undefined) return `reference point ${p + 1}: ${problem}`;
  }
  return undefined;
}

function problemWithPoint(point: ReferencePoint, lastSeconds: number): string | undefined {
  const { latitudeE7, longitudeE7, levelDbm, count, lastDay } = point;
  if (!isOnGlobe(latitudeE7, longitudeE7))
    return `its position ${latitudeE7 / 1e7}, ${longitudeE7 / 1e7} is not on the globe`;
  if (!Number.isFinite(levelDbm)) return `its level is ${levelDbm}`;
  if (count === 0) return 'it rests on no observation';
  if (lastDay > Math.floor(lastSeconds / DAY_SECONDS)) return 'it was observed later than its candidate';
  return undefined;
}

/**
 * The fault of a station's published record, given what is learned about the station; undefined when it has none.
 * @param learned has passed `problemWithLearned`
 * @param record undefined when the station has none
 * @param isRebaseDue imported stations are not joined with what is learned yet
 */
function problemWithPublished(
  learned: Learned,
  kind: number,
  record: Buffer | undefined,
  isRebaseDue: boolean,
): string | undefined {
  if (isRebaseDue && record !== undefined && !stationOf(record).isLearned) return undefined;
  const expected = publishStation(learned, kind);
  if (expected === undefined)
    return record === undefined ? undefined : 'it is published, but what is learned of it does not count yet';
  if (record === undefined) return 'it is missing, but what is learned of it counts';
  return record.equals(expected) ? undefined : 'its record does not follow from what is learned of it';
}

function stationOf(record: Uint8Array) {
  return decodeStation(new DataView(record.buffer, record.byteOffset, record.byteLength), 0);
}
