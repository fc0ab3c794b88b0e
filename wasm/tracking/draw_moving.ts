// Draws particles that move, from a mixture: each component is a circular Gaussian of positions, and one of the speeds
// that belong to a position. It gets the same number of particles, which share its weight. They come in pairs that lie
// opposite each other, so a component keeps its mean, whatever its numbers are.

import {
  COMPONENT_EAST,
  COMPONENT_EAST_SPEED,
  COMPONENT_NORTH,
  COMPONENT_NORTH_SPEED,
  COMPONENT_SIGMA,
  COMPONENT_SLOPE,
  COMPONENT_SPEED_SIGMA,
  COMPONENT_WEIGHT,
  MAX_COMPONENTS,
  MAX_PARTICLES,
  PARTICLE_EAST,
  PARTICLE_EAST_SPEED,
  PARTICLE_NORTH,
  PARTICLE_NORTH_SPEED,
  PARTICLE_WEIGHT,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../memory';
import { STREAM_EAST_SPEED, STREAM_NORTH_SPEED, STREAM_SEED_EAST, STREAM_SEED_NORTH } from '../particle_constants';
import { keyOf, normals } from '../random';

/** See `MovingParticles.draw` (src/core/moving_particles.ts). */
export function drawMoving(first: i32, components: i32, each: i32, seed: i32): i32 {
  if (first < 0 || (first & 3) !== 0 || components < 1 || each < 4 || (each & 3) !== 0) return STATUS_TOO_FEW;
  if (components > MAX_COMPONENTS || each > MAX_PARTICLES || first > MAX_PARTICLES - components * each)
    return STATUS_TOO_MANY;
  const share: f32 = <f32>(1.0 / <f64>each);
  const eastKey = i32x4.splat(keyOf(seed, 0, STREAM_SEED_EAST));
  const northKey = i32x4.splat(keyOf(seed, 0, STREAM_SEED_NORTH));
  const eastSpeedKey = i32x4.splat(keyOf(seed, 0, STREAM_EAST_SPEED));
  const northSpeedKey = i32x4.splat(keyOf(seed, 0, STREAM_NORTH_SPEED));
  for (let c = 0; c < components; c++) {
    const from = c << 2;
    const sigma = v128.load32_splat(from, COMPONENT_SIGMA);
    const slope = v128.load32_splat(from, COMPONENT_SLOPE);
    const speedSigma = v128.load32_splat(from, COMPONENT_SPEED_SIGMA);
    const weight = f32x4.splat(load<f32>(from, COMPONENT_WEIGHT) * share);
    const begin = first + c * each;
    for (let i = begin; i < begin + each; i += 4) {
      const pairs = i32x4.add(i32x4.splat(i), i32x4(0, 1, 0, 1));
      const east = f32x4.mul(sigma, opposite(normals(eastKey, pairs)));
      const north = f32x4.mul(sigma, opposite(normals(northKey, pairs)));
      const eastSpeed = f32x4.mul(speedSigma, opposite(normals(eastSpeedKey, pairs)));
      const northSpeed = f32x4.mul(speedSigma, opposite(normals(northSpeedKey, pairs)));
      const at = i << 2;
      v128.store(at, f32x4.add(v128.load32_splat(from, COMPONENT_EAST), east), PARTICLE_EAST);
      v128.store(at, f32x4.add(v128.load32_splat(from, COMPONENT_NORTH), north), PARTICLE_NORTH);
      const eastward = f32x4.add(v128.load32_splat(from, COMPONENT_EAST_SPEED), f32x4.mul(slope, east));
      const northward = f32x4.add(v128.load32_splat(from, COMPONENT_NORTH_SPEED), f32x4.mul(slope, north));
      v128.store(at, f32x4.add(eastward, eastSpeed), PARTICLE_EAST_SPEED);
      v128.store(at, f32x4.add(northward, northSpeed), PARTICLE_NORTH_SPEED);
      v128.store(at, weight, PARTICLE_WEIGHT);
    }
  }
  return STATUS_OK;
}

/** Turns the sign of the last two of four numbers. */
function opposite(numbers: v128): v128 {
  return f32x4.mul(numbers, f32x4(1, 1, -1, -1));
}
