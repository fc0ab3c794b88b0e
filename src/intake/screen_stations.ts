// The rules for access points and beacons. The names and ages of entries are checked here. The reader that writes an
// entry checks its address; the reason is determined here only when that reader refuses it.

import { KIND_BEACON } from '../radio/kind.ts';
import { isGroupOrNullMac, parseMac } from '../radio/mac.ts';
import { FLAG_SERVING } from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import { readAccessPoints, readBeacons } from '../radio/query/read_stations.ts';
import { ageAt, copyObservation, flagsAt, setFlags, signalAt } from '../radio/query/reader.ts';
import type { QueryWriter } from '../radio/query/writer.ts';
import { numberOf } from '../radio/read_value.ts';
import { KEY_BYTES_MAX } from '../radio/station_key.ts';
import { isMovingHotspot, isOptedOut } from '../radio/wifi.ts';
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

// Removes repeated stations from a report. Scans repeat stations when clients gather for some seconds or see a cell
// through two interfaces. One reading is kept: the strongest, since it was taken nearest to the station; among equals
// the youngest.

/** Kind byte that marks an observation refused after it was written; no station has it. */
export const KIND_REFUSED = 0;

/**
 * Closes the gaps that refused observations leave, keeps each station once, and counts those kept and those repeated.
 * The order stays.
 * @returns the observations kept, in the same memory
 */
export function keepDistinct(writer: QueryWriter, tally: Tally): Uint8Array {
  const { memory, observations } = writer;
  const slots = new Int32Array(slotsFor(observations));
  let repeated = 0;
  let distinct = 0;
  for (let i = 0; i < observations; i++) {
    const at = writer.at(i);
    if (memory.u8[at] === KIND_REFUSED) continue;
    const slot = findSlot(memory, slots, at);
    const kept = slots[slot];
    if (kept === 0) {
      const next = writer.at(distinct++);
      if (next !== at) copyObservation(memory, next, at);
      slots[slot] = next;
    } else {
      repeated++;
      keepBetter(memory, kept, at);
    }
  }
  if (repeated > 0) tally.refuse('repeated', repeated);
  if (distinct > 0) tally.accept(distinct);
  return new Uint8Array(memory.buffer, writer.at(0), writer.at(distinct) - writer.at(0));
}

/** Power of two, at most half full. */
function slotsFor(observations: number): number {
  return 1 << (33 - Math.clz32(observations));
}

/**
 * Slot of the observation with the same key, or the free one where it belongs. A slot holds the offset of an
 * observation, 0 when free.
 */
function findSlot({ u32 }: QueryMemory, slots: Int32Array, at: number): number {
  const key = at >> 2;
  let hash = 0;
  for (let word = 0; word < KEY_BYTES_MAX / 4; word++) {
    hash = Math.imul(hash ^ u32[key + word], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  let slot = hash & (slots.length - 1);
  while (slots[slot] !== 0 && !isSameKey(u32, slots[slot] >> 2, key)) slot = (slot + 1) & (slots.length - 1);
  return slot;
}

function isSameKey(u32: Uint32Array, a: number, b: number): boolean {
  for (let word = 0; word < KEY_BYTES_MAX / 4; word++) if (u32[a + word] !== u32[b + word]) return false;
  return true;
}

/**
 * Keeps the better of two readings. Absent values lose, as an absent signal is the lowest number and an absent age the
 * highest. Serving in one is serving.
 */
function keepBetter(memory: QueryMemory, kept: number, other: number): void {
  const serving = (flagsAt(memory, kept) | flagsAt(memory, other)) & FLAG_SERVING;
  const stronger = signalAt(memory, other) - signalAt(memory, kept);
  const isYounger = ageAt(memory, other) < ageAt(memory, kept);
  if (stronger > 0 || (stronger === 0 && isYounger)) copyObservation(memory, kept, other);
  setFlags(memory, kept, serving);
}
