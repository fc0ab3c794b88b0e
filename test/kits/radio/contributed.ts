// A measurement as clients send it, and what becomes of it in the observation log.

import { expect } from 'vitest';
import { OBSERVATION_BYTES } from '../../../src/radio/query/layout.ts';
import { describeKey } from '../../../src/radio/station_key.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import type { Answer } from '../service_process.ts';

export const timestamp = Date.now() - 3_600_000;
export const position = {
  latitude: 49.87,
  longitude: 8.65,
  accuracy: 4.3,
  age: 1200,
  altitude: 140.5,
  heading: 15.6,
  speed: 3.4,
};
export const wifiAccessPoints = [
  { macAddress: '00:14:bf:aa:bb:01', signalStrength: -60, channel: 11, age: 900 },
  { macAddress: '00:14:bf:aa:bb:02', signalStrength: -67, frequency: 5180 },
];
const lte = {
  radioType: 'lte',
  mobileCountryCode: 262,
  mobileNetworkCode: 1,
  locationAreaCode: 5001,
  cellId: 26_000_001,
};
export const cellTowers = [{ ...lte, signalStrength: -99 }];
export const item = { timestamp, position, wifiAccessPoints, cellTowers };
/** The item at another moment. */
export const itemAt = (seconds: number) => ({ ...item, timestamp: timestamp + seconds * 1000 });

/** Stations of a report, in words. */
export function heardIn({ observations }: Report): string[] {
  return Array.from({ length: observations.length / OBSERVATION_BYTES }, (_, i) =>
    describeKey(observations, i * OBSERVATION_BYTES).toLowerCase(),
  ).sort();
}

/** Expects the answer that says that all is stored. */
export function expectStored({ status, text }: Answer, route = '/v2/geosubmit'): void {
  expect([status, text]).toEqual(route === '/v1/submit' ? [204, ''] : [200, '{}']);
}
