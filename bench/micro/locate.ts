// What does a whole position cost, from the written query to the answer in it? This includes lookups in the warm cache,
// all strategies and the numeric core, but not HTTP, JSON, keys and credits, which `path` measures. Hot: a few
// requests, repeated. Cold: many requests from all over the tables.

import type { CacheMemory } from '../../src/core/cache_memory.ts';
import { Locator } from '../../src/positioning/locate.ts';
import { readQuery } from '../../src/protocol/requests/position_query.ts';
import type { PositionBody } from '../../src/protocol/requests/schema.ts';
import { isFound } from '../../src/radio/query/answer.ts';
import { QueryMemory } from '../../src/radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../../src/radio/query/writer.ts';
import { metresTo } from '../../test/kits/radio/ground.ts';
import { answerAt } from '../../test/kits/radio/station_folder.ts';
import type { WorldData } from '../data_folders.ts';
import { renderBody, type Scan, scanAt } from '../requests.ts';
import { median } from '../statistics.ts';
import type { World } from '../world.ts';
import { NOON_MILLISECONDS } from './encode.ts';
import type { MicroGroup } from './harness.ts';

const HOT_REQUESTS = 32;
const COLD_REQUESTS = 20_000;
const REQUESTS_A_CALL = 100;
const OBSERVATIONS_MAX = 32;
/** If the median error is larger, the answers are wrong and nothing is timed. */
const MEDIAN_ERROR_LIMIT_METRES = 40;

/** Whole positions in a world whose tables and cache are ready. @throws Error if the answers are wrong */
export function locateGroup(world: World, data: WorldData, cache: CacheMemory): MicroGroup {
  const locator = new Locator(data.folder, cache);
  const scans = Array.from({ length: COLD_REQUESTS }, (_, number) => scanAt(world, number));
  const memory = new QueryMemory(new SharedArrayBuffer(COLD_REQUESTS * queryBytes(OBSERVATIONS_MAX)));
  const offsets = writeQueries(memory, scans);
  checkPositions(locator, memory, offsets, scans);
  return {
    title: 'Whole position of one request, query to answer',
    cases: [
      { name: 'locate, hot', ...locateInTurn(locator, memory, offsets.slice(0, HOT_REQUESTS)) },
      { name: 'locate, cold', ...locateInTurn(locator, memory, offsets) },
    ],
  };
}

/** Writes the queries one after the other, as the HTTP side does. @returns their offsets */
function writeQueries(memory: QueryMemory, scans: readonly Scan[]): number[] {
  const writer = new QueryWriter(memory);
  let offset = 0;
  return scans.map(scan => {
    const start = offset;
    offset = readQuery(JSON.parse(renderBody(scan)) as PositionBody, NOON_MILLISECONDS, writer, start).end;
    return start;
  });
}

function checkPositions(
  locator: Locator,
  memory: QueryMemory,
  offsets: readonly number[],
  scans: readonly Scan[],
): void {
  const errors = scans.map((scan, i) => {
    locator.lookUp(memory, offsets[i]);
    locator.locate();
    const answer = answerAt(memory, offsets[i]);
    if (answer === undefined) throw new Error(`Request ${i} of the world was not placed.`);
    return metresTo(answer, scan);
  });
  locator.release();
  const error = median(errors);
  if (error > MEDIAN_ERROR_LIMIT_METRES) throw new Error(`The positions are ${error.toFixed(0)} m off in the median.`);
}

function locateInTurn(
  locator: Locator,
  memory: QueryMemory,
  offsets: readonly number[],
): { operations: number; run(): number } {
  let next = 0;
  const run = () => {
    let found = 0;
    for (let i = 0; i < REQUESTS_A_CALL; i++) {
      locator.lookUp(memory, offsets[next]);
      locator.locate();
      if (isFound(memory, offsets[next])) found++;
      next = (next + 1) % offsets.length;
    }
    locator.release();
    return found;
  };
  return { operations: REQUESTS_A_CALL, run };
}
