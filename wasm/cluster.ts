// Groups positions that can be observed together. The width of a group is bounded, so that a chain of stations cannot join two distant groups.
//
// - The usual case: all positions are in a box whose diagonal is at most the cut. They are one group, found in one pass.
// - Up to MAX_LINKED positions: complete linkage cut at `cut` (cluster_linkage.ts); no group is wider than the cut.
// - More: balls of radius `cut` around the densest positions (cluster_balls.ts), in linear time; no group is wider than twice the cut.

import { clusterByBalls } from './cluster_balls';
import { clusterByLinkage } from './cluster_linkage';
import {
  CLUSTER_MATRIX,
  MAX_LINKED,
  MAX_POSITIONS,
  OUT_COUNT,
  POSITION_CLUSTER,
  POSITION_EAST,
  POSITION_NORTH,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from './memory';

const FARTHEST: f64 = 1e8; // metres; a local frame reaches no farther

/** Clusters the positions `0..count-1`; writes the cluster of each, numbered by first appearance, and the number of clusters. */
export function cluster(count: i32, cut: f64): i32 {
  if (count < 1) return STATUS_TOO_FEW;
  if (count > MAX_POSITIONS) return STATUS_TOO_MANY;
  if (!(cut >= 1 && cut <= FARTHEST)) return STATUS_NOT_FINITE;
  let west = Infinity;
  let east = -Infinity;
  let south = Infinity;
  let north = -Infinity;
  for (let i = 0; i < count; i++) {
    const x = load<f64>(i << 3, POSITION_EAST);
    const y = load<f64>(i << 3, POSITION_NORTH);
    if (!(Math.abs(x) <= FARTHEST && Math.abs(y) <= FARTHEST)) return STATUS_NOT_FINITE;
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  const width = east - west;
  const height = north - south;
  if (width * width + height * height <= cut * cut) {
    memory.fill(POSITION_CLUSTER, 0, count << 2);
    store<i32>(OUT_COUNT, 1);
  } else if (count <= MAX_LINKED) {
    clusterByLinkage(count, cut, west, south);
    renumber(count);
  } else {
    clusterByBalls(count, cut, west, south);
    renumber(count);
  }
  return STATUS_OK;
}

/** Numbers the clusters by first appearance, instead of by the position that names each (0..count-1). */
function renumber(count: i32): void {
  memory.fill(CLUSTER_MATRIX, 0xff, count << 2);
  let clusters = 0;
  for (let i = 0; i < count; i++) {
    const name = load<i32>(i << 2, POSITION_CLUSTER);
    let number = load<i32>(name << 2, CLUSTER_MATRIX);
    if (number < 0) {
      number = clusters++;
      store<i32>(name << 2, number, CLUSTER_MATRIX);
    }
    store<i32>(i << 2, number, POSITION_CLUSTER);
  }
  store<i32>(OUT_COUNT, clusters);
}
