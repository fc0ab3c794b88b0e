// Station keys: bytes that LMDB orders and the cache hashes. A key begins with the kind of the station. Numbers are
// big-endian, so that neighbouring identities are neighbours on disk. Cells are ordered by network, cell id, then area:
// all areas of a cell id, all sectors of an eNodeB and all cells of an RNC are each one short range. CDMA system ids
// are unique worldwide, so their keys have no country code.

import { isCell, KIND_BEACON, KIND_BLUETOOTH, KIND_CDMA, KIND_WIFI } from './kind.ts';
import { formatMac } from './mac.ts';
import { AREA_NONE, isUnknownCell } from './unknown_cell.ts';

// A key is zero-padded to whole 32-bit words in memory and cut to its length in LMDB.
export const KEY_BYTES_MAX = 24;
export const KEY_BYTES_MAC = 7; // kind, 6 octets
export const KEY_BYTES_BEACON = 21; // kind, uuid 16, major 2, minor 2
export const KEY_BYTES_CELL = 12; // kind, network 3, cell id 5, area 3
export const KEY_BYTES_CELL_ID = 9; // of these, all but the area

/** Radio numbers of access points, of 40 bits, end below. */
const FIRST_BLUETOOTH = 2 ** 48;

/** Bytes of a key in LMDB. */
export function keyBytesOfKind(kind: number): number {
  if (kind === KIND_WIFI || kind === KIND_BLUETOOTH) return KEY_BYTES_MAC;
  return kind === KIND_BEACON ? KEY_BYTES_BEACON : KEY_BYTES_CELL;
}

/** Bytes of a key in memory: its length rounded up to whole 32-bit words. */
export function paddedKeyBytes(kind: number): number {
  return (keyBytesOfKind(kind) + 3) & ~3;
}

/** Writes the key of an access point or a beacon; `mac` is 0..2^48-1. Writes eight bytes. */
export function writeMacKey(bytes: Uint8Array, offset: number, kind: number, mac: number): void {
  const high = Math.floor(mac / 16777216);
  bytes[offset] = kind;
  bytes[offset + 1] = high >>> 16;
  bytes[offset + 2] = high >>> 8;
  bytes[offset + 3] = high;
  bytes[offset + 4] = mac / 65536;
  bytes[offset + 5] = mac / 256;
  bytes[offset + 6] = mac;
  bytes[offset + 7] = 0;
}

/** Writes the key of an iBeacon: uuid as 16 bytes, major and minor 0..65535. Writes twenty-four bytes. */
export function writeBeaconKey(
  bytes: Uint8Array,
  offset: number,
  uuid: Uint8Array,
  major: number,
  minor: number,
): void {
  bytes[offset] = KIND_BEACON;
  bytes.set(uuid, offset + 1);
  bytes[offset + 17] = major >>> 8;
  bytes[offset + 18] = major;
  bytes[offset + 19] = minor >>> 8;
  bytes[offset + 20] = minor;
  bytes[offset + 21] = 0;
  bytes[offset + 22] = 0;
  bytes[offset + 23] = 0;
}

/**
 * The number of a network in the keys of its cells.
 * @param mcc 0..999; ignored for cdma
 * @param mnc 0..999; cdma: system id 0..32767
 */
export function networkNumber(kind: number, mcc: number, mnc: number): number {
  return kind === KIND_CDMA ? mnc : (mcc << 10) | mnc;
}

/**
 * Writes the key of a cell, twelve bytes.
 * @param network as `networkNumber` makes it
 * @param area LAC, TAC or network id, 0..16777215
 * @param cell cell id, 0..2^36-1
 */
export function writeCellKey(
  bytes: Uint8Array,
  offset: number,
  kind: number,
  network: number,
  area: number,
  cell: number,
): void {
  const cellHigh = Math.floor(cell / 4294967296);
  bytes[offset] = kind;
  bytes[offset + 1] = network >>> 16;
  bytes[offset + 2] = network >>> 8;
  bytes[offset + 3] = network;
  bytes[offset + 4] = cellHigh;
  bytes[offset + 5] = cell / 16777216;
  bytes[offset + 6] = cell / 65536;
  bytes[offset + 7] = cell / 256;
  bytes[offset + 8] = cell;
  bytes[offset + 9] = area >>> 16;
  bytes[offset + 10] = area >>> 8;
  bytes[offset + 11] = area;
}

/** Address in the key of an access point or a Bluetooth device. */
export function macOfKey(bytes: Uint8Array, offset: number): number {
  const high = (bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3];
  const low = (bytes[offset + 4] << 16) | (bytes[offset + 5] << 8) | bytes[offset + 6];
  return high * 16777216 + low;
}

/** The last five octets of the address in a key, which all networks of one radio share. */
export function radioOfKey(bytes: Uint8Array, offset: number): number {
  return (
    (bytes[offset + 2] * 65536 + bytes[offset + 3] * 256 + bytes[offset + 4]) * 65536 +
    bytes[offset + 5] * 256 +
    bytes[offset + 6]
  );
}

/**
 * The key of a Bluetooth device or iBeacon as a number of 53 bits: an address below 2^48, or 20 bits from the UUID with
 * major and minor, above 2^52.
 * @param words the same memory as words of 32 bits; `offset` is a multiple of 4
 */
function beaconNumber(bytes: Uint8Array, words: Int32Array, offset: number): number {
  if (bytes[offset] === KIND_BLUETOOTH) return macOfKey(bytes, offset);
  const word = offset >> 2;
  const mixed =
    Math.imul(
      words[word] ^ Math.imul(words[word + 1], 0x9e3779b1) ^ Math.imul(words[word + 2], 0x85ebca6b),
      0xc2b2ae35,
    ) ^
    words[word + 3] ^
    bytes[offset + 16];
  const number =
    ((bytes[offset + 17] * 256 + bytes[offset + 18]) * 256 + bytes[offset + 19]) * 256 + bytes[offset + 20];
  return ((mixed >>> 12) + 0x100000) * 4294967296 + number;
}

/**
 * The number of the radio behind a key, below 2^53: what all networks of an access point share, the address of a
 * Bluetooth device, or an iBeacon. Numbers of different kinds differ. -1 for a cell.
 * @param words the same memory as words of 32 bits; `offset` is a multiple of 4
 */
export function radioNumber(bytes: Uint8Array, words: Int32Array, offset: number): number {
  if (bytes[offset] === KIND_WIFI) return radioOfKey(bytes, offset);
  if (isCell(bytes[offset])) return -1;
  const number = beaconNumber(bytes, words, offset);
  return bytes[offset] === KIND_BLUETOOTH ? radioOfAddress(number) : number;
}

/** The number of a Bluetooth device by its address, as `radioNumber` has it. */
export function radioOfAddress(mac: number): number {
  return FIRST_BLUETOOTH + mac;
}

/** True for the number of a radio of access points, not of a Bluetooth device or an iBeacon. */
export function isNetworkRadio(radio: number): boolean {
  return radio < FIRST_BLUETOOTH;
}

/** MCC in the key of a cell; -1 for cdma, whose keys have none. */
export function mccOfKey(bytes: Uint8Array, offset: number): number {
  if (bytes[offset] === KIND_CDMA) return -1;
  return ((bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3]) >>> 10;
}

/** MNC (cdma: system id) in the key of a cell. */
export function mncOfKey(bytes: Uint8Array, offset: number): number {
  const network = (bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3];
  return bytes[offset] === KIND_CDMA ? network : network & 1023;
}

/** Cell id in the key of a cell. */
export function cellOfKey(bytes: Uint8Array, offset: number): number {
  const low =
    ((bytes[offset + 5] << 24) | (bytes[offset + 6] << 16) | (bytes[offset + 7] << 8) | bytes[offset + 8]) >>> 0;
  return bytes[offset + 4] * 4294967296 + low;
}

/** Area code in the key of a cell. */
export function areaOfKey(bytes: Uint8Array, offset: number): number {
  return (bytes[offset + 9] << 16) | (bytes[offset + 10] << 8) | bytes[offset + 11];
}

/** True for the key of a cell whose identity devices send when they know none. */
export function isUnknownAt(bytes: Uint8Array, offset: number): boolean {
  return isUnknownCell(
    bytes[offset],
    mccOfKey(bytes, offset),
    mncOfKey(bytes, offset),
    areaOfKey(bytes, offset),
    cellOfKey(bytes, offset),
  );
}

/**
 * The key, `KEY_BYTES_CELL` bytes, under which the cell of the key at `offset` is learned where nobody knows its area
 * code.
 */
export function keyWithoutArea(bytes: Uint8Array, offset: number): Buffer {
  const key = Buffer.alloc(KEY_BYTES_CELL);
  writeKeyWithoutArea(key, 0, bytes, offset);
  return key;
}

/** The same, written at `to` of other bytes. */
export function writeKeyWithoutArea(out: Uint8Array, to: number, bytes: Uint8Array, offset: number): void {
  for (let i = 0; i < KEY_BYTES_CELL_ID; i++) out[to + i] = bytes[offset + i];
  out[to + 9] = AREA_NONE >>> 16;
  out[to + 10] = AREA_NONE >>> 8;
  out[to + 11] = AREA_NONE;
}

/** A cell's key as a number of 53 bits: its id, and a mix of kind, network and area. */
export function cellNumber(bytes: Uint8Array, offset: number): number {
  const network = (bytes[offset] << 24) | (bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3];
  const mixed = Math.imul(Math.imul(network, 0x9e3779b1) ^ areaOfKey(bytes, offset), 0x85ebca6b) >>> 15;
  return cellOfKey(bytes, offset) * 131_072 + mixed;
}

/** UUID, major and minor in the key of an iBeacon, the UUID with its usual dashes. */
export function beaconOfKey(bytes: Uint8Array, offset: number): { uuid: string; major: number; minor: number } {
  const hex = Buffer.from(bytes.subarray(offset + 1, offset + 17)).toString('hex');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return {
    uuid,
    major: (bytes[offset + 17] << 8) | bytes[offset + 18],
    minor: (bytes[offset + 19] << 8) | bytes[offset + 20],
  };
}

/**
 * A key as text for messages: `wifi aa:bb:…`, `beacon` and 40 hexadecimal digits, `cell kind 11 206-1-251-51764` with
 * the number of its `KIND_*`.
 */
export function describeKey(bytes: Uint8Array, offset = 0): string {
  const kind = bytes[offset];
  if (kind === KIND_WIFI || kind === KIND_BLUETOOTH)
    return `${kind === KIND_WIFI ? 'wifi' : 'bluetooth'} ${formatMac(macOfKey(bytes, offset))}`;
  if (isCell(kind)) {
    return (
      `cell kind ${kind} ` +
      `${mccOfKey(bytes, offset)}-${mncOfKey(bytes, offset)}-${areaOfKey(bytes, offset)}-${cellOfKey(bytes, offset)}`
    );
  }
  return `beacon ${Buffer.from(bytes.subarray(offset + 1, offset + KEY_BYTES_BEACON)).toString('hex')}`;
}
