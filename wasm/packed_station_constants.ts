// A station packed into four words: what the station cache keeps of it (src/tables/stations/packed_station.ts) and what
// the core reads of a selected one (transmitters/gather.ts). Both compilers read this file, as they read memory.ts:
// nothing here is annotated or computed at run time.

// Words.
export const PACKED_LATITUDE = 0; // 1e-7 degrees
export const PACKED_LONGITUDE = 1; // 1e-7 degrees
export const PACKED_RADII = 2; // radius codes: the 50 % radius in the lower half, the 95 % radius in the upper
export const PACKED_STATE = 3; // the state and the rest; 0 = there is no station

// Bits of the last word.
export const STATE_BITS = 3;
export const UNTRUSTED_BIT = 4; // only untrusted accounts vouch for the station
export const LEARNED_BIT = 8; // it has a learned record
export const ABSENT_BITS = 15; // all of the above: the station is known to be absent
export const SAMPLES_SHIFT = 4; // four bits, the binary logarithm of the number of samples
export const AGE_SHIFT = 8; // eight bits
export const REFERENCE_SHIFT = 16; // eight bits, signed: level at one metre in dBm, 0 = not fitted
export const EXPONENT_SHIFT = 24; // eight bits: ten times the path-loss exponent, 0 = not fitted

// Radius codes, 16 bits: with this bit in steps of four metres, otherwise in decimetres.
export const RADIUS_COARSE = 0x8000;
export const COARSE_METRES = 4;
export const FINE_STEPS = 10; // of a metre
