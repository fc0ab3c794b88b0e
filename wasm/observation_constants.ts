// An observation of a query in memory: 40 bytes, little-endian, aligned to 8. Both compilers read this file, since the
// core and src/radio/query/ know observations. So nothing here is annotated or computed at run time.

export const OBSERVATION_BYTES = 40;
// The first 24 bytes are the key of the station (src/radio/station_key.ts).
export const OBSERVATION_SIGNAL = 24; // i16 dBm, SIGNAL_ABSENT when not sent
export const OBSERVATION_FREQUENCY = 26; // u16 MHz, 0 = not sent; cells: scrambling code or PCI, 0xffff = not sent
export const OBSERVATION_AGE = 28; // u32 ms, AGE_ABSENT when not sent
export const OBSERVATION_TIMING = 32; // i32 timing advance in the radio's own unit, -1 = not sent
export const OBSERVATION_FLAGS = 36; // u16
export const OBSERVATION_CHANNEL = 38; // u16, 0 = not sent
// Of an iBeacon, the last four octets of its address and the first two. ADDRESS_ABSENT is a timing of -1 and no
// channel.
export const OBSERVATION_ADDRESS = 32; // u32
export const OBSERVATION_ADDRESS_HIGH = 38; // u16
export const ADDRESS_ABSENT = 4294967295;
export const CODE_ABSENT = 65535;
export const AGE_ABSENT = 4294967295;
export const FLAG_SERVING = 1;
export const FLAG_NO_AREA = 2; // cell without an area code: matched by network and cell id
export const FLAG_INFERRED = 4; // radio type inferred: tried as all types that the cell fits
export const FLAG_NO_CELL_ID = 8; // neighbour identified only by its scrambling code or PCI

// Kind of a station: the first byte of its key.
export const KIND_WIFI = 1;
export const KIND_BLUETOOTH = 2;
export const KIND_BEACON = 3;
export const KIND_GSM = 8;
export const KIND_CDMA = 9;
export const KIND_WCDMA = 10;
export const KIND_LTE = 11;
export const KIND_NBIOT = 12;
export const KIND_NR = 13;
