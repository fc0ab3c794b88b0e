// All small measurements, one group after another.

import { uniform } from '../../test/kits/random.ts';
import type { WorldData } from '../data_folders.ts';
import { describeMachine } from '../machine.ts';
import { type Promised, printTable, type Result } from '../result.ts';
import { SECTORS, type World } from '../world.ts';
import { encodeGroup } from './encode.ts';
import { drawMall, fingerprintGroup } from './fingerprints.ts';
import { indoorFollowingGroup, outdoorFollowingGroup } from './following.ts';
import { type MicroMeasured, measureGroup } from './harness.ts';
import { measureKernels } from './kernels.ts';
import { locateGroup } from './locate.ts';
import { lookupGroup, warmCacheMemory } from './lookup.ts';
import { nearestGroup, reverseGroup } from './places.ts';
import { roomGroup } from './rooms.ts';
import { searchGroup } from './search.ts';
import { validationGroup } from './validation.ts';

const DISK_BYTES_EACH = 48;
const LOADED_PER_SECOND = 1_000_000;

/** Measures every group in its order. */
export async function benchMicro(world: World, data: WorldData): Promise<Result> {
  const random = uniform(world.seed);
  const measured: MicroMeasured[] = [await measureKernels()];
  printTable(measured[0].table);
  const cache = warmCacheMemory(world, data);
  const land = await reverseGroup(world.seed);
  const words = await searchGroup(world.seed);
  const mall = drawMall(world.seed);
  const groups = [
    validationGroup(world),
    encodeGroup(world),
    lookupGroup(world, data, cache),
    locateGroup(world, data, cache),
    fingerprintGroup(mall),
    indoorFollowingGroup(mall),
    outdoorFollowingGroup(world.seed),
    roomGroup(world.seed),
    nearestGroup(world.seed),
    land.group,
    ...(words === undefined ? [] : [words.group]),
  ];
  for (const group of groups) {
    const one = await measureGroup(group, random);
    printTable(one.table);
    measured.push(one);
  }
  const tails = words === undefined ? [land.tails] : [land.tails, words.tails];
  for (const table of tails) printTable(table);
  await land.close();
  await words?.close();
  return {
    bench: 'micro',
    date: new Date().toISOString(),
    machine: describeMachine(),
    settings: { stations: world.accessPoints, seed: world.seed },
    tables: [...measured.map(({ table }) => table), ...tails],
    promises: [...measured.flatMap(({ promises }) => promises), ...checkTables(world, data)],
    rounds: measured.flatMap(({ rounds }) => rounds),
  };
}

/** The size on disk after the sorted load, and the speed of the load if this run did it. */
function checkTables(world: World, data: WorldData): Promised[] {
  const bytesEach = data.tableBytes / (world.accessPoints + world.sites * SECTORS);
  const promises = [
    {
      promise: `a station takes at most ${DISK_BYTES_EACH} bytes of disk`,
      figure: `${bytesEach.toFixed(1)} bytes`,
      met: bytesEach <= DISK_BYTES_EACH,
    },
  ];
  if (data.loadedPerSecond !== undefined) {
    const met = data.loadedPerSecond >= LOADED_PER_SECOND;
    promises.push({
      promise: `a sorted load takes ${LOADED_PER_SECOND} stations a second`,
      figure: `${Math.round(data.loadedPerSecond)}`,
      met,
    });
  }
  return promises;
}
