// The constants of the particle filter: its random numbers (random.ts) and the stream that each noise draws from
// (tracking/draw_particles.ts, tracking/draw_moving.ts, tracking/move_particles.ts). Both compilers read this file: the
// kernels fold the numbers in, and the kernels' twin in plain JavaScript uses the same ones. So nothing here may be
// annotated. To asc, multipliers above 2^31 are 64-bit numbers, which are cast where they are used.

// The counter hash "lowbias32", and odd numbers that separate step, stream and index.
export const MIX_FIRST = 0x21f0aaad;
export const MIX_SECOND = 0xd35a2d97;
export const SPREAD_STEP = 0x9e3779b9;
export const SPREAD_STREAM = 0x85ebca6b;
export const SPREAD_INDEX = 0x9e3779b9;
// A normal number is the sum of a hash's four bytes, minus its mean, over its standard deviation.
export const BYTES_MEAN = 510;
export const BYTES_SCALE = 0.006765875086793228; // 1 / 147.8

// The streams of one step.
export const STREAM_LENGTH = 0;
export const STREAM_HEADING = 1;
export const STREAM_BIAS = 2;
export const STREAM_EAST = 3;
export const STREAM_NORTH = 4;
export const STREAM_SEED_EAST = 16;
export const STREAM_SEED_NORTH = 17;
export const STREAM_SEED_BIAS = 18;
export const STREAM_SEED_STRIDE = 19;
export const STREAM_EAST_SPEED = 20;
export const STREAM_NORTH_SPEED = 21;
