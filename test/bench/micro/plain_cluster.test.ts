// The twin in plain JavaScript is what the published ratio divides by, so it must come to the same clusters as the compiled kernel.

import { expect, test } from 'vitest';
import { clusterPlainly } from '../../../bench/micro/plain_cluster.ts';
import { createCore } from '../../../src/core/core.ts';
import { MAX_LINKED, MAX_POSITIONS, STATUS_OK } from '../../../wasm/memory.ts';
import { uniform } from '../../kits/random.ts';

const core = createCore();

test.each([
  ['a few places', 2, 20, 200],
  ['as many as are linked completely', 100, MAX_LINKED, 40],
  ['more, in balls', MAX_LINKED + 1, 4_000, 20],
  ['as many as there can be', MAX_POSITIONS, MAX_POSITIONS, 1],
])('the twin finds the clusters of the kernel: %s', (_, fewest, most, cases) => {
  const random = uniform(fewest);
  const clusters = new Int32Array(MAX_POSITIONS);
  const found = new Set<number>();
  for (let at = 0; at < cases; at++) {
    const count = fewest + Math.floor((most - fewest + 1) * random());
    const width = 300 + 20_000 * random() ** 3;
    for (let i = 0; i < count; i++) {
      const isInTown = random() < 0.7;
      core.positionEast[i] = isInTown ? (i % 5) * 0.2 * width + 150 * random() : width * random();
      core.positionNorth[i] = isInTown ? ((i * 3) % 5) * 0.2 * width + 150 * random() : width * random();
    }
    const cut = [60, 500, 2_000][at % 3];
    expect(core.cluster(count, cut)).toBe(STATUS_OK);
    const number = clusterPlainly(core.positionEast, core.positionNorth, clusters, count, cut);
    expect(number, `clusters of case ${at}`).toBe(core.clusterCount);
    expect(clusters.subarray(0, count)).toEqual(core.positionCluster.subarray(0, count));
    found.add(number);
  }
  if (cases > 1) expect(found.size).toBeGreaterThan(5);
});
