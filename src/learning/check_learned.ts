// Checks what is learned about a station, and its published record. A learned record that follows the rules of
// candidate.ts and life_cycle.ts is published again, and the result must equal the record in the tables.

import { ACCOUNT_ID_MAX } from '../tables/accounts/account_record.ts';
import { faultOfRecord } from '../tables/stations/check_station.ts';
import {
  type Candidate,
  LEARNED_BLOCKED,
  LEARNED_KNOWN,
  LEARNED_NEW,
  type Learned,
  type ReferencePoint,
  SLOTS,
} from '../tables/stations/learned.ts';
import { decodeStation, isOnGlobe } from '../tables/stations/station.ts';
import { pointsBeforeThinning, pointsOfKind } from './candidate.ts';
import { CANDIDATES } from './life_cycle.ts';
import { publishStation } from './publish.ts';

const DAY_SECONDS = 86_400;

/** The fault of what is learned about a station; undefined when it has none. */
export function faultOfLearned(learned: Learned, kind: number): string | undefined {
  const { state, main, base, blocks, isBaseDisowned, candidates } = learned;
  if (candidates.length === 0 || candidates.length > CANDIDATES)
    return `it has ${candidates.length} candidates, and 1 to ${CANDIDATES} are possible`;
  if (base !== undefined) {
    const fault = faultOfRecord(Buffer.from(base));
    if (fault !== undefined) return `the imported record in it is damaged: ${fault}`;
    if (stationOf(base).isLearned) return 'the record that it holds as imported is not';
    if (state === LEARNED_NEW) return 'it is new although it was imported';
  }
  if (isBaseDisowned && base === undefined) return 'it disowns an imported record that it does not hold';
  if (main < 0 && (base === undefined || state !== LEARNED_KNOWN)) return 'it has no main candidate';
  if (state === LEARNED_BLOCKED && blocks === 0) return 'it is blocked but was never blocked';
  for (const [c, candidate] of candidates.entries()) {
    const fault = faultOfCandidate(candidate, kind);
    if (fault !== undefined) return `candidate ${c + 1}: ${fault}`;
  }
  return undefined;
}

function faultOfCandidate(
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
    const fault = faultOfPoint(point, lastSeconds);
    if (fault !== undefined) return `reference point ${p + 1}: ${fault}`;
  }
  return undefined;
}

function faultOfPoint(point: ReferencePoint, lastSeconds: number): string | undefined {
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
 * @param learned has passed `faultOfLearned`
 * @param record undefined when the station has none
 * @param isRebaseDue imported stations are not joined with what is learned yet
 */
export function faultOfPublished(
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
