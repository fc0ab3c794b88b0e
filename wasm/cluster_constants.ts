// The constants of clustering: the hash table of the grid, and the resolution of the grid for balls. Both compilers read this file: the kernels fold the
// numbers in, and the benchmarks' twin in plain JavaScript uses the same ones. So nothing here may be annotated. To asc, multipliers above 2^31 are 64-bit
// numbers, which are cast where they are used.

export const CELLS_TO_A_CUT = 4; // the side of a cell is the cut divided by this
export const FEWEST_SLOTS = 64; // least size of the hash table of cells; a power of two
export const HASH_COLUMN = 0x9e3779b1;
export const HASH_ROW = 0x85ebca77;
export const HASH_MIX = 0x2c1b3c6d;
