// Takes their weight from particles whose way leads through a wall, four particles at once. A way crosses a wall if the
// ends of each lie on both sides of the other. Walls and ways are relative to the point where all ways begin, so single
// precision is exact to a tenth of a millimetre.

import {
  MAX_NEAR_WALLS,
  MAX_PARTICLES,
  NEAR_WALLS,
  OUT_BOX,
  PARTICLE_EAST,
  PARTICLE_NORTH,
  PARTICLE_WEIGHT,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../memory';

/** Square of the sine of an angle below which a way leads along a wall. */
const PARALLEL: f32 = 1e-12;

function checkRange(first: i32, count: i32): i32 {
  if (first < 0 || count < 4 || ((first | count) & 3) !== 0) return STATUS_TOO_FEW;
  return first > MAX_PARTICLES || count > MAX_PARTICLES - first ? STATUS_TOO_MANY : STATUS_OK;
}

/** See `TrackedParticles.box` (src/indoor/core/tracked_particles.ts). */
export function boxOfParticles(first: i32, count: i32): i32 {
  const status = checkRange(first, count);
  if (status !== STATUS_OK) return status;
  let west = f32x4.splat(Infinity);
  let south = west;
  let east = f32x4.splat(-Infinity);
  let north = east;
  for (let at = first << 2; at < (first + count) << 2; at += 16) {
    const x = v128.load(at, PARTICLE_EAST);
    const y = v128.load(at, PARTICLE_NORTH);
    west = f32x4.min(west, x);
    east = f32x4.max(east, x);
    south = f32x4.min(south, y);
    north = f32x4.max(north, y);
  }
  store<f32>(OUT_BOX, least(west));
  store<f32>(OUT_BOX + 4, least(south));
  store<f32>(OUT_BOX + 8, -least(f32x4.neg(east)));
  store<f32>(OUT_BOX + 12, -least(f32x4.neg(north)));
  return STATUS_OK;
}

/** See `TrackedParticles.stopAtWalls`. */
export function stopAtWalls(first: i32, count: i32, walls: i32, fromEast: f64, fromNorth: f64): i32 {
  const status = checkRange(first, count);
  if (status !== STATUS_OK) return status;
  if (walls < 0) return STATUS_TOO_FEW;
  if (walls > MAX_NEAR_WALLS) return STATUS_TOO_MANY;
  const east = f32x4.splat(<f32>fromEast);
  const north = f32x4.splat(<f32>fromNorth);
  const none = f32x4.splat(0);
  const sign = i32x4.splat(0x80000000);
  const end = walls << 4;
  for (let at = first << 2; at < (first + count) << 2; at += 16) {
    const dx = f32x4.sub(v128.load(at, PARTICLE_EAST), east);
    const dy = f32x4.sub(v128.load(at, PARTICLE_NORTH), north);
    const along = f32x4.mul(f32x4.splat(PARALLEL), f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)));
    let blocked = none;
    for (let w = 0; w < end; w += 16) {
      const x = v128.load32_splat(w, NEAR_WALLS);
      const y = v128.load32_splat(w, NEAR_WALLS + 4);
      const alongX = v128.load32_splat(w, NEAR_WALLS + 8);
      const alongY = v128.load32_splat(w, NEAR_WALLS + 12);
      const turn = f32x4.sub(f32x4.mul(dx, alongY), f32x4.mul(dy, alongX));
      const turned = v128.and(turn, sign);
      const length = f32x4.abs(turn);
      const begin = v128.xor(f32x4.sub(f32x4.mul(x, dy), f32x4.mul(y, dx)), turned);
      const across = v128.xor(f32x4.sub(f32x4.mul(x, alongY), f32x4.mul(y, alongX)), turned);
      const ends = v128.and(f32x4.ge(begin, none), f32x4.le(begin, length));
      const crossed = v128.and(ends, v128.and(f32x4.ge(across, none), f32x4.le(across, length)));
      const squares = f32x4.add(f32x4.mul(alongX, alongX), f32x4.mul(alongY, alongY));
      blocked = v128.or(blocked, v128.and(crossed, f32x4.gt(f32x4.mul(turn, turn), f32x4.mul(along, squares))));
    }
    v128.store(at, v128.andnot(v128.load(at, PARTICLE_WEIGHT), blocked), PARTICLE_WEIGHT);
  }
  return STATUS_OK;
}

function least(four: v128): f32 {
  const two = f32x4.min(four, v128.shuffle<f32>(four, four, 2, 3, 0, 1));
  return min(f32x4.extract_lane(two, 0), f32x4.extract_lane(two, 1));
}
