// The limits of the values in an observation, both ends valid. Both compilers read this file: the table of ranges
// (src/radio/ranges.ts) is made of these numbers, and the core reads values by them. So nothing here is annotated or
// computed at run time. To asc, numbers above 2^31 are 64-bit numbers.

export const BITS_16_MAX = 65535;
export const BITS_28_MAX = 268435455;
export const BITS_36_MAX = 68719476735;
export const BITS_32_UNAVAILABLE = 2147483647; // Android's cell id for "not available"; it is a valid id for nr only

// Networks.
export const COUNTRY_CODE_MAX = 999;
export const NETWORK_CODE_MAX = 999;
export const NETWORK_NONE = 1023; // all ten bits of the code in a key: of a cell whose network is not known
export const SYSTEM_ID_MAX = 32767; // network code of cdma

// Areas of nr; those of all other radio types have 16 bits.
export const NR_AREA_MIN = 1;
export const NR_AREA_MAX = 16777213;
export const NR_AREA_ALSO = 16777215;

// Scrambling codes and physical cell ids; gsm and cdma have none.
export const CODE_MAX = 511;
export const NR_CODE_MAX = 1023;

// Timing advance, from 0, in the unit of the radio type; the other types have none.
export const GSM_TIMING_MAX = 63;
export const LTE_TIMING_MAX = 1282;
export const NR_TIMING_MAX = 3938304;

// Signals in dBm.
export const GSM_SIGNAL_MIN = -120; // and cdma
export const WCDMA_SIGNAL_MIN = -130;
export const LTE_SIGNAL_MIN = -140; // and nbiot, nr
export const CELL_SIGNAL_MAX = -25;
export const STATION_SIGNAL_MIN = -100; // access points and beacons
export const STATION_SIGNAL_MAX = -20;

export const AGE_MS_MAX = 4294967294; // 32 bits, except the value that marks an absent age
