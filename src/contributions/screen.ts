// From a draft to a report: the rules of intake (rules.ts), applied.

import { OBSERVATION_BYTES, REQUEST_BYTES } from '../../wasm/layout.ts';
import { QueryMemory, QueryWriter, queryBytes } from '../radio/query.ts';
import { readCells } from '../radio/read_cells.ts';
import { readAccessPoints, readBeacons } from '../radio/read_stations.ts';
import type { Report } from '../tables/report.ts';
import type { Origin, ReportDraft } from './draft.ts';
import { ENTRIES_MAX, type RuleName } from './rules.ts';
import type { Tally } from './tally.ts';

/** How many entries a draft lists over all kinds: what screening it costs. */
export function countEntries(draft: ReportDraft): number {
  return (draft.wifiAccessPoints?.length ?? 0) + (draft.bluetoothBeacons?.length ?? 0) + (draft.cellTowers?.length ?? 0);
}

/**
 * Applies the rules to a draft. Entries may be any values: what is wrong is counted, nothing is thrown.
 * @returns the report of what is left, or undefined where the whole is refused
 */
export function screenReport(draft: ReportDraft, origin: Origin, tally: Tally): Report | undefined {
  const entries = countEntries(draft);
  tally.countReport(entries);
  const rule: RuleName | undefined = entries > ENTRIES_MAX ? 'too many stations' : undefined;
  if (rule !== undefined) {
    tally.refuse(rule);
    return undefined;
  }
  const writer = new QueryWriter(new QueryMemory(new ArrayBuffer(queryBytes(entries))));
  writer.begin(0);
  let written = readAccessPoints(draft.wifiAccessPoints ?? [], writer) + readBeacons(draft.bluetoothBeacons ?? [], writer);
  readCells(draft.cellTowers ?? [], draft.radioType, writer, REQUEST_BYTES + written * OBSERVATION_BYTES);
  written = (writer.end() - REQUEST_BYTES) / OBSERVATION_BYTES;
  tally.accept(written);
  return {
    timeMs: draft.timeMs ?? origin.receivedMs,
    isTimed: draft.timeMs !== undefined,
    latitude: draft.latitude,
    longitude: draft.longitude,
    accuracyMetres: draft.accuracyMetres ?? Number.NaN,
    positionAgeMs: draft.positionAgeMs ?? Number.NaN,
    altitude: draft.altitude ?? Number.NaN,
    heading: draft.heading ?? Number.NaN,
    speed: draft.speed ?? Number.NaN,
    contributor: origin.contributor,
    isTrusted: origin.isTrusted,
    track: origin.track,
    observations: new Uint8Array(writer.memory.buffer, REQUEST_BYTES, written * OBSERVATION_BYTES),
  };
}
