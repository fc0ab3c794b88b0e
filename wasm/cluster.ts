// Groups of places that can be observed together. A chain of stations must not tie two far groups into one, so a group's width is bounded.
//
// - All places within a box whose diagonal is at most the cut: one group, the usual case, in one pass.
<<<<<<< HEAD
// - Up to MAX_LINKED places: complete linkage cut at `cut`, by the nearest-neighbour chain (Benzecri 1982; Murtagh 1983): follow nearest neighbours until
//   two clusters are each other's nearest, merge them. Complete linkage is reducible, so a cluster whose nearest neighbour is beyond the cut never finds
//   a nearer one and is final. O(n^2); no group is wider than the cut.
// - More: balls of radius `cut` around the densest spots (cluster_balls.ts). Linear in n; no group is wider than twice the cut.

import { clusterByBalls } from './cluster_balls';
import {
  CLUSTER_ACTIVE,
  CLUSTER_CHAIN,
=======
// - Up to MAX_LINKED places: complete linkage cut at `cut` (cluster_linkage.ts); no group is wider than the cut.
// - More: balls of radius `cut` around the densest spots (cluster_balls.ts). Linear in n; no group is wider than twice the cut.

import { clusterByBalls } from './cluster_balls';
import { clusterByLinkage } from './cluster_linkage';
import {
>>>>>>> core
  CLUSTER_MATRIX,
  MAX_LINKED,
  MAX_PLACES,
  OUT_COUNT,
  PLACE_CLUSTER,
  PLACE_EAST,
  PLACE_NORTH,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from './layout';

const FARTHEST: f64 = 1e8; // metres; more is no place in a local frame

/** Clusters the places `0..count-1`; writes the cluster of each, numbered by first appearance, and the number of clusters. */
export function cluster(count: i32, cut: f64): i32 {
  if (count < 1) return STATUS_TOO_FEW;
  if (count > MAX_PLACES) return STATUS_TOO_MANY;
  if (!(cut >= 1 && cut <= FARTHEST)) return STATUS_NOT_FINITE;
  let west = Infinity;
  let east = -Infinity;
  let south = Infinity;
  let north = -Infinity;
  for (let i = 0; i < count; i++) {
    const x = load<f64>(i << 3, PLACE_EAST);
    const y = load<f64>(i << 3, PLACE_NORTH);
    if (!(Math.abs(x) <= FARTHEST && Math.abs(y) <= FARTHEST)) return STATUS_NOT_FINITE;
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  const width = east - west;
  const height = north - south;
  if (width * width + height * height <= cut * cut) {
    memory.fill(PLACE_CLUSTER, 0, count << 2);
    store<i32>(OUT_COUNT, 1);
  } else if (count <= MAX_LINKED) {
<<<<<<< HEAD
    linkCompletely(count, cut * cut);
=======
    clusterByLinkage(count, cut, west, south);
>>>>>>> core
    renumber(count);
  } else {
    clusterByBalls(count, cut, west, south);
    renumber(count);
  }
  return STATUS_OK;
}

<<<<<<< HEAD
/** Row of the symmetric matrix of squared distances. */
function row(i: i32): i32 {
  return i * (MAX_LINKED << 3);
}

/** Complete linkage; leaves in PLACE_CLUSTER the lowest-numbered surviving place of each cluster. */
function linkCompletely(count: i32, cut2: f64): void {
  for (let i = 0; i < count; i++) {
    const x = load<f64>(i << 3, PLACE_EAST);
    const y = load<f64>(i << 3, PLACE_NORTH);
    store<i32>(i << 2, i, PLACE_CLUSTER);
    store<i32>(i << 2, i, CLUSTER_ACTIVE);
    for (let j = 0; j < i; j++) {
      const dx = x - load<f64>(j << 3, PLACE_EAST);
      const dy = y - load<f64>(j << 3, PLACE_NORTH);
      const d2 = dx * dx + dy * dy;
      store<f64>(row(i) + (j << 3), d2, CLUSTER_MATRIX);
      store<f64>(row(j) + (i << 3), d2, CLUSTER_MATRIX);
    }
  }
  // CLUSTER_ACTIVE holds the clusters that may still merge, in no order; a cluster is named by one of its places.
  let active = count;
  let length = 0;
  while (active > 0) {
    if (length === 0) {
      store<i32>(0, load<i32>(0, CLUSTER_ACTIVE), CLUSTER_CHAIN);
      length = 1;
    }
    const tip = load<i32>((length - 1) << 2, CLUSTER_CHAIN);
    const before = length > 1 ? load<i32>((length - 2) << 2, CLUSTER_CHAIN) : -1;
    let nearest = before;
    let best = before >= 0 ? load<f64>(row(tip) + (before << 3), CLUSTER_MATRIX) : Infinity;
    for (let k = 0; k < active; k++) {
      const other = load<i32>(k << 2, CLUSTER_ACTIVE);
      if (other === tip) continue;
      const d2 = load<f64>(row(tip) + (other << 3), CLUSTER_MATRIX);
      if (d2 < best) {
        best = d2;
        nearest = other;
      }
    }
    if (nearest < 0 || best > cut2) {
      active = deactivate(tip, active);
      length--;
    } else if (nearest === before) {
      active = merge(before, tip, active);
      length -= 2;
    } else {
      store<i32>(length << 2, nearest, CLUSTER_CHAIN);
      length++;
    }
  }
  // Follow the merges to their end.
  for (let i = 0; i < count; i++) {
    let root = i;
    while (load<i32>(root << 2, PLACE_CLUSTER) !== root) root = load<i32>(root << 2, PLACE_CLUSTER);
    store<i32>(i << 2, root, PLACE_CLUSTER);
  }
}

/** Takes a cluster from the list. @returns the new length. */
function deactivate(name: i32, active: i32): i32 {
  let k = 0;
  while (load<i32>(k << 2, CLUSTER_ACTIVE) !== name) k++;
  store<i32>(k << 2, load<i32>((active - 1) << 2, CLUSTER_ACTIVE), CLUSTER_ACTIVE);
  return active - 1;
}

/** Merges `gone` into `kept`: the distance to every other cluster becomes the larger of the two. @returns the new length of the list. */
function merge(kept: i32, gone: i32, active: i32): i32 {
  store<i32>(gone << 2, kept, PLACE_CLUSTER);
  active = deactivate(gone, active);
  for (let k = 0; k < active; k++) {
    const other = load<i32>(k << 2, CLUSTER_ACTIVE);
    const d2 = Math.max(load<f64>(row(kept) + (other << 3), CLUSTER_MATRIX), load<f64>(row(gone) + (other << 3), CLUSTER_MATRIX));
    store<f64>(row(kept) + (other << 3), d2, CLUSTER_MATRIX);
    store<f64>(row(other) + (kept << 3), d2, CLUSTER_MATRIX);
  }
  return active;
}

=======
>>>>>>> core
/** Turns names of clusters (0..count-1) into numbers by first appearance. */
function renumber(count: i32): void {
  memory.fill(CLUSTER_MATRIX, 0xff, count << 2);
  let clusters = 0;
  for (let i = 0; i < count; i++) {
    const name = load<i32>(i << 2, PLACE_CLUSTER);
    let number = load<i32>(name << 2, CLUSTER_MATRIX);
    if (number < 0) {
      number = clusters++;
      store<i32>(name << 2, number, CLUSTER_MATRIX);
    }
    store<i32>(i << 2, number, PLACE_CLUSTER);
  }
  store<i32>(OUT_COUNT, clusters);
}
