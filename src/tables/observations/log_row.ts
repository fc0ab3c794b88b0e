// The rows of the observation log's tables (observation_log.ts): the value of a report, and that of an identity.

import type { StationSet } from '../../radio/query/station_set.ts';
import { StoredObservations } from '../../radio/query/stored.ts';
import { f64, Row, readSequence } from '../environment/row.ts';
import {
  decodeReport,
  encodeReport,
  type PackedReport,
  packZeros,
  type Report,
  reportIdentity,
  unpackReports,
  unpackZeros,
} from './report.ts';

const HOUR_MS = 3_600_000;
/** Time in which a report without a time of its own counts once. */
const UNTIMED_MS = 24 * HOUR_MS;

// The head of a report's value.
/** Byte at which it has its time of arrival, f64. */
export const RECEIVED = 0;
/** Byte at which a report's value has its identity, 16 bytes. */
const HEAD_IDENTITY = 8;
/** Bytes in front of the record in a report's value: time of arrival and identity. */
export const HEAD_BYTES = 24;

const IDENTITY_ROW = new Row({ sequence: f64, receivedMs: f64 });

/** A report in the log. */
export interface LoggedReport {
  /** From 1, without gaps but for those that retention leaves at the start. */
  sequence: number;
  /** Time of arrival, milliseconds since 1970. */
  receivedMs: number;
  report: Report;
}

/**
 * True for a report that the log holds already.
 * @param known row of its identity; undefined where there is none
 */
export function isRepeated(known: Buffer | undefined, isTimed: boolean, receivedMs: number): boolean {
  return known !== undefined && (isTimed || receivedMs - decodeIdentity(known).receivedMs < UNTIMED_MS);
}

/** The identity in a report's value, or in the head of one. */
export function identityOf(value: Buffer): Buffer {
  return value.subarray(HEAD_IDENTITY, HEAD_BYTES);
}

/** Encodes the row of an identity. */
export function identityRow(sequence: number, receivedMs: number): Buffer {
  return IDENTITY_ROW.encode({ sequence, receivedMs });
}

/** Decodes the row of an identity. @throws Error when it is damaged */
export function decodeIdentity(row: Buffer): { sequence: number; receivedMs: number } {
  const { sequence, receivedMs } = IDENTITY_ROW.decode(row, 'The row of an identity');
  if (!(Number.isSafeInteger(sequence) && sequence > 0))
    throw new Error(`The row of an identity is damaged: the number ${sequence} of its report is none.`);
  if (!Number.isFinite(receivedMs)) throw new Error('The row of an identity is damaged: it has no time of arrival.');
  return { sequence, receivedMs };
}

/** Decodes the value of a report. @throws Error when it is damaged */
export function decodeReportValue(value: Buffer): Omit<LoggedReport, 'sequence'> {
  if (value.length <= HEAD_BYTES) throw new Error(`The record of a report is damaged: it has ${value.length} bytes.`);
  const receivedMs = value.readDoubleLE(RECEIVED);
  if (!Number.isFinite(receivedMs)) throw new Error('The record of a report is damaged: it has no time of arrival.');
  return { receivedMs, report: decodeReport(unpackZeros(value.subarray(HEAD_BYTES))) };
}

/** Decodes the row of a report. @throws Error naming the report when it is damaged */
export function readRow(key: Buffer, value: Buffer): LoggedReport {
  const sequence = readSequence(key);
  try {
    return { sequence, ...decodeReportValue(value) };
  } catch (error) {
    throw new Error(
      `The observation log is damaged at report ${sequence}: ${(error as Error).message} Restore it from a backup.`,
      { cause: error },
    );
  }
}

/** Encodes the value of a report. */
export function reportValue({ identity, record }: PackedReport, receivedMs: number): Buffer {
  const value = Buffer.allocUnsafe(HEAD_BYTES + record.length);
  value.writeDoubleLE(receivedMs, RECEIVED);
  value.set(identity, HEAD_IDENTITY);
  value.set(record, HEAD_BYTES);
  return value;
}

// A report without some of its stations, as if its device had never heard them.

/** @returns the report itself if it names none of the stations; else another, which may be left without any station */
export function withoutStations(report: Report, stations: StationSet): Report {
  if (stations.size === 0) return report;
  const stored = new StoredObservations(report.observations);
  const kept: Uint8Array[] = [];
  for (let i = 0; i < stored.count; i++) {
    if (!stations.hasObserved(stored, i)) kept.push(report.observations.subarray(stored.at(i), stored.at(i + 1)));
  }
  return kept.length === stored.count ? report : { ...report, observations: Buffer.concat(kept) };
}

/**
 * Packed reports without some stations. Those that have no other go. @returns them, and how many observations were
 * taken out
 */
export function unpackWithout(packed: Uint8Array, stations: StationSet): { batch: PackedReport[]; removed: number } {
  const all = [...unpackReports(packed)];
  if (stations.size === 0) return { batch: all, removed: 0 };
  let removed = 0;
  const batch = all.flatMap(each => {
    const report = decodeReport(unpackZeros(each.record));
    const rest = withoutStations(report, stations);
    if (rest === report) return [each];
    const left = new StoredObservations(rest.observations).count;
    removed += new StoredObservations(report.observations).count - left;
    return left === 0 ? [] : [packReport(rest)];
  });
  return { batch, removed };
}

/** A report as the log takes it. */
export function packReport(report: Report): PackedReport {
  return {
    identity: reportIdentity(report),
    isTimed: report.isTimed,
    hasFloor: !Number.isNaN(report.floor),
    contributor: report.contributor,
    record: packZeros(encodeReport(report)),
  };
}
