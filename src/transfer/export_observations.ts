// Writes the observation log as JSON lines, one report a line. Each line is an item of a submission (version 2), which
// any service of that family reads, with an additional member `sextant`. It holds what identities and rules need and no
// submission has, so an import into an empty data folder gives the same log and the same tables. It is honoured only
// when an operator imports the file (formats/json_lines.ts).
//
// The log is read in slices, each in its own transaction, which ends before the slice is handed over, so a slow reader
// keeps no old page alive.

import { isCell, KIND_BLUETOOTH, KIND_CDMA, KIND_WIFI, radioOfKind } from '../radio/kind.ts';
import { formatMac } from '../radio/mac.ts';
import {
  AGE_ABSENT,
  CODE_ABSENT,
  FLAG_NO_AREA,
  FLAG_NO_CELL_ID,
  FLAG_SERVING,
  SIGNAL_ABSENT,
} from '../radio/query/layout.ts';
import { StoredObservations } from '../radio/query/stored.ts';
import { areaOfKey, beaconOfKey, cellOfKey, macOfKey, mccOfKey, mncOfKey } from '../radio/station_key.ts';
import { ObservationLog } from '../tables/observations/observation_log.ts';
import type { Report } from '../tables/observations/report.ts';
import type { ExportedOrigin } from './formats/found_draft.ts';

const SLICE_REPORTS = 500;

/** Some lines of an export. */
export interface ExportedLines {
  text: string;
  /** Entries in `text`. */
  count: number;
  /** Entries read so far, and their total. */
  done: number;
  total: number;
}

/**
 * The reports of the log in the order of arrival.
 * @param folder data folder that has a log; whoever owns it may go on writing
 * @param sinceMs leaves out what arrived before, milliseconds since 1970
 * @throws Error when the log is damaged
 */
export async function* exportObservations(folder: string, sinceMs: number): AsyncGenerator<ExportedLines> {
  const log = new ObservationLog(folder, 'commit');
  try {
    const first = log.firstSequence;
    const total = log.lastSequence - first + 1;
    for (let next = first; next < first + total; ) {
      const slice = log.read(next, SLICE_REPORTS).filter(({ sequence }) => sequence < first + total);
      if (slice.length === 0) break;
      next = slice[slice.length - 1].sequence + 1;
      const chosen = slice.filter(({ receivedMs }) => receivedMs >= sinceMs);
      yield {
        text: chosen.map(({ report }) => lineOfReport(report)).join(''),
        count: chosen.length,
        done: next - first,
        total,
      };
    }
  } finally {
    await log.close();
  }
}

/** One report as a line, with its line break. Numbers are written so that reading them gives the same values. */
export function lineOfReport(report: Report): string {
  const { contributor, isTrusted: trusted, track, isTimed: timed } = report;
  const observations = new StoredObservations(report.observations);
  const wifiAccessPoints: Entry[] = [];
  const bluetoothBeacons: Entry[] = [];
  const cellTowers: Entry[] = [];
  for (let i = 0; i < observations.count; i++) {
    const kind = observations.kind(i);
    if (kind === KIND_WIFI) wifiAccessPoints.push(accessPoint(observations, i));
    else if (isCell(kind)) cellTowers.push(cell(observations, i));
    else bluetoothBeacons.push(beacon(observations, i));
  }
  const item = {
    timestamp: report.timeMs,
    position: {
      latitude: report.latitude,
      longitude: report.longitude,
      accuracy: stated(report.accuracyMetres),
      age: stated(report.positionAgeMs),
      altitude: stated(report.altitude),
      heading: stated(report.heading),
      speed: stated(report.speed),
      floor: stated(report.floor),
    },
    ...(wifiAccessPoints.length > 0 && { wifiAccessPoints }),
    ...(bluetoothBeacons.length > 0 && { bluetoothBeacons }),
    ...(cellTowers.length > 0 && { cellTowers }),
    sextant: { contributor, trusted, track, timed } satisfies ExportedOrigin,
  };
  return `${JSON.stringify(item)}\n`;
}

type Entry = Record<string, unknown>;

function accessPoint(observations: StoredObservations, i: number): Entry {
  return {
    macAddress: formatMac(macOfKey(observations.bytes, observations.at(i))),
    ...heard(observations, i),
    frequency: unless(observations.frequencyMhz(i), 0),
    channel: unless(observations.channel(i), 0),
  };
}

function beacon(observations: StoredObservations, i: number): Entry {
  const { bytes } = observations;
  const at = observations.at(i);
  const identity =
    observations.kind(i) === KIND_BLUETOOTH ? { macAddress: formatMac(macOfKey(bytes, at)) } : beaconOfKey(bytes, at);
  return { ...identity, ...heard(observations, i) };
}

/** An undefined member is left out of the JSON. */
function cell(observations: StoredObservations, i: number): Entry {
  const { bytes } = observations;
  const at = observations.at(i);
  const kind = observations.kind(i);
  const flags = observations.flags(i);
  return {
    radioType: radioOfKind(kind),
    mobileCountryCode: kind === KIND_CDMA ? undefined : mccOfKey(bytes, at),
    mobileNetworkCode: mncOfKey(bytes, at),
    locationAreaCode: flags & FLAG_NO_AREA ? undefined : areaOfKey(bytes, at),
    cellId: flags & FLAG_NO_CELL_ID ? undefined : cellOfKey(bytes, at),
    ...heard(observations, i),
    primaryScramblingCode: unless(observations.code(i), CODE_ABSENT),
    timingAdvance: unless(observations.timing(i), -1),
    serving: flags & FLAG_SERVING ? 1 : 0,
  };
}

function heard(observations: StoredObservations, i: number): Entry {
  return {
    signalStrength: unless(observations.signalDbm(i), SIGNAL_ABSENT),
    age: unless(observations.ageMs(i), AGE_ABSENT),
  };
}

function unless(value: number, absent: number): number | undefined {
  return value === absent ? undefined : value;
}

function stated(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number;
}
