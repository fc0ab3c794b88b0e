// Counter-based random numbers. A number is a hash of (key, index), so every particle of every step has its own,
// without state, in any order and on any machine. The key is a hash of (seed, step, stream). The hash is Chris Wellons'
// "lowbias32", an integer mixer of two multiplications with near-ideal avalanche.

import {
  BYTES_MEAN,
  BYTES_SCALE,
  MIX_FIRST,
  MIX_SECOND,
  SPREAD_INDEX,
  SPREAD_STEP,
  SPREAD_STREAM,
} from './particle_constants';

/** Mixes 32 bits. */
function mix(x: u32): u32 {
  x ^= x >>> 16;
  x *= <u32>MIX_FIRST;
  x ^= x >>> 15;
  x *= <u32>MIX_SECOND;
  return x ^ (x >>> 15);
}

/** Key of one stream of one step. */
export function keyOf(seed: u32, step: u32, stream: u32): u32 {
  return mix(mix(mix(seed) + step * <u32>SPREAD_STEP) + stream * <u32>SPREAD_STREAM);
}

/**
 * Four standard normal numbers for four indices, each the scaled sum of its hash's four bytes (mean 510, standard
 * deviation 147.8). The first three moments are those of a normal distribution, the kurtosis is 2.7, and no number
 * exceeds 3.45. That is enough for process noise, at a tenth of the cost of Box-Muller.
 */
export function normals(key: v128, index: v128): v128 {
  let x = i32x4.add(i32x4.mul(index, i32x4.splat(<i32>SPREAD_INDEX)), key);
  x = v128.xor(x, i32x4.shr_u(x, 16));
  x = i32x4.mul(x, i32x4.splat(<i32>MIX_FIRST));
  x = v128.xor(x, i32x4.shr_u(x, 15));
  x = i32x4.mul(x, i32x4.splat(<i32>MIX_SECOND));
  x = v128.xor(x, i32x4.shr_u(x, 15));
  const sum = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(x));
  return f32x4.mul(f32x4.convert_i32x4_s(i32x4.sub(sum, i32x4.splat(BYTES_MEAN))), f32x4.splat(<f32>BYTES_SCALE));
}
