// Weighted centroid of one cluster of positions.

import {
  MAX_POSITIONS,
  OUT_EAST,
  OUT_NORTH,
  POSITION_CLUSTER,
  POSITION_EAST,
  POSITION_NORTH,
  POSITION_WEIGHT,
  STATUS_DEGENERATE,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from './memory';

/** Weighted mean of the positions `0..count-1` that belong to `cluster`; positions without a positive weight take no part. */
export function weightedCentroid(count: i32, cluster: i32): i32 {
  if (count < 1) return STATUS_TOO_FEW;
  if (count > MAX_POSITIONS) return STATUS_TOO_MANY;
  let sum: f64 = 0;
  let east: f64 = 0;
  let north: f64 = 0;
  let members = 0;
  for (let i = 0; i < count; i++) {
    if (load<i32>(i << 2, POSITION_CLUSTER) !== cluster) continue;
    members++;
    const weight = load<f64>(i << 3, POSITION_WEIGHT);
    if (!(weight > 0)) continue;
    sum += weight;
    east += weight * load<f64>(i << 3, POSITION_EAST);
    north += weight * load<f64>(i << 3, POSITION_NORTH);
  }
  if (members === 0) return STATUS_TOO_FEW;
  if (sum === 0) return STATUS_DEGENERATE;
  east /= sum;
  north /= sum;
  if (!Number.isFinite(east) || !Number.isFinite(north)) return STATUS_NOT_FINITE;
  store<f64>(OUT_EAST, east);
  store<f64>(OUT_NORTH, north);
  return STATUS_OK;
}
