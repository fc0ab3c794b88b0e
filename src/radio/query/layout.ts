// The layout of a query in memory: one positioning request as a header of 192 bytes and observations of 40 bytes each,
// little-endian, aligned to 8. The HTTP side writes it (writer.ts). The strategies read it (reader.ts) and write their
// answer into the same header (answer.ts), on the same thread or on another. Only the files of this folder know the
// offsets. Those of an observation are in wasm/, which both compilers read.

import { FLAG_INFERRED, FLAG_NO_AREA, FLAG_NO_CELL_ID } from '../../../wasm/observation_constants.ts';

export { SIGNAL_ABSENT } from '../../../wasm/memory.ts';

// An observation has 40 bytes. The first 24 are the key of the station (station_key.ts).
export {
  ADDRESS_ABSENT,
  AGE_ABSENT,
  CODE_ABSENT,
  FLAG_INFERRED,
  FLAG_NO_AREA,
  FLAG_NO_CELL_ID,
  FLAG_SERVING,
  OBSERVATION_ADDRESS,
  OBSERVATION_ADDRESS_HIGH,
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_CHANNEL,
  OBSERVATION_FLAGS,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
} from '../../../wasm/observation_constants.ts';

/** A cell with any of these flags lacks a part of its identity, so nothing can be learned about it. */
export const FLAG_INCOMPLETE = FLAG_INFERRED | FLAG_NO_AREA | FLAG_NO_CELL_ID;

// A request is the header, then the observations (access points, beacons, cells), then what tracking reads and writes
// if the device is tracked, then space for text about the place if the request asks for it.
export const REQUEST_BYTES = 192;
export const REQUEST_LENGTH = 0; // u32, bytes of header, observations and space for text
export const REQUEST_FLAGS = 4; // u32, HAS_* bits
export const REQUEST_WIFI = 8; // u32, number of access points
export const REQUEST_BLUETOOTH = 12; // u32, number of beacons
export const REQUEST_CELLS = 16; // u32, number of cells
export const REQUEST_FALLBACKS = 20; // u32, FALLBACK_* bits
export const REQUEST_TRACK = 24; // u32, offset of the part for tracking from the header; 0 = none
export const REQUEST_GPS_LATITUDE = 32; // f64
export const REQUEST_GPS_LONGITUDE = 40; // f64
export const REQUEST_LAST_LATITUDE = 48; // f64
export const REQUEST_LAST_LONGITUDE = 56; // f64
export const REQUEST_LAST_TIMESTAMP = 64; // f64, ms since 1970
export const REQUEST_GPS_ACCURACY = 72; // f32 metres, 50 %
export const REQUEST_GPS_AGE = 76; // f32 seconds
export const REQUEST_LAST_ACCURACY = 80; // f32 metres
export const REQUEST_ASKER = 84; // u32, twice the number of the account, 1 more if it is trusted; 0 = the operator
export const REQUEST_SUBMITTED_WIFI = 88; // u32, distinct radios submitted, including unusable entries
export const REQUEST_TEXT = 92; // u32, offset of the space for text from the header; 0 = none
// The answer is in the same header.
export const RESULT_STATUS = 96; // i32, LOCATE_*; 0 until there is an answer
export const RESULT_SOURCES = 100; // u32, SOURCE_* bits of the estimates behind the position
export const RESULT_LATITUDE = 104; // f64
export const RESULT_LONGITUDE = 112; // f64
export const RESULT_ACCURACY = 120; // f64 metres, 50 % radius
export const RESULT_FALLBACK = 128; // u32, FALLBACK_* bit used, 0 = direct
export const RESULT_USED = 132; // u32, number of stations behind the position
// u32, wrong guesses that were not noted before, and parts of the answer that rest on two devices
export const RESULT_GUESSES = 136;
export const RESULT_AT_68 = 140; // f32, radius for 68 % over the radius for 50 %
export const RESULT_AT_95 = 144; // f32, the same for 95 %
export const RESULT_GEONAME = 148; // u32, bytes of JSON in UTF-8 at REQUEST_TEXT, 0 = none
export const RESULT_ADDRESS = 152; // u32, bytes of JSON after it, 0 = none
export const RESULT_INDOOR = 156; // u32, the same behind the address
export const TEXT_BYTES = 8192; // space for all three

// The part for tracking: sensors, what the state of the device holds, and room for what its next state will hold.
export const TRACK_TIME = 0; // f64, ms since 1970
export const TRACK_PRESSURE = 8; // f32 hPa, NaN = not sent
export const TRACK_STEPS = 12; // f32, NaN = not sent
export const TRACK_HEADING = 16; // f32 degrees, NaN = not sent
export const TRACK_ACTIVITY = 20; // i32, its index in ACTIVITIES, -1 = not sent
export const TRACK_LENGTH = 24; // u32, bytes of the track before this request, 0 = none
export const TRACK_NEXT_LENGTH = 28; // u32, bytes of the track after it, 0 = none
export const TRACK_STATE = 32;
export const TRACK_STATE_BYTES_MAX = 376;
export const TRACK_NEXT = TRACK_STATE + TRACK_STATE_BYTES_MAX;
export const TRACK_BYTES = TRACK_NEXT + TRACK_STATE_BYTES_MAX;

export const HAS_GPS = 1;
export const HAS_LAST_LOCATION = 2;
export const WANTS_GEONAME = 16;
export const WANTS_ADDRESS = 32;
export const WANTS_INDOOR = 64;
export const WANTS_TEXTS = WANTS_GEONAME | WANTS_ADDRESS | WANTS_INDOOR;
export const WANTS_TRACK = 128;
export const WANTS_OUTDOORS = 256;
// Which beacons may place a device alone. Without either: those that the operator vouches for.
export const LONE_BEACONS_ALL = 512;
export const LONE_BEACONS_NONE = 1024;
export const LONE_BEACONS = LONE_BEACONS_ALL | LONE_BEACONS_NONE;
/** Bits of queries by what the operator has set. */
export const LONE_BEACONS_OF = { trusted: 0, all: LONE_BEACONS_ALL, none: LONE_BEACONS_NONE } as const;

export const LOCATE_FOUND = 1;
export const LOCATE_NOT_FOUND = 2;
export const LOCATE_FAILED = 3;
export const LOCATE_REFUSED = 4;

export const SOURCE_WIFI = 1;
export const SOURCE_BLUETOOTH = 2;
export const SOURCE_CELL = 4;
export const SOURCE_GPS = 8;
