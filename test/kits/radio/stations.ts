// Keys and records of stations, as the tables hold them.

import { KIND_BEACON, KIND_WIFI } from '../../../src/radio/kind.ts';
import {
  keyBytesOfKind,
  networkNumber,
  writeBeaconKey,
  writeCellKey,
  writeMacKey,
} from '../../../src/radio/station_key.ts';
import type { StationChange } from '../../../src/tables/stations/knowledge.ts';
import { STATION_BYTES } from '../../../src/tables/stations/record_layout.ts';
import { decodeStation, encodeStation, type Station } from '../../../src/tables/stations/station.ts';

/**
 * The address of the nth device of a drawn world: locally administered. The number is spread over all octets, so that
 * no two are addresses of one device.
 */
export function deviceMac(n: number): number {
  return 0x020000000000 + Number((BigInt(n + 1) * 0x9e3779b97fn) % 2n ** 40n);
}

/** Key of an access point, or of a Bluetooth device. */
export function macKey(mac: number, kind = KIND_WIFI): Buffer {
  const key = Buffer.alloc(keyBytesOfKind(kind));
  writeMacKey(key, 0, kind, mac);
  return key;
}

/** Key of an iBeacon. @param uuid 16 bytes */
export function beaconKey(uuid: Uint8Array, major: number, minor: number): Buffer {
  const key = Buffer.alloc(keyBytesOfKind(KIND_BEACON));
  writeBeaconKey(key, 0, uuid, major, minor);
  return key;
}

/** Key of a cell. */
export function cellKey(kind: number, mcc: number, mnc: number, area: number, cell: number): Buffer {
  const key = Buffer.alloc(keyBytesOfKind(kind));
  writeCellKey(key, 0, kind, networkNumber(kind, mcc, mnc), area, cell);
  return key;
}

/** A station's record. */
export function recordOf(station: Station): Uint8Array {
  const record = new Uint8Array(STATION_BYTES);
  encodeStation(new DataView(record.buffer), 0, station);
  return record;
}

/** The station of a record. */
export function stationOf(record: Uint8Array): Station {
  return decodeStation(new DataView(record.buffer, record.byteOffset, record.byteLength), 0);
}

/** The change that puts a station. */
export function putting(key: Uint8Array, station: Station): StationChange {
  return { key, record: recordOf(station) };
}
