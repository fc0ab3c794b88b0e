// All small measurements, one group after another.

import { describeMachine } from '../machine.ts';
import { randomStream } from '../random.ts';
import { printTable, type Result } from '../report.ts';
import type { World } from '../world.ts';
import { encodeGroup } from './encode.ts';
import { type MicroMeasured, measureGroup } from './harness.ts';

/** Measures every group in its order. */
export async function benchMicro(world: World): Promise<Result> {
  const random = randomStream(world.seed);
  const measured: MicroMeasured[] = [];
  for (const group of [encodeGroup(world)]) {
    const one = await measureGroup(group, random);
    printTable(one.table);
    measured.push(one);
  }
  return {
    bench: 'micro',
    date: new Date().toISOString(),
    machine: describeMachine(),
    settings: { stations: world.accessPoints, seed: world.seed },
    tables: measured.map(({ table }) => table),
    promises: measured.flatMap(({ promises }) => promises),
    rounds: measured.flatMap(({ rounds }) => rounds),
  };
}
