// Weighs particles by how well the places of a fingerprint map explain a scan.
//
// A place stands for its surroundings: its likelihood falls with the distance r as (1 - r^2 / reach^2)^2 and is 0
// beyond the reach. A particle has the sum over the places of its floor, plus a background, because a device may be
// where nobody has measured, and no single scan should kill a particle.

import {
  MAX_PARTICLES,
  MAX_PLACES,
  PARTICLE_EAST,
  PARTICLE_FLOOR,
  PARTICLE_NORTH,
  PARTICLE_WEIGHT,
  PLACE_EAST,
  PLACE_FLOOR,
  PLACE_NORTH,
  PLACE_WEIGHT,
  STATUS_NOT_FINITE,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../memory';
import { lanes, normalise } from './normalise';

/** See `TrackedParticles.weigh` (src/indoor/core/tracked_particles.ts). */
export function weighByPlaces(count: i32, places: i32, reach: f64, background: f64): i32 {
  if (count < 4 || (count & 3) !== 0 || places < 0) return STATUS_TOO_FEW;
  if (count > MAX_PARTICLES || places > MAX_PLACES) return STATUS_TOO_MANY;
  if (!(reach >= 0.1 && reach <= 1e6 && background >= 0 && background <= 1e6)) return STATUS_NOT_FINITE;
  const curve = f32x4.splat(<f32>(1 / (reach * reach)));
  const base = f32x4.splat(<f32>background);
  const none = f32x4.splat(0);
  const one = f32x4.splat(1);
  const end = places << 2;
  let sums = none;
  for (let i = 0; i < count; i += 4) {
    const at = i << 2;
    const east = v128.load(at, PARTICLE_EAST);
    const north = v128.load(at, PARTICLE_NORTH);
    const floor = v128.load(at, PARTICLE_FLOOR);
    let likelihood = base;
    for (let p = 0; p < end; p += 4) {
      const dx = f32x4.sub(east, v128.load32_splat(p, PLACE_EAST));
      const dy = f32x4.sub(north, v128.load32_splat(p, PLACE_NORTH));
      const square = f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy));
      const near = f32x4.max(none, f32x4.sub(one, f32x4.mul(square, curve)));
      const term = f32x4.mul(f32x4.mul(near, near), v128.load32_splat(p, PLACE_WEIGHT));
      likelihood = f32x4.add(likelihood, v128.and(term, f32x4.eq(floor, v128.load32_splat(p, PLACE_FLOOR))));
    }
    const weight = f32x4.mul(v128.load(at, PARTICLE_WEIGHT), likelihood);
    v128.store(at, weight, PARTICLE_WEIGHT);
    sums = f32x4.add(sums, weight);
  }
  return normalise(count, lanes(sums));
}
