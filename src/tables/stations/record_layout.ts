// The layout of a station record in LMDB: 24 bytes, little-endian, aligned to 4. A change bumps the format; a reader
// refuses other formats.

export const STATION_FORMAT = 1;
export const STATION_BYTES = 24;
export const STATION_LATITUDE_E7 = 0; // i32
export const STATION_LONGITUDE_E7 = 4; // i32
export const STATION_R50 = 8; // u16, radius code (src/tables/stations/station.ts)
export const STATION_R95 = 10; // u16, radius code
export const STATION_SAMPLES = 12; // u16, saturating
export const STATION_FIRST_SEEN = 14; // u16, days since 1970-01-01
export const STATION_LAST_SEEN = 16; // u16, days since 1970-01-01
export const STATION_STATE = 18; // u8, low nibble state, high nibble format
export const STATION_FLAGS = 19; // u8
export const STATION_REFERENCE_DBM = 20; // i8, level at one metre, 0 = not fitted
export const STATION_EXPONENT = 21; // u8, path-loss exponent * 10, 0 = not fitted
export const STATION_CODE = 22; // u16, cells: scrambling code or PCI, 0xffff = unknown
