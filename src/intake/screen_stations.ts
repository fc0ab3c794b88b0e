// The rules for access points and beacons. The names and ages of entries are checked here. The reader that writes an
// entry checks its address; the reason is determined here only when that reader refuses it.

import { KIND_BEACON } from '../radio/kind.ts';
import { isGroupOrNullMac, parseMac } from '../radio/mac.ts';
import { readAccessPoints, readBeacons } from '../radio/query/read_stations.ts';
import type { QueryWriter } from '../radio/query/writer.ts';
import { numberOf } from '../radio/read_value.ts';
import { isOptedOut } from '../radio/wifi.ts';
import { isMovingHotspot } from './moving_hotspots.ts';
import { READING_AGE_MS_MAX, type RuleName } from './rules.ts';
import type { Tally } from './tally.ts';

const BROADCAST_MAC = 281_474_976_710_655;

/** The members of an access point or a beacon that the rules read. */
interface NamedEntry {
  macAddress?: unknown;
  ssid?: unknown;
  ssidHex?: unknown;
  name?: unknown;
  age?: unknown;
}

/**
 * Writes the access points that pass the rules. `positionAgeMs` is the age of the report's position, relative to the
 * same time as the ages of entries.
 */
export function screenAccessPoints(
  entries: readonly unknown[],
  positionAgeMs: number,
  writer: QueryWriter,
  tally: Tally,
): void {
  const one: unknown[] = [undefined];
  for (const entry of entries) {
    const rule = refuseAccessPoint(entry as NamedEntry | null, positionAgeMs);
    one[0] = entry;
    if (rule !== undefined) tally.refuse(rule);
    else if (readAccessPoints(one, writer) === 0)
      tally.refuse(isGroupAddress(entry as NamedEntry) ? 'group address' : 'unidentified');
  }
}

function refuseAccessPoint(entry: NamedEntry | null, positionAgeMs: number): RuleName | undefined {
  if (typeof entry !== 'object' || entry === null) return 'unidentified';
  const { ssid, ssidHex } = entry;
  // Both names are checked: in the text some clients replace characters that they cannot show.
  if (isOptedOut(ssid, undefined) || isOptedOut(undefined, ssidHex)) return 'opted out';
  if (isMovingHotspot(ssid, ssidHex)) return 'moving hotspot';
  return isApart(entry.age, positionAgeMs) ? 'reading age' : undefined;
}

/**
 * Writes the beacons that pass the rules. Phones and cars announce their names by Bluetooth too. An iBeacon with an
 * address is written under both identities, since some devices hear only the one and some only the other: at most two
 * observations an entry.
 */
export function screenBeacons(
  entries: readonly unknown[],
  positionAgeMs: number,
  writer: QueryWriter,
  tally: Tally,
): void {
  const one: unknown[] = [undefined];
  for (const entry of entries) {
    const rule = refuseBeacon(entry as NamedEntry | null, positionAgeMs);
    one[0] = entry;
    if (rule !== undefined) tally.refuse(rule);
    else if (readBeacons(one, writer) === 0)
      tally.refuse(isNullOrBroadcast(entry as NamedEntry) ? 'group address' : 'unidentified');
    else if (writer.memory.u8[writer.at(writer.observations - 1)] === KIND_BEACON) {
      one[0] = { ...(entry as NamedEntry), uuid: undefined, id1: undefined };
      readBeacons(one, writer);
    }
  }
}

function refuseBeacon(entry: NamedEntry | null, positionAgeMs: number): RuleName | undefined {
  if (typeof entry !== 'object' || entry === null) return 'unidentified';
  if (isOptedOut(entry.name, undefined)) return 'opted out';
  if (isMovingHotspot(entry.name, undefined)) return 'moving hotspot';
  return isApart(entry.age, positionAgeMs) ? 'reading age' : undefined;
}

/**
 * True when a reading and the position of its report lie too far apart in time. Both ages count back from the time of
 * the report; a reading without an age was taken at that time, and a negative age lies after it.
 */
export function isApart(age: unknown, positionAgeMs: number): boolean {
  const ageMs = age === undefined || age === null ? 0 : numberOf(age);
  return Math.abs((Number.isNaN(ageMs) ? 0 : ageMs) - positionAgeMs) > READING_AGE_MS_MAX;
}

function isGroupAddress({ macAddress }: NamedEntry): boolean {
  const mac = typeof macAddress === 'string' ? parseMac(macAddress) : -1;
  return mac >= 0 && isGroupOrNullMac(mac);
}

/** In Bluetooth the lowest bit of the first octet does not mark a group. */
function isNullOrBroadcast({ macAddress }: NamedEntry): boolean {
  const mac = typeof macAddress === 'string' ? parseMac(macAddress) : -1;
  return mac === 0 || mac === BROADCAST_MAC;
}
