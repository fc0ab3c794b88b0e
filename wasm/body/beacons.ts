// Scans one Bluetooth beacon, as src/radio/query/read_stations.ts reads it: uuid, major and minor identify an iBeacon
// even if an address is sent too, which is kept beside them. Some clients name the three `id1`, `id2` and `id3` and
// give a type.

import { BODY_NOWHERE, SIGNAL_ABSENT } from '../memory';
import { ADDRESS_ABSENT, AGE_ABSENT, KIND_BEACON, KIND_BLUETOOTH } from '../observation_constants';
import { AGE_MS_MAX, BITS_16_MAX, STATION_SIGNAL_MAX, STATION_SIGNAL_MIN } from '../range_constants';
import { macKey } from './access_points';
import { hasUuid, mac, readMac, readUuid, uuidHigh, uuidLow } from './identities';
import { Beacon } from './member_words';
import { BITS, closeObject, isWord, memberValue, nextMember, openObject } from './members';
import { isWhole, readNumber, rounded, roundedIn, wholeTo } from './numbers';
import { nextBluetooth, writeKey, writeValues } from './observations';
import { byteAt, isNull, QUOTE, skipPlain, skipValue } from './text';

const TYPE_IBEACON: i64 = 533;
const TYPE_IBEACON_TEXT: u64 = 0x22333335; // `533"`
const BROADCAST_MAC: i64 = 0xffffffffffff;

// One beacon as it is read: the identity under either of its names, in two big-endian halves.
let high: u64 = 0;
let low: u64 = 0;
let isIBeaconType: bool = false;

/** Scans a beacon and writes its observation. @param p behind the opening brace */
export function scanBeacon(p: i32): i32 {
  let address: i64 = -1;
  let signalDbm: i64 = SIGNAL_ABSENT;
  let ageMs: i64 = AGE_ABSENT;
  let hasIdentity = false;
  let major: i64 = -1;
  let minor: i64 = -1;
  let hasNumberedIdentity = false;
  let numberedHigh: u64 = 0;
  let numberedLow: u64 = 0;
  let numberedMajor: i64 = -1;
  let numberedMinor: i64 = -1;
  let met = 0;
  high = 0;
  low = 0;
  isIBeaconType = true;
  p = openObject(p);
  while (byteAt(p) === QUOTE) {
    const member = Beacon.memberAt(++p);
    p = memberValue(p, member, met);
    met |= member;
    switch (member) {
      case Beacon.MAC_ADDRESS:
        p = readMac(p);
        address = mac;
        break;
      case Beacon.SIGNAL_STRENGTH:
        p = readNumber(p);
        signalDbm = roundedIn(STATION_SIGNAL_MIN, STATION_SIGNAL_MAX, SIGNAL_ABSENT);
        break;
      case Beacon.AGE:
        p = readNumber(p);
        ageMs = roundedIn(0, AGE_MS_MAX, AGE_ABSENT);
        break;
      case Beacon.UUID:
        p = readUuid(p);
        hasIdentity = hasUuid;
        high = uuidHigh;
        low = uuidLow;
        break;
      case Beacon.MAJOR:
        p = readNumber(p);
        major = wholeTo(BITS_16_MAX);
        break;
      case Beacon.MINOR:
        p = readNumber(p);
        minor = wholeTo(BITS_16_MAX);
        break;
      case Beacon.BEACON_TYPE:
        p = readType(p);
        break;
      case Beacon.ID1:
        p = readUuid(p);
        hasNumberedIdentity = hasUuid;
        numberedHigh = uuidHigh;
        numberedLow = uuidLow;
        break;
      case Beacon.ID2:
        p = readNumber(p);
        numberedMajor = wholeTo(BITS_16_MAX);
        break;
      case Beacon.ID3:
        p = readNumber(p);
        numberedMinor = wholeTo(BITS_16_MAX);
        break;
      default:
        p = skipValue(p);
    }
    p = nextMember(p);
  }
  p = closeObject(p);
  // The other names count if `uuid` was not sent at all.
  if ((met & Beacon.UUID & BITS) === 0 && met & Beacon.ID1 & BITS && isIBeaconType) {
    hasIdentity = hasNumberedIdentity;
    high = numberedHigh;
    low = numberedLow;
    major = numberedMajor;
    minor = numberedMinor;
  }
  const isIBeacon = hasIdentity && major >= 0 && minor >= 0;
  const hasAddress = address > 0 && address !== BROADCAST_MAC;
  if (!isIBeacon && !hasAddress) return p;
  const at = nextBluetooth();
  if (at === 0) return BODY_NOWHERE;
  if (isIBeacon) writeBeaconKey(at, <u64>major, <u64>minor);
  else writeKey(at, macKey(KIND_BLUETOOTH, address), 0, 0);
  const kept = isIBeacon && hasAddress ? address : ADDRESS_ABSENT;
  writeValues(at, signalDbm, 0, ageMs, kept & 0xffffffff, 0, kept >> 32);
  return p;
}

/** Writes the key: the kind, sixteen bytes, then major and minor, the first byte of each number highest. */
function writeBeaconKey(at: i32, major: u64, minor: u64): void {
  const first = bswap<u64>(high);
  const second = bswap<u64>(low);
  const numbers = <u64>bswap<u32>(<u32>((major << 16) | minor));
  writeKey(at, (first << 8) | KIND_BEACON, (first >> 56) | (second << 8), (second >> 56) | (numbers << 8));
}

/** Reads a type: iBeacons are 533, or have none. */
function readType(p: i32): i32 {
  if (isNull(p)) return p + 4;
  if (byteAt(p) === QUOTE) {
    isIBeaconType = isWord(p + 1, TYPE_IBEACON_TEXT, 4);
    return skipPlain(p);
  }
  p = readNumber(p);
  isIBeaconType = isWhole && rounded === TYPE_IBEACON;
  return p;
}
