// Draws particles from a mixture: each component is a circular Gaussian on one floor, and gets the same number of
// particles, which share its weight. So nothing depends on luck but the place of a particle within its component.

import {
  COMPONENT_BIAS,
  COMPONENT_EAST,
  COMPONENT_FLOOR,
  COMPONENT_NORTH,
  COMPONENT_SIGMA,
  COMPONENT_STRIDE,
  COMPONENT_WEIGHT,
  MAX_COMPONENTS,
  MAX_PARTICLES,
  PARTICLE_BIAS,
  PARTICLE_EAST,
  PARTICLE_FLOOR,
  PARTICLE_NORTH,
  PARTICLE_STRIDE,
  PARTICLE_WEIGHT,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../memory';
import { STREAM_SEED_BIAS, STREAM_SEED_EAST, STREAM_SEED_NORTH, STREAM_SEED_STRIDE } from '../particle_constants';
import { keyOf, normals } from '../random';

/** See `TrackedParticles.draw` (src/indoor/core/tracked_particles.ts). */
export function drawParticles(
  first: i32,
  components: i32,
  each: i32,
  seed: i32,
  step: i32,
  biasSigma: f64,
  strideSigma: f64,
): i32 {
  if (first < 0 || (first & 3) !== 0 || components < 1 || each < 4 || (each & 3) !== 0) return STATUS_TOO_FEW;
  if (components > MAX_COMPONENTS || each > MAX_PARTICLES || first > MAX_PARTICLES - components * each)
    return STATUS_TOO_MANY;
  if (!(biasSigma >= 0 && biasSigma <= 100 && strideSigma >= 0 && strideSigma <= 100)) return STATUS_NOT_FINITE;
  const biases = f32x4.splat(<f32>biasSigma);
  const strides = f32x4.splat(<f32>strideSigma);
  const share: f32 = <f32>(1.0 / <f64>each);
  const eastKey = i32x4.splat(keyOf(seed, step, STREAM_SEED_EAST));
  const northKey = i32x4.splat(keyOf(seed, step, STREAM_SEED_NORTH));
  const biasKey = i32x4.splat(keyOf(seed, step, STREAM_SEED_BIAS));
  const strideKey = i32x4.splat(keyOf(seed, step, STREAM_SEED_STRIDE));
  for (let c = 0; c < components; c++) {
    const from = c << 2;
    const east = v128.load32_splat(from, COMPONENT_EAST);
    const north = v128.load32_splat(from, COMPONENT_NORTH);
    const floor = v128.load32_splat(from, COMPONENT_FLOOR);
    const sigma = v128.load32_splat(from, COMPONENT_SIGMA);
    const bias = v128.load32_splat(from, COMPONENT_BIAS);
    const stride = v128.load32_splat(from, COMPONENT_STRIDE);
    const weight = f32x4.splat(load<f32>(from, COMPONENT_WEIGHT) * share);
    const begin = first + c * each;
    for (let i = begin; i < begin + each; i += 4) {
      const at = i << 2;
      const four = i32x4.add(i32x4.splat(i), i32x4(0, 1, 2, 3));
      v128.store(at, f32x4.add(east, f32x4.mul(sigma, normals(eastKey, four))), PARTICLE_EAST);
      v128.store(at, f32x4.add(north, f32x4.mul(sigma, normals(northKey, four))), PARTICLE_NORTH);
      v128.store(at, f32x4.add(bias, f32x4.mul(biases, normals(biasKey, four))), PARTICLE_BIAS);
      v128.store(at, f32x4.add(stride, f32x4.mul(strides, normals(strideKey, four))), PARTICLE_STRIDE);
      v128.store(at, floor, PARTICLE_FLOOR);
      v128.store(at, weight, PARTICLE_WEIGHT);
    }
  }
  return STATUS_OK;
}
