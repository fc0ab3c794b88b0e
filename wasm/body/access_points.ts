// Scans one access point, as src/radio/query/read_stations.ts reads it: an entry without a usable address, or of a
// network that opted out, is left out. One that may travel declines. An invalid value of a valid entry is dropped.

import { BODY_NOWHERE, SIGNAL_ABSENT } from '../memory';
import { AGE_ABSENT, KIND_WIFI } from '../observation_constants';
import { AGE_MS_MAX, BITS_16_MAX, STATION_SIGNAL_MAX, STATION_SIGNAL_MIN } from '../range_constants';
import { mac, readMac } from './identities';
import { AccessPoint } from './member_words';
import { closeObject, memberValue, nextMember, openObject } from './members';
import { readNumber, roundedIn } from './numbers';
import { nextWifi, writeKey, writeValues } from './observations';
import { isNamed, mayTravel, optsOut, readSsid, readSsidHex } from './opt_out';
import { byteAt, QUOTE, skipValue } from './text';

const GROUP_BIT: i64 = 0x010000000000; // the lowest bit of the first octet

/** Scans an access point and writes its observation. @param p behind the opening brace */
export function scanAccessPoint(p: i32): i32 {
  let address: i64 = -1;
  let signalDbm: i64 = SIGNAL_ABSENT;
  let frequencyMhz: i64 = 0;
  let ageMs: i64 = AGE_ABSENT;
  let channel: i64 = 0;
  let isNameSent = false;
  let isOptedOut = false;
  let isHexOptedOut = false;
  let travels = false;
  let hexTravels = false;
  let met = 0;
  p = openObject(p);
  while (byteAt(p) === QUOTE) {
    const member = AccessPoint.memberAt(++p);
    p = memberValue(p, member, met);
    met |= member;
    switch (member) {
      case AccessPoint.MAC_ADDRESS:
        p = readMac(p);
        address = mac;
        break;
      case AccessPoint.SIGNAL_STRENGTH:
        p = readNumber(p);
        signalDbm = roundedIn(STATION_SIGNAL_MIN, STATION_SIGNAL_MAX, SIGNAL_ABSENT);
        break;
      case AccessPoint.CHANNEL:
        p = readNumber(p);
        channel = roundedIn(1, BITS_16_MAX, 0);
        break;
      case AccessPoint.FREQUENCY:
        p = readNumber(p);
        frequencyMhz = roundedIn(1, BITS_16_MAX, 0);
        break;
      case AccessPoint.AGE:
        p = readNumber(p);
        ageMs = roundedIn(0, AGE_MS_MAX, AGE_ABSENT);
        break;
      case AccessPoint.SSID:
        p = readSsid(p);
        isNameSent = isNamed;
        isOptedOut = optsOut;
        travels = mayTravel;
        break;
      case AccessPoint.SSID_HEX:
        p = readSsidHex(p);
        isHexOptedOut = optsOut;
        hexTravels = mayTravel;
        break;
      default:
        p = skipValue(p);
    }
    p = nextMember(p);
  }
  p = closeObject(p);
  // The hexadecimal name counts only if there is no other.
  if (address <= 0 || address & GROUP_BIT || (isNameSent ? isOptedOut : isHexOptedOut)) return p;
  if (isNameSent ? travels : hexTravels) return BODY_NOWHERE;
  const at = nextWifi();
  if (at === 0) return BODY_NOWHERE;
  writeKey(at, macKey(KIND_WIFI, address), 0, 0);
  writeValues(at, signalDbm, frequencyMhz, ageMs, -1, 0, channel);
  return p;
}

/** The key of an address: the kind and six octets, the first one lowest. */
export function macKey(kind: u64, address: i64): u64 {
  return (bswap<u64>(<u64>address) >> 8) | kind;
}
