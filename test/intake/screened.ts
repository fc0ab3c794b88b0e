// Drafts to screen, and what is left of them.

import { expect } from 'vitest';
import type { Origin, ReportDraft } from '../../src/intake/draft.ts';
import { screenReport } from '../../src/intake/screen.ts';
import { Tally } from '../../src/intake/tally.ts';
import { OBSERVATION_BYTES } from '../../src/radio/query/layout.ts';
import { describeKey } from '../../src/radio/station_key.ts';

export const NOW = Date.UTC(2026, 10, 21);
export const DAY = 86_400_000;
export const ORIGIN: Origin = { contributor: 7, isTrusted: true, track: 42, receivedMs: NOW };

export const WIFI = { macAddress: '88:f7:c7:52:54:c6', ssid: 'Home', signalStrength: -60 };
export const OTHER_WIFI = { macAddress: '88:f7:c7:52:54:c7', signalStrength: -70 };
export const BEACON = { macAddress: '00:a0:50:00:00:01', signalStrength: -70 };
export const CELL = {
  radioType: 'lte',
  mobileCountryCode: 262,
  mobileNetworkCode: 1,
  locationAreaCode: 5126,
  cellId: 26_385_408,
};
/** In Darmstadt. */
export const POSITION = { timeMs: NOW - 1000, latitude: 49.8728, longitude: 8.6512, accuracyMetres: 10 };

export function screen(draft: Partial<ReportDraft>) {
  const tally = new Tally();
  const report = screenReport({ ...POSITION, ...draft }, ORIGIN, tally);
  const { refusedByRule, ...counts } = tally.toJSON();
  return { report, counts, rules: refusedByRule, stations: stationsOf(report?.observations) };
}

export function stationsOf(observations: Uint8Array = new Uint8Array()): string[] {
  return Array.from({ length: observations.length / OBSERVATION_BYTES }, (_, i) =>
    describeKey(observations, i * OBSERVATION_BYTES),
  );
}

/** One 16-bit value of each observation. */
export function values(observations: Uint8Array, field: number): number[] {
  const view = new DataView(observations.buffer, observations.byteOffset, observations.length);
  return Array.from({ length: observations.length / OBSERVATION_BYTES }, (_, i) =>
    view.getInt16(i * OBSERVATION_BYTES + field, true),
  );
}

/** The rule that refuses one entry, among good ones. */
export function ruleOfEntry(
  kind: 'wifiAccessPoints' | 'bluetoothBeacons' | 'cellTowers',
  entry: unknown,
  draft: Partial<ReportDraft> = {},
) {
  const good = { wifiAccessPoints: [OTHER_WIFI] };
  const { rules, counts } = screen({
    ...good,
    [kind]: [...(kind === 'wifiAccessPoints' ? [OTHER_WIFI] : []), entry],
    ...draft,
  });
  expect(counts).toMatchObject({
    accepted: 1,
    observations: 2,
    acceptedObservations: Object.keys(rules).length === 0 ? 2 : 1,
  });
  return Object.keys(rules)[0];
}
