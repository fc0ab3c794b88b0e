// The one place that knows byte offsets, sizes and status codes. Both compilers read it: `asc` folds the constants into load offsets, `tsc` types
// the TypeScript side with them. Nothing here may be annotated or computed at run time. Changing a layout bumps the version beside it, and
// `src/core` compares what the compiled core exports with what it reads here before the first call.

/** Bumped with every change of the core's memory layout or of a status code. */
export const LAYOUT_VERSION = 1;

// Status numbers of the core. The sentences live in `src/core/status.ts`.
export const STATUS_OK = 0;
export const STATUS_TOO_FEW = 1; // fewer usable stations than the kernel needs
export const STATUS_TOO_MANY = 2; // more than the fixed buffers hold
export const STATUS_NOT_FINITE = 3; // NaN or infinity among the inputs
export const STATUS_DEGENERATE = 4; // no weight, or a singular normal matrix
export const STATUS_NOT_CONVERGED = 5; // a usable answer whose last step was still large

// Station record in LMDB: 24 bytes, little-endian, 4-byte aligned.
export const STATION_FORMAT = 1;
export const STATION_BYTES = 24;
export const STATION_LATITUDE_E7 = 0; // i32
export const STATION_LONGITUDE_E7 = 4; // i32
export const STATION_R50 = 8; // u16, radius code (src/tables/station.ts)
export const STATION_R95 = 10; // u16, radius code
export const STATION_SAMPLES = 12; // u16, saturating
export const STATION_FIRST_SEEN = 14; // u16, days since 1970-01-01
export const STATION_LAST_SEEN = 16; // u16, days since 1970-01-01
export const STATION_STATE = 18; // u8, low nibble state, high nibble format
export const STATION_FLAGS = 19; // u8
export const STATION_REFERENCE_DBM = 20; // i8, level at one metre, 0 = not fitted
export const STATION_EXPONENT = 21; // u8, path-loss exponent * 10, 0 = not fitted
export const STATION_CODE = 22; // u16, cells: scrambling code or PCI, 0xffff = unknown

// Station key: a kind byte, then big-endian fields, zero-padded to whole 32-bit words in memory and cut to its length in LMDB.
export const KEY_BYTES_MAX = 24;
export const KEY_BYTES_MAC = 7; // kind, 6 octets
export const KEY_BYTES_BEACON = 21; // kind, uuid 16, major 2, minor 2
export const KEY_BYTES_CELL = 12; // kind, network 3, cell id 5, area 3

// Observation in a request: 40 bytes.
export const OBSERVATION_BYTES = 40;
export const OBSERVATION_KEY = 0; // u8[24], station key
export const OBSERVATION_SIGNAL = 24; // i16 dBm, SIGNAL_ABSENT when not sent
export const OBSERVATION_FREQUENCY = 26; // u16 MHz, 0 = not sent; cells: scrambling code or PCI, 0xffff = not sent
export const OBSERVATION_AGE = 28; // u32 ms, AGE_ABSENT when not sent
export const OBSERVATION_TIMING = 32; // i32 timing advance in the radio's own unit, -1 = not sent
export const OBSERVATION_FLAGS = 36; // u16
export const OBSERVATION_CHANNEL = 38; // u16, 0 = not sent
export const SIGNAL_ABSENT = -32768;
export const CODE_ABSENT = 65535;
export const AGE_ABSENT = 4294967295;
export const FLAG_SERVING = 1;
export const FLAG_NO_AREA = 2; // cell without area code: matched by network and cell id
export const FLAG_INFERRED = 4; // radio type guessed: tried as wcdma, lte, nbiot, nr in that order
export const FLAG_NO_CELL_ID = 8; // neighbour known only by its scrambling code or PCI

// Request: a FlatBuffers struct of 192 bytes (alignment 8), then the observations: access points, beacons, cells.
export const REQUEST_BYTES = 192;
export const REQUEST_LENGTH = 0; // u32, bytes of header and observations
export const REQUEST_FLAGS = 4; // u32, HAS_* bits
export const REQUEST_WIFI = 8; // u32, number of access points
export const REQUEST_BLUETOOTH = 12; // u32, number of beacons
export const REQUEST_CELLS = 16; // u32, number of cells
export const REQUEST_FALLBACKS = 20; // u32, FALLBACK_* bits
export const REQUEST_TIMESTAMP = 24; // f64, ms since 1970
export const REQUEST_GPS_LATITUDE = 32; // f64
export const REQUEST_GPS_LONGITUDE = 40; // f64
export const REQUEST_LAST_LATITUDE = 48; // f64
export const REQUEST_LAST_LONGITUDE = 56; // f64
export const REQUEST_LAST_TIMESTAMP = 64; // f64, ms since 1970
export const REQUEST_GPS_ACCURACY = 72; // f32 metres, 50 %
export const REQUEST_GPS_AGE = 76; // f32 seconds
export const REQUEST_LAST_ACCURACY = 80; // f32 metres
export const REQUEST_SPEED_LIMIT = 84; // f32 metres a second, 0 = none
export const REQUEST_SUBMITTED_WIFI = 88; // u32, distinct radios submitted, before unusable entries are left out
// The answer is written into the same struct.
export const RESULT_STATUS = 96; // i32, LOCATE_*
export const RESULT_SOURCES = 100; // u32, SOURCE_* bits of what the position rests on
export const RESULT_LATITUDE = 104; // f64
export const RESULT_LONGITUDE = 112; // f64
export const RESULT_ACCURACY = 120; // f64 metres, 50 % radius
export const RESULT_FALLBACK = 128; // u32, FALLBACK_* bit used, 0 = direct
export const RESULT_USED = 132; // u32, stations the position rests on
export const RESULT_KNOWN = 136; // u32, stations found in the tables

export const HAS_GPS = 1;
export const HAS_LAST_LOCATION = 2;
export const HAS_SPEED_LIMIT = 4;
export const HAS_TIMESTAMP = 8;

export const LOCATE_PENDING = 0;
export const LOCATE_FOUND = 1;
export const LOCATE_NOT_FOUND = 2;
export const LOCATE_FAILED = 3;

export const SOURCE_WIFI = 1;
export const SOURCE_BLUETOOTH = 2;
export const SOURCE_CELL = 4;
export const SOURCE_GPS = 8;

// In the order in which they are tried.
export const FALLBACK_W4F = 1;
export const FALLBACK_NBCIDF = 2;
export const FALLBACK_CIDF = 4;
export const FALLBACK_MNCF = 8;
export const FALLBACK_RATF = 16;
export const FALLBACK_RNCIDF = 32;
export const FALLBACK_LACF = 64;
export const FALLBACK_CIDXF = 128;
