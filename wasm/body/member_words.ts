// Numbers of the members of each object, and their names in words of eight bytes. The names stand in
// src/radio/query/members.ts, and src/core/member_words.ts writes this file.

import { isWord, LENGTH } from './members';

export namespace Body {
  export const RADIO_TYPE: i32 = 1 | (10 << LENGTH);
  export const CELL_TOWERS: i32 = 2 | (11 << LENGTH);
  export const WIFI_ACCESS_POINTS: i32 = 4 | (17 << LENGTH);
  export const BLUETOOTH_BEACONS: i32 = 8 | (17 << LENGTH);
  /** Any other member that means something. */
  export const FOR_CALLER: i32 = 0x800000;

  /** @param p behind the opening quote of a name @returns 0 for a name that is not known */
  export function memberAt(p: i32): i32 {
    const word = load<u64>(p);
    if (word === 0x7079546f69646172 && isWord(p + 8, 0x2265, 2)) return RADIO_TYPE;
    if (word === 0x65776f546c6c6563 && isWord(p + 8, 0x227372, 3)) return CELL_TOWERS;
    if (word === 0x6563634169666977 && load<u64>(p, 8) === 0x73746e696f507373 && isWord(p + 16, 0x22, 1))
      return WIFI_ACCESS_POINTS;
    if (word === 0x746f6f7465756c62 && load<u64>(p, 8) === 0x736e6f6361654268 && isWord(p + 16, 0x22, 1))
      return BLUETOOTH_BEACONS;
    if (isWord(p, 0x22737067, 4)) return FOR_CALLER;
    if (word === 0x6b6361626c6c6166 && isWord(p + 8, 0x2273, 2)) return FOR_CALLER;
    if (word === 0x6d617473656d6974 && isWord(p + 8, 0x2270, 2)) return FOR_CALLER;
    if (word === 0x61636f4c7473616c && isWord(p + 8, 0x226e6f6974, 5)) return FOR_CALLER;
    if (word === 0x6d694c6465657073 && isWord(p + 8, 0x227469, 3)) return FOR_CALLER;
    if (word === 0x6e656469666e6f63 && isWord(p + 8, 0x226563, 3)) return FOR_CALLER;
    if (word === 0x2273726f736e6573) return FOR_CALLER;
    if (word === 0x22656d616e6f6567) return FOR_CALLER;
    if (word === 0x2273736572646461) return FOR_CALLER;
    if (word === 0x2273746964657263) return FOR_CALLER;
    if (word === 0x2273657269707865) return FOR_CALLER;
    if (word === 0x226e69616c707865) return FOR_CALLER;
    if (isWord(p, 0x22726f6f646e69, 7)) return FOR_CALLER;
    if (isWord(p, 0x226574617473, 6)) return FOR_CALLER;
    if (isWord(p, 0x226469, 3)) return FOR_CALLER;
    if (isWord(p, 0x22726e, 3)) return FOR_CALLER;
    return 0;
  }
}

export namespace AccessPoint {
  export const MAC_ADDRESS: i32 = 1 | (11 << LENGTH);
  export const SIGNAL_STRENGTH: i32 = 2 | (15 << LENGTH);
  export const CHANNEL: i32 = 4 | (8 << LENGTH);
  export const FREQUENCY: i32 = 8 | (10 << LENGTH);
  export const AGE: i32 = 16 | (4 << LENGTH);
  export const SSID: i32 = 32 | (5 << LENGTH);
  export const SSID_HEX: i32 = 64 | (8 << LENGTH);

  /** @param p behind the opening quote of a name @returns 0 for a name that is not known */
  export function memberAt(p: i32): i32 {
    const word = load<u64>(p);
    if (word === 0x657264644163616d && isWord(p + 8, 0x227373, 3)) return MAC_ADDRESS;
    if (word === 0x74536c616e676973 && isWord(p + 8, 0x226874676e6572, 7)) return SIGNAL_STRENGTH;
    if (word === 0x226c656e6e616863) return CHANNEL;
    if (word === 0x636e657571657266 && isWord(p + 8, 0x2279, 2)) return FREQUENCY;
    if (isWord(p, 0x22656761, 4)) return AGE;
    if (isWord(p, 0x2264697373, 5)) return SSID;
    if (word === 0x2278654864697373) return SSID_HEX;
    return 0;
  }
}

export namespace Beacon {
  export const MAC_ADDRESS: i32 = 1 | (11 << LENGTH);
  export const SIGNAL_STRENGTH: i32 = 2 | (15 << LENGTH);
  export const BEACON_TYPE: i32 = 4 | (11 << LENGTH);
  export const AGE: i32 = 8 | (4 << LENGTH);
  export const UUID: i32 = 16 | (5 << LENGTH);
  export const MAJOR: i32 = 32 | (6 << LENGTH);
  export const MINOR: i32 = 64 | (6 << LENGTH);
  export const ID1: i32 = 128 | (4 << LENGTH);
  export const ID2: i32 = 256 | (4 << LENGTH);
  export const ID3: i32 = 512 | (4 << LENGTH);

  /** @param p behind the opening quote of a name @returns 0 for a name that is not known */
  export function memberAt(p: i32): i32 {
    const word = load<u64>(p);
    if (word === 0x657264644163616d && isWord(p + 8, 0x227373, 3)) return MAC_ADDRESS;
    if (word === 0x74536c616e676973 && isWord(p + 8, 0x226874676e6572, 7)) return SIGNAL_STRENGTH;
    if (word === 0x79546e6f63616562 && isWord(p + 8, 0x226570, 3)) return BEACON_TYPE;
    if (isWord(p, 0x22656761, 4)) return AGE;
    if (isWord(p, 0x2264697575, 5)) return UUID;
    if (isWord(p, 0x22726f6a616d, 6)) return MAJOR;
    if (isWord(p, 0x22726f6e696d, 6)) return MINOR;
    if (isWord(p, 0x22316469, 4)) return ID1;
    if (isWord(p, 0x22326469, 4)) return ID2;
    if (isWord(p, 0x22336469, 4)) return ID3;
    return 0;
  }
}

export namespace Cell {
  export const MOBILE_COUNTRY_CODE: i32 = 1 | (18 << LENGTH);
  export const MOBILE_NETWORK_CODE: i32 = 2 | (18 << LENGTH);
  export const LOCATION_AREA_CODE: i32 = 4 | (17 << LENGTH);
  export const CELL_ID: i32 = 8 | (7 << LENGTH);
  export const SIGNAL_STRENGTH: i32 = 16 | (15 << LENGTH);
  export const RADIO_TYPE: i32 = 32 | (10 << LENGTH);
  export const PRIMARY_SCRAMBLING_CODE: i32 = 64 | (22 << LENGTH);
  export const TIMING_ADVANCE: i32 = 128 | (14 << LENGTH);
  export const SERVING: i32 = 256 | (8 << LENGTH);
  export const NEW_RADIO_CELL_ID: i32 = 512 | (15 << LENGTH);
  export const PSC: i32 = 1024 | (4 << LENGTH);
  export const AGE: i32 = 2048 | (4 << LENGTH);

  /** @param p behind the opening quote of a name @returns 0 for a name that is not known */
  export function memberAt(p: i32): i32 {
    const word = load<u64>(p);
    if (word === 0x6f43656c69626f6d && load<u64>(p, 8) === 0x646f437972746e75 && isWord(p + 16, 0x2265, 2))
      return MOBILE_COUNTRY_CODE;
    if (word === 0x654e656c69626f6d && load<u64>(p, 8) === 0x646f436b726f7774 && isWord(p + 16, 0x2265, 2))
      return MOBILE_NETWORK_CODE;
    if (word === 0x6e6f697461636f6c && load<u64>(p, 8) === 0x65646f4361657241 && isWord(p + 16, 0x22, 1))
      return LOCATION_AREA_CODE;
    if (isWord(p, 0x2264496c6c6563, 7)) return CELL_ID;
    if (word === 0x74536c616e676973 && isWord(p + 8, 0x226874676e6572, 7)) return SIGNAL_STRENGTH;
    if (word === 0x7079546f69646172 && isWord(p + 8, 0x2265, 2)) return RADIO_TYPE;
    if (word === 0x537972616d697270 && load<u64>(p, 8) === 0x6e696c626d617263 && isWord(p + 16, 0x2265646f4367, 6))
      return PRIMARY_SCRAMBLING_CODE;
    if (word === 0x6441676e696d6974 && isWord(p + 8, 0x2265636e6176, 6)) return TIMING_ADVANCE;
    if (word === 0x22676e6976726573) return SERVING;
    if (word === 0x6f6964615277656e && isWord(p + 8, 0x2264496c6c6543, 7)) return NEW_RADIO_CELL_ID;
    if (isWord(p, 0x22637370, 4)) return PSC;
    if (isWord(p, 0x22656761, 4)) return AGE;
    return 0;
  }
}
