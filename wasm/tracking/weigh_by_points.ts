// Weighs particles by how well the points of radio maps explain what a device hears, and points by the particles around
// them.
//
// A point stands for its surroundings: at the distance r its likelihood is multiplied by 1 / (1 + r^2 / width^2)^2. A
// particle has the sum over all points, plus a background, because a device may be where nobody has measured. The same
// kernel tells how many particles, by their weights before, lead to a point.

import {
  MAX_PARTICLES,
  MAX_POINTS,
  PARTICLE_EAST,
  PARTICLE_NORTH,
  PARTICLE_WEIGHT,
  POINT_DENSITY,
  POINT_EAST,
  POINT_NORTH,
  POINT_WEIGHT,
  STATUS_NOT_FINITE,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../memory';
import { lanes, normalise } from './normalise';

/** See `MovingParticles.weigh` (src/core/moving_particles.ts). */
export function weighByPoints(count: i32, points: i32, width: f64, background: f64): i32 {
  if (count < 4 || (count & 3) !== 0 || points < 0) return STATUS_TOO_FEW;
  if (count > MAX_PARTICLES || points > MAX_POINTS) return STATUS_TOO_MANY;
  if (!(width >= 1 && width <= 1e6 && background >= 0 && background <= 1e30)) return STATUS_NOT_FINITE;
  const curve = f32x4.splat(<f32>(1 / (width * width)));
  const base = f32x4.splat(<f32>background);
  const none = f32x4.splat(0);
  const one = f32x4.splat(1);
  const end = points << 2;
  for (let p = 0; p < end; p += 4) v128.store(p << 2, none, POINT_DENSITY);
  let sums = none;
  for (let i = 0; i < count; i += 4) {
    const at = i << 2;
    const east = v128.load(at, PARTICLE_EAST);
    const north = v128.load(at, PARTICLE_NORTH);
    const before = v128.load(at, PARTICLE_WEIGHT);
    let likelihood = base;
    for (let p = 0; p < end; p += 4) {
      const dx = f32x4.sub(east, v128.load32_splat(p, POINT_EAST));
      const dy = f32x4.sub(north, v128.load32_splat(p, POINT_NORTH));
      const square = f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy));
      const root = f32x4.div(one, f32x4.add(one, f32x4.mul(square, curve)));
      const near = f32x4.mul(root, root);
      likelihood = f32x4.add(likelihood, f32x4.mul(near, v128.load32_splat(p, POINT_WEIGHT)));
      const density = f32x4.add(v128.load(p << 2, POINT_DENSITY), f32x4.mul(near, before));
      v128.store(p << 2, density, POINT_DENSITY);
    }
    const weight = f32x4.mul(before, likelihood);
    v128.store(at, weight, PARTICLE_WEIGHT);
    sums = f32x4.add(sums, weight);
  }
  // Each sum takes the place of a quarter of one that has been read.
  for (let p = 0; p < end; p += 4) store<f32>(p, <f32>lanes(v128.load(p << 2, POINT_DENSITY)), POINT_DENSITY);
  return normalise(count, lanes(sums));
}
