// The names under which operators type and read stations:
//
//   02:00:5e:00:00:d3                              an access point, and a Bluetooth device with the same address
//   e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/7       an iBeacon: UUID, major, minor
//   lte-206-1-2124-102764173                       a cell: radio type, country, network, area, cell id
//   lte-206-1--102764173                           the same where nobody has reported its area
//   cdma-4139-12-27                                a cell of cdma: system, network, base station

import { NETWORK_NONE } from '../../wasm/range_constants.ts';
import {
  isCell,
  KIND_BEACON,
  KIND_BLUETOOTH,
  KIND_CDMA,
  KIND_GSM,
  KIND_WIFI,
  RADIO_TYPES,
  radioOfKind,
} from './kind.ts';
import { formatMac, isGroupOrNullMac, parseMac, parseUuid } from './mac.ts';
import { type CellRanges, cellRangesOfKind, isIn } from './ranges.ts';
import {
  areaOfKey,
  beaconOfKey,
  cellOfKey,
  KEY_BYTES_CELL,
  keyBytesOfKind,
  keyWithoutArea,
  macOfKey,
  mccOfKey,
  mncOfKey,
  networkNumber,
  writeBeaconKey,
  writeCellKey,
  writeMacKey,
} from './station_key.ts';
import { AREA_NONE, isAreaUnknown, isKnownByIdAlone } from './unknown_cell.ts';

const PORT_MAX = 65_535;
const FORMS = 'write a MAC address, UUID/MAJOR/MINOR, or a cell such as lte-206-1-2124-102764173';

/**
 * Reads the name of a station.
 * @returns the keys that it may have, cut to their length: of an address those of an access point and of a Bluetooth
 *   device, of a cell also the one under which it is learned where it is reported without its area
 * @throws Error whose message says what is wrong
 */
export function parseStation(name: string): Buffer[] {
  if (name.includes('/')) return [beaconKey(name)];
  const radio = RADIO_TYPES.findIndex(type => name.startsWith(`${type}-`));
  if (radio >= 0) return cellKeys(name, KIND_GSM + radio);
  const mac = parseMac(name);
  if (mac < 0) throw new Error(`"${name}" names no station: ${FORMS}.`);
  if (isGroupOrNullMac(mac)) throw new Error(`No station sends from the address ${name}.`);
  return [KIND_WIFI, KIND_BLUETOOTH].map(kind => {
    const key = Buffer.alloc(8);
    writeMacKey(key, 0, kind, mac);
    return key.subarray(0, keyBytesOfKind(kind));
  });
}

function beaconKey(name: string): Buffer {
  const [uuid, ...numbers] = name.split('/');
  const id = new Uint8Array(16);
  const [major, minor] = numbers.map(wholeNumber);
  const isBeacon = numbers.length === 2 && major <= PORT_MAX && minor <= PORT_MAX && parseUuid(uuid, id);
  if (!isBeacon)
    throw new Error(`"${name}" names no beacon: write UUID/MAJOR/MINOR, the numbers from 0 to ${PORT_MAX}.`);
  const key = Buffer.alloc(24);
  writeBeaconKey(key, 0, id, major, minor);
  return key.subarray(0, keyBytesOfKind(KIND_BEACON));
}

function cellKeys(name: string, kind: number): Buffer[] {
  const parts = name.split('-').slice(1);
  const isCdma = kind === KIND_CDMA;
  const [mcc, mnc, area, cell] = (isCdma ? ['0', ...parts] : parts).map(part =>
    part === '' ? Number.NaN : wholeNumber(part),
  );
  if (parts.length !== (isCdma ? 3 : 4)) {
    const members = isCdma ? 'cdma-SYSTEM-NETWORK-STATION' : `${radioOfKind(kind)}-COUNTRY-NETWORK-AREA-CELL`;
    throw new Error(`"${name}" names no cell: write ${members}.`);
  }
  const ranges = cellRangesOfKind(kind);
  requireIn(name, 'country', mcc, isCdma ? undefined : ranges.mobileCountryCode);
  requireIn(name, 'network', mnc, ranges.mobileNetworkCode);
  requireIn(name, 'cell id', cell, ranges.cellId);
  const isWithoutArea = isKnownByIdAlone(kind) && (Number.isNaN(area) || isAreaUnknown(kind, area));
  if (!isWithoutArea) requireIn(name, 'area', area, ranges.locationAreaCode);
  const key = Buffer.alloc(KEY_BYTES_CELL);
  writeCellKey(key, 0, kind, networkNumber(kind, mcc, mnc), isWithoutArea ? AREA_NONE : area, cell);
  return isWithoutArea || !isKnownByIdAlone(kind) ? [key] : [key, keyWithoutArea(key, 0)];
}

function requireIn(name: string, member: string, value: number, range: CellRanges[keyof CellRanges] | undefined): void {
  if (range === undefined || isIn(value, range)) return;
  throw new Error(`"${name}" names no cell: its ${member} is not from ${range.min} to ${range.max}.`);
}

function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** The name of the station of a key. */
export function formatStation(key: Uint8Array): string {
  const kind = key[0];
  if (kind === KIND_BEACON) {
    const { uuid, major, minor } = beaconOfKey(key, 0);
    return `${uuid}/${major}/${minor}`;
  }
  if (!isCell(kind)) return formatMac(macOfKey(key, 0));
  const area = areaOfKey(key, 0);
  const country = kind === KIND_CDMA ? [] : [mccOfKey(key, 0)];
  const network = mncOfKey(key, 0);
  const isNetworkKnown = kind === KIND_CDMA || network !== NETWORK_NONE;
  return [
    radioOfKind(kind),
    ...country,
    isNetworkKnown ? network : '',
    area === AREA_NONE ? '' : area,
    cellOfKey(key, 0),
  ].join('-');
}
