// Reads the access points and beacons of a body and writes them as observations. An entry without an identity is
// skipped. An invalid value of a valid entry is dropped.

import { isGroupOrNullMac, parseMac, parseUuid, radioOfMac } from '../mac.ts';
import { AGE_MS, BLUETOOTH_RANGES, WIFI_RANGES } from '../ranges.ts';
import { roundedIn, wholeIn } from '../read_value.ts';
import { macOfKey } from '../station_key.ts';
import { isMovingHotspot, isOptedOut } from '../wifi.ts';
import { ADDRESS_ABSENT, AGE_ABSENT, OBSERVATION_BYTES, SIGNAL_ABSENT } from './layout.ts';
import type { LeftOut, LeftOutReason } from './left_out.ts';
import type { Sent } from './members.ts';
import type { QueryMemory } from './memory.ts';
import type { QueryWriter } from './writer.ts';

/**
 * Writes the access points that may be used: those with a valid address that have not opted out and do not travel.
 * @param leftOut where the others are noted
 * @returns the number written
 */
export function readAccessPoints(entries: readonly unknown[], writer: QueryWriter, leftOut?: LeftOut[]): number {
  const list = 'wifiAccessPoints';
  let written = 0;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as Sent<'accessPoint'> | null;
    if (typeof entry !== 'object' || entry === null) {
      leftOut?.push({ list, entry: i, why: 'noObject' });
      continue;
    }
    const address = entry.macAddress;
    const mac = typeof address === 'string' ? parseMac(address) : -1;
    const why = whyLeftOut(mac, entry);
    if (why !== undefined) {
      leftOut?.push({ list, entry: i, why });
      continue;
    }
    writer.addWifi(
      mac,
      roundedIn(entry.signalStrength, WIFI_RANGES.signalStrength, SIGNAL_ABSENT),
      roundedIn(entry.frequency, WIFI_RANGES.frequency, 0),
      roundedIn(entry.age, AGE_MS, AGE_ABSENT),
      roundedIn(entry.channel, WIFI_RANGES.channel, 0),
    );
    written++;
  }
  return written;
}

function whyLeftOut(mac: number, { ssid, ssidHex }: Sent<'accessPoint'>): LeftOutReason | undefined {
  if (mac < 0) return 'noAddress';
  if (isGroupOrNullMac(mac)) return 'groupAddress';
  if (isOptedOut(ssid, ssidHex)) return 'optedOut';
  return isMovingHotspot(ssid, ssidHex) ? 'movingHotspot' : undefined;
}

/** Up to this number, comparing all pairs is faster than sorting. */
const FEW = 32;

/**
 * Number of different radios among access points: addresses that share their last five octets are virtual networks of
 * one radio.
 * @param offset of the first access point's observation
 */
export function countRadios(memory: QueryMemory, offset: number, accessPoints: number): number {
  const { u16, u32 } = memory;
  if (accessPoints > FEW) return countSorted(sortedRadios(memory.u8, offset, accessPoints));
  let different = 0;
  const end = offset + accessPoints * OBSERVATION_BYTES;
  for (let at = offset; at < end; at += OBSERVATION_BYTES) {
    // A key is the kind, then six octets. The last five are bytes 2 and 3 and the word after them.
    const high = u16[(at + 2) >> 1];
    const low = u32[(at + 4) >> 2];
    let earlier = offset;
    while (earlier < at && (u32[(earlier + 4) >> 2] !== low || u16[(earlier + 2) >> 1] !== high))
      earlier += OBSERVATION_BYTES;
    if (earlier === at) different++;
  }
  return different;
}

function sortedRadios(u8: Uint8Array, offset: number, accessPoints: number): Float64Array {
  const radios = new Float64Array(accessPoints);
  for (let i = 0; i < accessPoints; i++) radios[i] = radioOfMac(macOfKey(u8, offset + i * OBSERVATION_BYTES));
  return radios.sort();
}

function countSorted(sorted: Float64Array): number {
  let different = 1;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] !== sorted[i - 1]) different++;
  return different;
}

/** Type code of iBeacons where `id1`, `id2`, `id3` stand for uuid, major and minor. */
const TYPE_IBEACON = 533;
const BROADCAST_MAC = 281_474_976_710_655;

/**
 * Writes the beacons. Uuid, major and minor identify an iBeacon even if an address is sent too, since they stay the
 * same when the device is replaced, and phones hide addresses. The address is kept beside them, because there are
 * iBeacons as they left the factory, all with the same three. In Bluetooth addresses the lowest bit of the first octet
 * may be set: it does not mark a group.
 * @param leftOut where those without an identity are noted
 * @returns the number written
 */
export function readBeacons(entries: readonly unknown[], writer: QueryWriter, leftOut?: LeftOut[]): number {
  const list = 'bluetoothBeacons';
  const uuid = new Uint8Array(16);
  let written = 0;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as Sent<'beacon'> | null;
    if (typeof entry !== 'object' || entry === null) {
      leftOut?.push({ list, entry: i, why: 'noObject' });
      continue;
    }
    const signalDbm = roundedIn(entry.signalStrength, BLUETOOTH_RANGES.signalStrength, SIGNAL_ABSENT);
    const ageMs = roundedIn(entry.age, AGE_MS, AGE_ABSENT);
    const isNumbered = entry.uuid === undefined && entry.id1 !== undefined && isIBeacon(entry.beaconType);
    const identity = isNumbered ? entry.id1 : entry.uuid;
    const major = wholeIn(isNumbered ? entry.id2 : entry.major, BLUETOOTH_RANGES.major, -1);
    const minor = wholeIn(isNumbered ? entry.id3 : entry.minor, BLUETOOTH_RANGES.minor, -1);
    if (typeof identity === 'string' && major >= 0 && minor >= 0 && parseUuid(identity, uuid)) {
      writer.addBeacon(uuid, major, minor, signalDbm, ageMs, addressOf(entry) || ADDRESS_ABSENT);
      written++;
    } else {
      const mac = addressOf(entry);
      if (mac === 0) {
        leftOut?.push({ list, entry: i, why: 'noIdentity' });
        continue;
      }
      writer.addBluetooth(mac, signalDbm, ageMs);
      written++;
    }
  }
  return written;
}

/** The address of an entry; 0 where it has none that can be. */
function addressOf({ macAddress }: Sent<'beacon'>): number {
  const mac = typeof macAddress === 'string' ? parseMac(macAddress) : 0;
  return mac === BROADCAST_MAC ? 0 : Math.max(0, mac);
}

function isIBeacon(type: unknown): boolean {
  return type === undefined || type === null || type === TYPE_IBEACON || type === `${TYPE_IBEACON}`;
}
