// Writes the observation log as JSON lines, one report a line: an item of a submission (version 2), which any service of that family reads, with a member
// `sextant` beside the standard ones. It holds what no submission does and identity and rules need; with it, an import into an empty data folder
// gives the same log and so the same tables. It is honoured only where an operator imports the file (formats/json_lines.ts).
//
// The log is read in slices, each in a transaction of its own that ends before the slice is handed over, so a slow reader keeps no old page alive.

import { isCell, KIND_BLUETOOTH, KIND_CDMA, KIND_WIFI, radioOfKind } from '../radio/kind.ts';
import { formatMac } from '../radio/mac.ts';
import {
  AGE_ABSENT,
  CODE_ABSENT,
  FLAG_NO_AREA,
  FLAG_NO_CELL_ID,
  FLAG_SERVING,
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_CHANNEL,
  OBSERVATION_FLAGS,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
  SIGNAL_ABSENT,
} from '../radio/query/layout.ts';
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
  /** Entries looked at so far, and how many there are. */
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
      yield { text: chosen.map(({ report }) => lineOfReport(report)).join(''), count: chosen.length, done: next - first, total };
    }
  } finally {
    await log.close();
  }
}

/** One report as a line, with its line break. Numbers are written so that they are read again as they are. */
export function lineOfReport(report: Report): string {
  const { contributor, isTrusted: trusted, track, isTimed: timed, observations } = report;
  const view = new DataView(observations.buffer, observations.byteOffset, observations.byteLength);
  const wifiAccessPoints: Entry[] = [];
  const bluetoothBeacons: Entry[] = [];
  const cellTowers: Entry[] = [];
  for (let at = 0; at < observations.length; at += OBSERVATION_BYTES) {
    const kind = observations[at];
    if (kind === KIND_WIFI) wifiAccessPoints.push(accessPointAt(observations, view, at));
    else if (isCell(kind)) cellTowers.push(cellAt(observations, view, at));
    else bluetoothBeacons.push(beaconAt(observations, view, at));
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
    },
    ...(wifiAccessPoints.length > 0 && { wifiAccessPoints }),
    ...(bluetoothBeacons.length > 0 && { bluetoothBeacons }),
    ...(cellTowers.length > 0 && { cellTowers }),
    sextant: { contributor, trusted, track, timed } satisfies ExportedOrigin,
  };
  return `${JSON.stringify(item)}\n`;
}

type Entry = Record<string, unknown>;

function accessPointAt(bytes: Uint8Array, view: DataView, at: number): Entry {
  return {
    macAddress: formatMac(macOfKey(bytes, at)),
    ...heardAt(view, at),
    frequency: unless(view.getUint16(at + OBSERVATION_FREQUENCY, true), 0),
    channel: unless(view.getUint16(at + OBSERVATION_CHANNEL, true), 0),
  };
}

function beaconAt(bytes: Uint8Array, view: DataView, at: number): Entry {
  const identity = bytes[at] === KIND_BLUETOOTH ? { macAddress: formatMac(macOfKey(bytes, at)) } : beaconOfKey(bytes, at);
  return { ...identity, ...heardAt(view, at) };
}

/** An undefined member is left out of the JSON. */
function cellAt(bytes: Uint8Array, view: DataView, at: number): Entry {
  const kind = bytes[at];
  const flags = view.getUint16(at + OBSERVATION_FLAGS, true);
  return {
    radioType: radioOfKind(kind),
    mobileCountryCode: kind === KIND_CDMA ? undefined : mccOfKey(bytes, at),
    mobileNetworkCode: mncOfKey(bytes, at),
    locationAreaCode: flags & FLAG_NO_AREA ? undefined : areaOfKey(bytes, at),
    cellId: flags & FLAG_NO_CELL_ID ? undefined : cellOfKey(bytes, at),
    ...heardAt(view, at),
    primaryScramblingCode: unless(view.getUint16(at + OBSERVATION_FREQUENCY, true), CODE_ABSENT),
    timingAdvance: unless(view.getInt32(at + OBSERVATION_TIMING, true), -1),
    serving: flags & FLAG_SERVING ? 1 : 0,
  };
}

function heardAt(view: DataView, at: number): Entry {
  return {
    signalStrength: unless(view.getInt16(at + OBSERVATION_SIGNAL, true), SIGNAL_ABSENT),
    age: unless(view.getUint32(at + OBSERVATION_AGE, true), AGE_ABSENT),
  };
}

function unless(value: number, absent: number): number | undefined {
  return value === absent ? undefined : value;
}

function stated(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number;
}
