// Moves particles by step length and heading. All numbers are f32, four particles at a time. Counts are rounded up to a
// multiple of four.
//
// A move is length * stride + noise in the direction heading + bias + noise, plus some unexplained drift along each
// axis. The bias is the error of the device's compass, and the stride is how long its steps are. Each particle has its
// own, and the filter learns them; the bias also changes slowly.

import {
  MAX_PARTICLES,
  PARTICLE_BIAS,
  PARTICLE_EAST,
  PARTICLE_NORTH,
  PARTICLE_STRIDE,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../memory';
import { STREAM_BIAS, STREAM_EAST, STREAM_HEADING, STREAM_LENGTH, STREAM_NORTH } from '../particle_constants';
import { keyOf, normals } from '../random';

/** See `TrackedParticles.move` (src/indoor/core/tracked_particles.ts). */
export function moveParticles(
  count: i32,
  seed: i32,
  step: i32,
  length: f64,
  heading: f64,
  lengthSigma: f64,
  headingSigma: f64,
  biasSigma: f64,
  driftSigma: f64,
): i32 {
  if (count < 1) return STATUS_TOO_FEW;
  if (count > MAX_PARTICLES) return STATUS_TOO_MANY;
  if (!(Math.abs(length) <= 1e5 && Math.abs(heading) <= 1e3)) return STATUS_NOT_FINITE;
  if (!(lengthSigma >= 0 && lengthSigma <= 1e5 && headingSigma >= 0 && headingSigma <= 10)) return STATUS_NOT_FINITE;
  if (!(biasSigma >= 0 && biasSigma <= 10 && driftSigma >= 0 && driftSigma <= 1e5)) return STATUS_NOT_FINITE;
  const lengths = f32x4.splat(<f32>length);
  const headings = f32x4.splat(<f32>heading);
  const lengthNoise = f32x4.splat(<f32>lengthSigma);
  const headingNoise = f32x4.splat(<f32>headingSigma);
  const biasNoise = f32x4.splat(<f32>biasSigma);
  const driftNoise = f32x4.splat(<f32>driftSigma);
  const lengthKey = i32x4.splat(keyOf(seed, step, STREAM_LENGTH));
  const headingKey = i32x4.splat(keyOf(seed, step, STREAM_HEADING));
  const biasKey = i32x4.splat(keyOf(seed, step, STREAM_BIAS));
  const eastKey = i32x4.splat(keyOf(seed, step, STREAM_EAST));
  const northKey = i32x4.splat(keyOf(seed, step, STREAM_NORTH));
  for (let i = 0; i < count; i += 4) {
    const at = i << 2;
    const four = i32x4.add(i32x4.splat(i), i32x4(0, 1, 2, 3));
    const bias = f32x4.add(v128.load(at, PARTICLE_BIAS), f32x4.mul(biasNoise, normals(biasKey, four)));
    const angle = f32x4.add(f32x4.add(headings, bias), f32x4.mul(headingNoise, normals(headingKey, four)));
    const walked = f32x4.add(
      f32x4.mul(lengths, v128.load(at, PARTICLE_STRIDE)),
      f32x4.mul(lengthNoise, normals(lengthKey, four)),
    );
    // The angle is reduced to -pi..pi and halved: sin 2h = 2 sin h cos h, cos 2h = 1 - 2 sin^2 h, with series on
    // -pi/2..pi/2.
    const turns = f32x4.nearest(f32x4.mul(angle, f32x4.splat(0.15915494309189535)));
    const reduced = f32x4.sub(
      f32x4.sub(angle, f32x4.mul(turns, f32x4.splat(6.28125))),
      f32x4.mul(turns, f32x4.splat(0.0019353071795864768)),
    );
    const half = f32x4.mul(reduced, f32x4.splat(0.5));
    const sine = sineOf(half);
    const cosine = cosineOf(half);
    const eastward = f32x4.mul(f32x4.add(sine, sine), cosine);
    const northward = f32x4.sub(f32x4.splat(1), f32x4.mul(f32x4.add(sine, sine), sine));
    const east = f32x4.add(v128.load(at, PARTICLE_EAST), f32x4.mul(walked, eastward));
    const north = f32x4.add(v128.load(at, PARTICLE_NORTH), f32x4.mul(walked, northward));
    v128.store(at, bias, PARTICLE_BIAS);
    v128.store(at, f32x4.add(east, f32x4.mul(driftNoise, normals(eastKey, four))), PARTICLE_EAST);
    v128.store(at, f32x4.add(north, f32x4.mul(driftNoise, normals(northKey, four))), PARTICLE_NORTH);
  }
  return STATUS_OK;
}

/** Sine on -pi/2..pi/2 by a Taylor series to the ninth power: error under 4e-6. */
function sineOf(x: v128): v128 {
  const s = f32x4.mul(x, x);
  let sum = f32x4.add(f32x4.splat(-0.0001984126984126984), f32x4.mul(s, f32x4.splat(0.0000027557319223985893)));
  sum = f32x4.add(f32x4.splat(0.008333333333333333), f32x4.mul(s, sum));
  sum = f32x4.add(f32x4.splat(-0.16666666666666666), f32x4.mul(s, sum));
  return f32x4.add(x, f32x4.mul(f32x4.mul(x, s), sum));
}

/** Cosine on -pi/2..pi/2 by a Taylor series to the tenth power: error under 5e-7. */
function cosineOf(x: v128): v128 {
  const s = f32x4.mul(x, x);
  let sum = f32x4.add(f32x4.splat(0.0000248015873015873), f32x4.mul(s, f32x4.splat(-0.00000027557319223985888)));
  sum = f32x4.add(f32x4.splat(-0.001388888888888889), f32x4.mul(s, sum));
  sum = f32x4.add(f32x4.splat(0.041666666666666664), f32x4.mul(s, sum));
  sum = f32x4.add(f32x4.splat(-0.5), f32x4.mul(s, sum));
  return f32x4.add(f32x4.splat(1), f32x4.mul(s, sum));
}
