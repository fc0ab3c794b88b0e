import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCore } from '../../src/core/core.ts';
import { MAX_LINKED, MAX_POSITIONS, STATUS_NOT_FINITE, STATUS_OK, STATUS_TOO_FEW, STATUS_TOO_MANY } from '../../wasm/memory.ts';
import { uniform } from '../kits/random.ts';

const core = createCore();

function put(positions: [number, number][]): void {
  positions.forEach(([east, north], i) => {
    core.positionEast[i] = east;
    core.positionNorth[i] = north;
  });
}

/** Clusters in a row of letters, and their number. */
function clusterOf(positions: [number, number][], cut: number): number[] {
  put(positions);
  expect(core.cluster(positions.length, cut)).toBe(STATUS_OK);
  return Array.from(core.positionCluster.subarray(0, positions.length));
}

function distance([a, b]: [number, number], [c, d]: [number, number]): number {
  return Math.hypot(a - c, b - d);
}

/** Complete linkage as it is defined: merge the two clusters whose farthest members are nearest, until that exceeds the cut. */
function byDefinition(positions: [number, number][], cut: number): number[] {
  let groups = positions.map((_, i) => [i]);
  while (groups.length > 1) {
    let best = Infinity;
    let pair: [number, number] = [0, 0];
    for (let a = 0; a < groups.length; a++) {
      for (let b = a + 1; b < groups.length; b++) {
        const width = Math.max(...groups[a].flatMap(i => groups[b].map(j => distance(positions[i], positions[j]))));
        if (width < best) {
          best = width;
          pair = [a, b];
        }
      }
    }
    if (best > cut) break;
    const [a, b] = pair;
    groups = [...groups.filter((_, i) => i !== a && i !== b), [...groups[a], ...groups[b]]];
  }
  const numbers = new Map<number, number>();
  return positions.map((_, i) => {
    const group = groups.findIndex(members => members.includes(i));
    if (!numbers.has(group)) numbers.set(group, numbers.size);
    return numbers.get(group)!;
  });
}

/** Widest distance within one cluster. */
function widest(positions: [number, number][], clusters: number[]): number {
  let width = 0;
  for (let i = 0; i < positions.length; i++) {
    for (let j = 0; j < i; j++) if (clusters[i] === clusters[j]) width = Math.max(width, distance(positions[i], positions[j]));
  }
  return width;
}

test('two towns and an outlier are three clusters', () => {
  //   a b . . . . . . . . c d
  //   . . . . . . . . . . . .
  //   . . . . e
  const positions: [number, number][] = [
    [0, 0],
    [100, 0],
    [2000, 0],
    [2100, 0],
    [900, -900],
  ];
  expect(clusterOf(positions, 500)).toEqual([0, 0, 1, 1, 2]);
  expect(core.clusterCount).toBe(3);
});

test('a chain of stations does not tie two far towns together', () => {
  const positions: [number, number][] = [];
  for (let i = 0; i < 20; i++) positions.push([i % 5, i]);
  for (let i = 0; i < 20; i++) positions.push([3000 + (i % 5), i]);
  for (let i = 1; i < 10; i++) positions.push([300 * i, 10]);
  const clusters = clusterOf(positions, 500);
  expect(clusters[0]).not.toBe(clusters[20]);
  expect(new Set(clusters.slice(0, 20)).size).toBe(1);
  expect(new Set(clusters.slice(20, 40)).size).toBe(1);
});

test('a crowd of 10,000 and a chain out of it keep the far end apart', () => {
  const random = uniform(5);
  const positions: [number, number][] = Array.from({ length: 9_000 }, () => [200 * random(), 200 * random()]);
  for (let i = 0; i < 600; i++) positions.push([10 * i, 100]);
  for (let i = 0; i < 400; i++) positions.push([6000 + 100 * random(), 100 * random()]);
  const clusters = clusterOf(positions, 500);
  expect(clusters[0]).not.toBe(clusters[9_999]);
  expect(widest(positions.slice(8_990), clusters.slice(8_990))).toBeLessThanOrEqual(1000);
  expect(new Set(clusters.slice(0, 9_000)).size).toBe(1);
});

test('up to 512 positions it is complete linkage', () => {
  const coordinate = fc.double({ min: -1500, max: 1500, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 24 }),
      fc.integer({ min: 50, max: 2000 }),
      (positions, cut) => {
        // Equal distances may be linked in either order: those draws prove nothing.
        const distances = positions.flatMap((p, i) => positions.slice(0, i).map(q => distance(p, q))).sort((a, b) => a - b);
        fc.pre(distances.every((d, i) => i === 0 || d - distances[i - 1] > 1e-6) && distances.every(d => Math.abs(d - cut) > 1e-6));
        expect(clusterOf(positions, cut)).toEqual(byDefinition(positions, cut));
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});

test('at the limit of exact linkage no cluster is wider than the cut', () => {
  const random = uniform(2);
  const positions: [number, number][] = Array.from({ length: MAX_LINKED }, () => [4000 * random(), 4000 * random()]);
  const clusters = clusterOf(positions, 500);
  expect(widest(positions, clusters)).toBeLessThanOrEqual(500);
  expect(Math.max(...clusters) + 1).toBe(core.clusterCount);
});

test('beyond it none is wider than twice the cut, and every position has a cluster', () => {
  for (const [seed, spread] of [
    [3, 20_000],
    [4, 3_000],
    [5, 700],
  ]) {
    const random = uniform(seed);
    const positions: [number, number][] = Array.from({ length: 2_000 }, () => [spread * random() ** 2, spread * random()]);
    const clusters = clusterOf(positions, 500);
    expect(widest(positions, clusters)).toBeLessThanOrEqual(1000);
    expect(new Set(clusters)).toEqual(new Set(Array.from({ length: core.clusterCount }, (_, i) => i)));
  }
});

test('a town of more than 512 positions within the cut stays whole despite outliers', () => {
  const random = uniform(6);
  const positions: [number, number][] = Array.from({ length: 3_000 }, () => [300 * random(), 300 * random()]);
  positions.push([9_000, 0], [0, 9_000]);
  const clusters = clusterOf(positions, 500);
  expect(new Set(clusters.slice(0, 3_000))).toEqual(new Set([0]));
  expect(clusters.slice(3_000)).toEqual([1, 2]);
});

test('coincident positions are one cluster, in any number', () => {
  for (const count of [1, 2, MAX_LINKED, MAX_POSITIONS]) {
    core.positionEast.fill(7, 0, count);
    core.positionNorth.fill(-7, 0, count);
    expect(core.cluster(count, 500)).toBe(STATUS_OK);
    expect(core.clusterCount).toBe(1);
    expect(core.positionCluster[count - 1]).toBe(0);
  }
  // With a stray, so that the one-box shortcut does not apply.
  core.positionEast[0] = 5_000;
  expect(core.cluster(MAX_POSITIONS, 500)).toBe(STATUS_OK);
  expect(core.clusterCount).toBe(2);
  expect(core.cluster(MAX_LINKED, 500)).toBe(STATUS_OK);
  expect(core.clusterCount).toBe(2);
});

test('none, too many, NaN and a senseless cut are told apart', () => {
  put([
    [0, 0],
    [1, 1],
  ]);
  expect(core.cluster(0, 500)).toBe(STATUS_TOO_FEW);
  expect(core.cluster(-1, 500)).toBe(STATUS_TOO_FEW);
  expect(core.cluster(MAX_POSITIONS + 1, 500)).toBe(STATUS_TOO_MANY);
  for (const cut of [0, -5, NaN, Infinity]) expect(core.cluster(2, cut)).toBe(STATUS_NOT_FINITE);
  for (const wrong of [NaN, Infinity, 1e9]) {
    core.positionNorth[1] = wrong;
    expect(core.cluster(2, 500)).toBe(STATUS_NOT_FINITE);
  }
});
