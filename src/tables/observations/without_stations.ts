// A report without some of its stations, as if its device had never heard them.

import type { StationSet } from '../../radio/query/station_set.ts';
import { StoredObservations } from '../../radio/query/stored.ts';
import { decodeReport, encodeReport, type PackedReport, type Report, reportIdentity, unpackReports } from './report.ts';
import { packZeros, unpackZeros } from './zero_packing.ts';

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
