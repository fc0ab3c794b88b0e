// A small set of stations whose every field follows from the station's number and its revision, so that a reader
// recognises a record that is torn, old, or somebody else's. Some revisions are deletions. What the writer has begun
// and what it has acknowledged stands in shared memory.

import { KIND_LTE, KIND_WIFI } from '../../../src/radio/kind.ts';
import { OBSERVATION_BYTES } from '../../../src/radio/query/layout.ts';
import { keyBytesOfKind, networkNumber, writeCellKey, writeMacKey } from '../../../src/radio/station_key.ts';
import type { StationReader } from '../../../src/tables/stations/reader.ts';
import { STATE_ACTIVE } from '../../../src/tables/stations/station.ts';
import { recordOf as stationRecord } from '../../kits/radio/stations.ts';

/** More than the smallest cache holds (320), so that entries are evicted, moved and filled again all the time. */
export const STATIONS = 400;

/** Shared words: revisions begun, revisions acknowledged, then the ones named here. */
export const SHARED_WORDS = STATIONS * 2 + 16;
export const LOOKUPS = STATIONS * 2;
export const STOP = STATIONS * 2 + 1;
/** One of `WRONG`, then station, revision seen, revision acknowledged before. */
export const FAILURE = STATIONS * 2 + 2;

export const WRONG = ['', 'torn', 'older than acknowledged', 'never written', 'absent though present', 'threw'];

/** Writes the observation of a station at `at`; its key stands in front. @returns bytes of the key in LMDB */
export function writeObservation(bytes: Uint8Array, at: number, station: number): number {
  const kind = station % 3 === 0 ? KIND_LTE : KIND_WIFI;
  bytes.fill(0, at, at + OBSERVATION_BYTES);
  if (kind === KIND_LTE) writeCellKey(bytes, at, kind, networkNumber(kind, 1, 1), station & 7, 256_000 + station);
  else writeMacKey(bytes, at, kind, 0x88f7c7000000 + station);
  return keyBytesOfKind(kind);
}

export function stationKey(station: number): Buffer {
  const bytes = new Uint8Array(OBSERVATION_BYTES);
  return Buffer.from(bytes.subarray(0, writeObservation(bytes, 0, station)));
}

/** The record of a revision; undefined when that revision is a deletion. */
export function recordOf(station: number, revision: number): Buffer | undefined {
  if (isDeletion(station, revision)) return undefined;
  const rest = { samples: 1, firstSeenDay: 0, lastSeenDay: 0, state: STATE_ACTIVE, code: 1, isLearned: false };
  return Buffer.from(stationRecord({ ...fieldsOf(station, revision), ...rest }));
}

/**
 * Judges what a lookup has answered.
 * @param acknowledged revision acknowledged before the lookup began
 * @param begun revision begun when it had ended
 * @returns index into WRONG
 */
export function judge(reader: StationReader, i: number, station: number, acknowledged: number, begun: number): number {
  if (!reader.isKnown(i)) {
    for (let revision = acknowledged; revision <= begun; revision++) if (isDeletion(station, revision)) return 0;
    return 4;
  }
  const revision = revisionOf(reader, i);
  const expected = fieldsOf(station, revision);
  const torn =
    Math.round(reader.longitude(i) * 1e7) !== Math.round(expected.longitude * 1e7) ||
    reader.r50Metres(i) !== expected.r50Metres ||
    reader.r95Metres(i) !== expected.r95Metres ||
    reader.referenceDbm(i) !== expected.referenceDbm ||
    reader.exponent(i) !== expected.exponent;
  if (torn) return 1;
  if (revision < acknowledged) return 2;
  return revision > begun || isDeletion(station, revision) ? 3 : 0;
}

/** The revision that an answer says it is. */
export function revisionOf(reader: StationReader, i: number): number {
  return Math.round(reader.latitude(i) * 1e7);
}

/** Revision 0: nothing was written yet. */
function isDeletion(station: number, revision: number): boolean {
  return revision === 0 || (station + revision) % 4 === 0;
}

function fieldsOf(station: number, revision: number) {
  return {
    latitude: revision / 1e7,
    longitude: ((station * 7_919 + revision * 104_729) % 1_000_000_007) / 1e7,
    r50Metres: ((revision ^ station) & 0x7fff) / 10,
    r95Metres: ((revision * 3 + station) & 0x7fff) / 10,
    referenceDbm: -1 - (revision % 100),
    exponent: (1 + ((revision + station) % 250)) / 10,
  };
}
