// The end of weighing particles: their weights become shares.

import { PARTICLE_WEIGHT, STATUS_DEGENERATE, STATUS_NOT_FINITE, STATUS_OK } from '../memory';

/** Makes the sum of the weights 1. */
export function normalise(count: i32, total: f64): i32 {
  if (!Number.isFinite(total)) return STATUS_NOT_FINITE;
  if (!(total > 1e-30)) return STATUS_DEGENERATE;
  const scale = f32x4.splat(<f32>(1 / total));
  for (let i = 0; i < count; i += 4)
    v128.store(i << 2, f32x4.mul(v128.load(i << 2, PARTICLE_WEIGHT), scale), PARTICLE_WEIGHT);
  return STATUS_OK;
}

/** The sum of four numbers. */
export function lanes(sum: v128): f64 {
  const even = <f64>f32x4.extract_lane(sum, 0) + <f64>f32x4.extract_lane(sum, 2);
  return even + <f64>f32x4.extract_lane(sum, 1) + <f64>f32x4.extract_lane(sum, 3);
}
