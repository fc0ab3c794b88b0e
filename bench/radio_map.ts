// What does the radio map cost? Two services hold the same imported stations. One has also heard every cell of the town
// from many positions and locates cells by its radio map. Both get three types of requests in turns: access points
// alone, which need plain trilateration and no map; cells alone, which use the map; and both, which need all strategies
// and their fusion. Besides the processor time of the service it measures the position alone, from query to answer,
// without HTTP and JSON.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { screenReport } from '../src/intake/screen.ts';
import { Tally } from '../src/intake/tally.ts';
import { Aggregation } from '../src/learning/aggregate.ts';
import { Locator } from '../src/positioning/locate.ts';
import { readQuery } from '../src/protocol/requests/position_query.ts';
import type { PositionBody } from '../src/protocol/requests/schema.ts';
import { QueryMemory } from '../src/radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../src/radio/query/writer.ts';
import { createCacheMemory, StationCache } from '../src/tables/stations/cache.ts';
import { currentGeneration } from '../src/tables/stations/generation.ts';
import { StationWriter } from '../src/tables/stations/writer.ts';
import { metresTo } from '../test/kits/radio/ground.ts';
import { answerAt } from '../test/kits/radio/station_folder.ts';
import { shuffled, uniform } from '../test/kits/random.ts';
import { prepareWorld } from './data_folders.ts';
import { compileGenerator, runSlice } from './load/generator.ts';
import { probeStealTime } from './machine.ts';
import type { MicroMeasured } from './micro/harness.ts';
import { reportAt } from './reports.ts';
import { type Named, renderBody, scanAt, writeRequestFile } from './requests.ts';
import { type Promised, printTable, type Table } from './result.ts';
import {
  freePorts,
  processorSeconds,
  type Server,
  startSextant,
  stopServers,
  waitUntilAnswering,
  waitUntilQuiet,
} from './server.ts';
import { median, medianRatio } from './statistics.ts';
import { createWorld, type World } from './world.ts';

const STATIONS = 50_000;
/** Enough that every requested cell was heard more often than its import counts, and its map is full. */
const REPORTS = 25_000;
const REQUESTS = 20_000;
const OBSERVATIONS_MAX = 32;
const CONNECTIONS = 64;
const WARM_MILLISECONDS = 300;
const CACHE_MB = 16;
const TABLES = ['imported', 'learned'] as const;
/** Access points alone come first: they are the base of the others. */
const NAMED = ['access points', 'cells', 'access points and cells'] as const satisfies readonly Named[];
/** Positions in a round without a service, and positions between two readings of the clock. */
const LOCATED_A_ROUND = 5_000;
const LOCATED_A_TURN = 100;
/** Such rounds that do not count: compilers need time on a busy machine. */
const LOCATED_WARM_ROUNDS = 6;

/** Most that a request answered by the map may cost, as a multiple of a plain one. */
const MAP_TO_PLAIN = 2.5;
/** How far requests without the map may differ: two processes of the same program differ by some percent. */
const SAME = 0.1;

type Tables = (typeof TABLES)[number];

interface Case {
  tables: Tables;
  named: Named;
  locator: Locator;
  memory: QueryMemory;
  offsets: number[];
  medianErrorMetres: number;
  /** Microseconds, one value for each round: processor time of the service for a request, and of the position alone. */
  serverMicroseconds: number[];
  locateMicroseconds: number[];
}

/** Measures both services in rounds. @throws Error when the map does not improve the answers: then it was not used */
export async function benchRadioMap(seed: number, rounds: number, sliceMilliseconds: number): Promise<MicroMeasured> {
  const world = createWorld(STATIONS, seed);
  const data = await prepareWorld(world);
  const folder = mkdtempSync(join(tmpdir(), 'sextant-map-'));
  try {
    for (const tables of TABLES) cpSync(data.folder, join(folder, tables), { recursive: true });
    await learnCells(join(folder, 'learned'), world);
    const random = uniform(seed);
    const locators = TABLES.map(tables => openLocator(join(folder, tables)));
    const cases = TABLES.flatMap((tables, i) => NAMED.map(named => openCase(tables, named, world, locators[i])));
    const [, importedCells, , , learnedCells] = cases;
    if (learnedCells.medianErrorMetres >= importedCells.medianErrorMetres)
      throw new Error('Cells are placed no better with a radio map than without; is it used?');
    const loss = await probeStealTime();
    alternateLocators(cases, random, rounds);
    for (const locator of locators) await locator.close();
    for (const named of NAMED) writeRequestFile(join(folder, named), world, REQUESTS, data.key, named);
    await alternateServices(folder, data.key, world, cases, random, rounds, sliceMilliseconds);
    const table = { ...tabulate(cases, rounds), loss };
    printTable(table);
    return { table, promises: checkPromises(cases), rounds: cases.map(rawRound) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Adds observations of the world's cells to the tables of a folder. */
async function learnCells(folder: string, world: World): Promise<void> {
  const writer = await StationWriter.open(folder, undefined);
  const aggregation = new Aggregation(writer.knowledge);
  const tally = new Tally();
  for (let number = 1; number <= REPORTS; number++) {
    const { timestamp, position, cellTowers } = reportAt(world, number);
    const draft = {
      timeMs: timestamp,
      latitude: position.latitude,
      longitude: position.longitude,
      accuracyMetres: position.accuracy,
      cellTowers,
    };
    const report = screenReport(draft, { contributor: 0, isTrusted: true, track: 0, receivedMs: timestamp }, tally);
    if (report === undefined) throw new Error(`Report ${number} of the world was refused.`);
    aggregation.add(number, report, report.timeMs);
  }
  await writer.learn(aggregation.changes());
  await writer.close();
}

function openLocator(folder: string): Locator {
  const cache = createCacheMemory(CACHE_MB);
  new StationCache(cache).startGeneration(currentGeneration(folder)!);
  return new Locator(folder, cache);
}

/**
 * Writes the queries of a case one after another, as the HTTP side does, and compares the answers with the true
 * positions.
 */
function openCase(tables: Tables, named: Named, world: World, locator: Locator): Case {
  const memory = new QueryMemory(new ArrayBuffer(REQUESTS * queryBytes(OBSERVATIONS_MAX)));
  const writer = new QueryWriter(memory);
  const offsets: number[] = [];
  const errors: number[] = [];
  for (let number = 0, offset = 0; number < REQUESTS; number++) {
    const scan = scanAt(world, number);
    offsets.push(offset);
    const { end } = readQuery(JSON.parse(renderBody(scan, named)) as PositionBody, Date.now(), writer, offset);
    locator.lookUp(memory, offset);
    locator.locate();
    const answer = answerAt(memory, offset);
    if (answer === undefined) throw new Error(`Request ${number} of the world was not placed by ${named}.`);
    errors.push(metresTo(answer, scan));
    offset = end;
  }
  locator.release();
  return {
    tables,
    named,
    locator,
    memory,
    offsets,
    medianErrorMetres: median(errors),
    serverMicroseconds: [],
    locateMicroseconds: [],
  };
}

/** Asks the services of both folders in turns, in a new order every round. The first round does not count. */
async function alternateServices(
  folder: string,
  key: string,
  world: World,
  cases: readonly Case[],
  random: () => number,
  rounds: number,
  sliceMilliseconds: number,
): Promise<void> {
  const generator = compileGenerator();
  const ports = await freePorts(TABLES.length);
  const servers = new Map(TABLES.map((tables, i) => [tables, startService(tables, ports[i], folder)]));
  try {
    for (const server of servers.values())
      await waitUntilAnswering(server, `/?key=${key}`, renderBody(scanAt(world, 0)));
    await waitUntilQuiet([...servers.values()]);
    for (let round = -1; round < rounds; round++) {
      for (const { tables, named, serverMicroseconds } of shuffled(cases, random)) {
        const server = servers.get(tables)!;
        const before = processorSeconds(server);
        const { answered } = await runSlice(generator, {
          port: server.port,
          requestFile: join(folder, named),
          connections: CONNECTIONS,
          warmMilliseconds: WARM_MILLISECONDS,
          measureMilliseconds: sliceMilliseconds,
          seed: world.seed + round + 1,
        });
        if (round >= 0) serverMicroseconds.push(((processorSeconds(server) - before) * 1e6) / answered);
      }
    }
  } finally {
    await stopServers([...servers.values()]);
  }
}

function startService(tables: Tables, port: number, folder: string): Server {
  return startSextant(tables, port, {
    SEXTANT_DATA: join(folder, tables),
    SEXTANT_HTTP_THREADS: '1',
    SEXTANT_COMPUTE: 'inline',
  });
}

/** The same without services: only the position, from the written query to its answer. */
function alternateLocators(cases: readonly Case[], random: () => number, rounds: number): void {
  for (let round = -LOCATED_WARM_ROUNDS; round < rounds; round++) {
    for (const each of shuffled(cases, random)) {
      const microseconds = timeLocator(each, (round + LOCATED_WARM_ROUNDS) * LOCATED_A_ROUND);
      if (round >= 0) each.locateMicroseconds.push(microseconds);
    }
  }
}

/** Microseconds of one position: the median of turns. */
function timeLocator({ locator, memory, offsets }: Case, first: number): number {
  const turns: number[] = [];
  for (let located = 0; located < LOCATED_A_ROUND; located += LOCATED_A_TURN) {
    const start = performance.now();
    for (let i = 0; i < LOCATED_A_TURN; i++) {
      locator.lookUp(memory, offsets[(first + located + i) % REQUESTS]);
      locator.locate();
    }
    locator.release();
    turns.push(((performance.now() - start) * 1000) / LOCATED_A_TURN);
  }
  return median(turns);
}

function tabulate(cases: readonly Case[], rounds: number): Omit<Table, 'loss'> {
  const [plain] = cases;
  return {
    title:
      `The radio map, closed loop, 1 HTTP thread, ${CONNECTIONS} connections, ${rounds} rounds, ${STATIONS} ` +
      `access points, ${REPORTS} reports learned`,
    columns: [
      'tables',
      'request names',
      'median error m',
      'server us/request',
      'to plain',
      'to imported',
      'locate us',
      'to plain',
      'to imported',
    ],
    rows: cases.map((each, i) => {
      const { serverMicroseconds, locateMicroseconds } = each;
      const base = cases[i % NAMED.length];
      const [serverToPlain, locateToPlain] = ratios(each, plain);
      const [serverToBase, locateToBase] = ratios(each, base);
      return [
        each.tables,
        each.named,
        each.medianErrorMetres.toFixed(0),
        ...[median(serverMicroseconds).toFixed(1), serverToPlain.toFixed(2), serverToBase.toFixed(2)],
        ...[median(locateMicroseconds).toFixed(1), locateToPlain.toFixed(2), locateToBase.toFixed(2)],
      ];
    }),
  };
}

/** Promises concern the whole path; the position alone is for information. */
function checkPromises(cases: readonly Case[]): Promised[] {
  const [plain, , both, learnedPlain, learnedCells, learnedBoth] = cases;
  const promised = (promise: string, [server, locate]: [number, number], limit: number): Promised => ({
    promise,
    figure: `${server.toFixed(2)} (position alone ${locate.toFixed(2)})`,
    met: server <= limit,
  });
  return [
    promised(
      `cells answered by the radio map cost at most ${MAP_TO_PLAIN} times a plain trilateration`,
      ratios(learnedCells, plain),
      MAP_TO_PLAIN,
    ),
    promised(
      `access points and cells cost at most ${MAP_TO_PLAIN} times as much with a radio map as without`,
      ratios(learnedBoth, both),
      MAP_TO_PLAIN,
    ),
    promised(
      `where no cell is sent the radio map costs nothing, within ${SAME}`,
      ratios(learnedPlain, plain),
      1 + SAME,
    ),
  ];
}

/** Cost of one case as a multiple of another: of the service, and of the position alone. */
function ratios(one: Case, base: Case): [server: number, locate: number] {
  return [
    medianRatio(one.serverMicroseconds, base.serverMicroseconds),
    medianRatio(one.locateMicroseconds, base.locateMicroseconds),
  ];
}

function rawRound({ tables, named, serverMicroseconds, locateMicroseconds }: Case): unknown {
  const rounded = (values: readonly number[]) => values.map(value => Number(value.toFixed(2)));
  return {
    tables,
    named,
    serverMicroseconds: rounded(serverMicroseconds),
    locateMicroseconds: rounded(locateMicroseconds),
  };
}
