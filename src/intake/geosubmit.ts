// Reads items of the Mozilla submission formats as drafts. Three dialects are in use, and clients send any of them to
// any address, so one reader takes all and tells them apart item by item:
//
//   geosubmit v2 {timestamp, position: {latitude, longitude, accuracy, age, ...}, wifiAccessPoints, bluetoothBeacons,
//   cellTowers}
//   geosubmit v1   the same, the members of `position` flat in the item
//   submit v1 {lat, lon, accuracy, altitude, time, radio, wifi: [{key, signal, ...}], blue: [{key, ...}], cell: [{mcc,
//   mnc, lac, cid, ...}]}
//
// Nothing in an item is an error here. A value that cannot be read counts as not sent. An item without a position
// becomes a draft without one, which the rules then refuse and count.

import { numberOf, readTime } from '../radio/read_value.ts';
import type { ReportDraft } from './draft.ts';

type Members = { readonly [member: string]: unknown };

const NOTHING: Members = {};

/**
 * Reads one item of any dialect. Times are milliseconds or dates, ages milliseconds, accuracy metres, speed m/s; all
 * may be fractions.
 * @param item any JSON value
 * @returns a draft; its latitude and longitude are NaN when the item states none
 */
export function readItem(item: unknown): ReportDraft {
  const members = membersOf(item);
  const position = isAbsent(members.position) ? members : membersOf(members.position);
  const draft: ReportDraft = {
    latitude: numberOf(position.latitude ?? position.lat),
    longitude: numberOf(position.longitude ?? position.lon),
  };
  if (typeof position.source === 'string') draft.source = position.source;
  setNumber(draft, 'timeMs', readTime(members.timestamp ?? members.time));
  setNumber(draft, 'accuracyMetres', numberOf(position.accuracy));
  setNumber(draft, 'positionAgeMs', numberOf(position.age));
  setNumber(draft, 'altitude', numberOf(position.altitude));
  setNumber(draft, 'heading', numberOf(position.heading));
  setNumber(draft, 'speed', numberOf(position.speed));
  setNumber(draft, 'floor', numberOf(position.floor));
  setList(draft, 'wifiAccessPoints', members.wifiAccessPoints, members.wifi, accessPointOf);
  setList(draft, 'bluetoothBeacons', members.bluetoothBeacons, members.blue, beaconOf);
  setList(draft, 'cellTowers', members.cellTowers, members.cell, cellOf);
  const radioType = members.radioType ?? members.radio;
  if (!isAbsent(radioType)) draft.radioType = radioType;
  return draft;
}

/** Sets a number, unless it was not stated. */
function setNumber(
  draft: ReportDraft,
  member: 'timeMs' | 'accuracyMetres' | 'positionAgeMs' | 'altitude' | 'heading' | 'speed' | 'floor',
  number: number,
): void {
  if (!Number.isNaN(number)) draft[member] = number;
}

/** Sets a list from its newer name, or translates it from its older one. */
function setList(
  draft: ReportDraft,
  member: 'wifiAccessPoints' | 'bluetoothBeacons' | 'cellTowers',
  newer: unknown,
  older: unknown,
  translate: (entry: Members) => Members,
): void {
  if (Array.isArray(newer)) draft[member] = newer;
  else if (Array.isArray(older)) draft[member] = older.map(entry => translate(membersOf(entry)));
}

function accessPointOf({ key, ssid, ssidHex, signal, frequency, channel, age }: Members): Members {
  return { macAddress: key, ssid, ssidHex, signalStrength: signal, frequency, channel, age };
}

function beaconOf({ key, signal, age }: Members): Members {
  return { macAddress: key, signalStrength: signal, age };
}

function cellOf({ radio, mcc, mnc, lac, cid, psc, signal, ta, serving, age }: Members): Members {
  return {
    radioType: radio,
    mobileCountryCode: mcc,
    mobileNetworkCode: mnc,
    locationAreaCode: lac,
    cellId: cid,
    primaryScramblingCode: psc,
    signalStrength: signal,
    timingAdvance: ta,
    serving,
    age,
  };
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : NOTHING;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
