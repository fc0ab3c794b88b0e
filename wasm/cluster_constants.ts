// The numbers of clustering: its grid's hash table and how fine the grid of balls is. Both compilers read this file: the kernels fold the numbers in, and
// the twin in plain JavaScript that they are measured against takes the same ones. So nothing here may be annotated; multipliers above 2^31
// are 64-bit numbers to asc and are cast where they are used.

export const CELLS_TO_A_CUT = 4; // side of a cell of balls is the cut divided by this
export const FEWEST_SLOTS = 64; // of the hash table of cells; a power of two
export const HASH_COLUMN = 0x9e3779b1;
export const HASH_ROW = 0x85ebca77;
export const HASH_MIX = 0x2c1b3c6d;
