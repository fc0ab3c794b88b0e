// What does a question about a place cost at the door, beside its kernel? A service has the places of Liechtenstein,
// the gazetteer of the world, and access points in all houses. Over 16 connections of the loopback it is asked for
// positions by three access points and by a whole scan of 8 to 20, without and with the address, for the address of a
// point, and for places by address and by name. The cost is the processor time of all of its threads, measured from
// outside. The kernel of a search is the geocoder's answer without HTTP, JSON and hop, in this process: it takes turns
// with the others, and answers the same questions. Then positions arrive at a fixed rate, alone and beside searches.
//
// With `--against CHECKOUT` a service of that checkout answers the same questions in turns.

import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { currentLayer, placesFolder, WORLD_FOLDER } from '../src/tables/places/generations.ts';
import { shuffled, uniform } from '../test/kits/random.ts';
import { LIECHTENSTEIN, makeHouseFolder } from './house_folder.ts';
import { type HouseWorld, houseWorldScan } from './house_world.ts';
import { compileGenerator, runSlice } from './load/generator.ts';
import { describeMachine, probeStealTime } from './machine.ts';
import { type Asked, renderBody, renderRequest, type Scan, writeRequests } from './requests.ts';
import { type Promised, printTable, type Result, type Table } from './result.ts';
import { Checkout, type Subject } from './search/checkouts.ts';
import { drawQuestions, type Questions } from './search/questions.ts';
import {
  freePorts,
  type Nanoseconds,
  nanosecondsSince,
  processorNanoseconds,
  type Server,
  startSextant,
  stopServers,
  waitUntilAnswering,
  waitUntilQuiet,
} from './server.ts';
import { type Histogram, median, medianRatio, mergeHistograms, percentileMicroseconds } from './statistics.ts';

const CONNECTIONS = 16;
const DEVICES = 5_000;
const SEARCHES = 2_000;
const ACCESS_POINTS = 3;
const WARM_MILLISECONDS = 200;
/**
 * Length of a slice of the first round, which does not count: every server compiles its hot functions. V8 still compiled
 * those of a search after six seconds of them.
 */
const FIRST_MILLISECONDS = 8_000;
/** So often are the kernel's questions asked in it. */
const FIRST_REPEATS = 10;
/** Arrivals a second of the open loop. */
const POSITIONS_A_SECOND = 500;
const SEARCHES_A_SECOND = 500;
/** Connections that an open loop may use: an arrival that finds none waits. */
const OPEN_CONNECTIONS = 64;

const SEARCH_TO_KERNEL = 1.6;
const REVERSE_TO_POSITION = 1.8;
const ADDRESS_TO_POSITION = 1.5;

const ASKED = [
  'position',
  'position, address',
  'position of a scan',
  'position of a scan, address',
  'GET /reverse',
  'search, address',
  'search, name',
] as const;
type AskedFor = (typeof ASKED)[number];
const KERNELS = { 'search, address': 'addresses', 'search, name': 'names' } as const;
type Kernel = keyof typeof KERNELS;

/** What each round took of one case, by threads, microseconds a request. */
type Rounds = Record<keyof Nanoseconds, number>[];

/** A service of a checkout. */
interface Service {
  name: string;
  server: Server;
  costs: Map<AskedFor, Rounds>;
  /** Latencies of positions alone and beside searches. */
  alone: Histogram[];
  beside: Histogram[];
}

export interface DoorSettings {
  rounds: number;
  sliceMilliseconds: number;
  seed: number;
  /** Another checkout. */
  against: string | undefined;
}

/** Measures the door. @throws Error without the extract */
export async function benchDoor(settings: DoorSettings): Promise<Result> {
  if (!existsSync(LIECHTENSTEIN)) throw new Error(`There is no ${LIECHTENSTEIN}.`);
  const scratch = mkdtempSync(join(tmpdir(), 'sextant-door-'));
  try {
    const [folder, other] = ['this', 'other'].map(name => join(scratch, name));
    const { houseWorld, key } = await makeHouseFolder(folder, settings.seed);
    if (settings.against !== undefined) cpSync(folder, other, { recursive: true });
    const layers = { extract: currentLayer(placesFolder(folder))!, world: currentLayer(WORLD_FOLDER)! };
    const questions = await drawQuestions(layers.extract, layers.world, SEARCHES, settings.seed);
    for (const asked of ASKED)
      writeRequests(requestFile(scratch, asked), requestsFor(asked, houseWorld, questions, key));
    const kernel = await new Checkout().open(layers, 'both');
    const services = await startServices(scratch, settings.against, key, houseWorld);
    try {
      const loss = await probeStealTime();
      const kernels = await alternate(services, kernel, questions, scratch, settings);
      await alternateOpen(services, scratch, settings);
      const tables = services.flatMap(service => [
        { ...tabulate(service, kernels, settings.rounds), loss },
        { ...tabulateLatency(service, settings.rounds), loss },
      ]);
      tables.forEach(printTable);
      return resultOf(settings, tables, services, kernels);
    } finally {
      await kernel.close();
      await stopServers(services.map(({ server }) => server));
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function requestFile(scratch: string, asked: AskedFor): string {
  return join(scratch, `${ASKED.indexOf(asked)}.bin`);
}

function requestsFor(asked: AskedFor, houseWorld: HouseWorld, questions: Questions, key: string): Buffer[] {
  const devices = (render: (device: Scan) => Buffer) =>
    Array.from({ length: DEVICES }, (_, number) => render(houseWorldScan(houseWorld, number)));
  const position = (of: (device: Scan) => Scan, more: Asked) =>
    devices(device => renderRequest(`/?key=${key}`, renderBody(of(device), 'access points', more)));
  if (asked === 'position') return position(withFew, {});
  if (asked === 'position, address') return position(withFew, { address: 1 });
  if (asked === 'position of a scan') return position(device => device, {});
  if (asked === 'position of a scan, address') return position(device => device, { address: 1 });
  if (asked === 'GET /reverse')
    return devices(({ latitude, longitude }) =>
      renderRequest(`/reverse?key=${key}&lat=${latitude.toFixed(7)}&lon=${longitude.toFixed(7)}`, undefined),
    );
  return questions[KERNELS[asked]].map(({ text }) =>
    renderRequest(`/search?key=${key}&q=${encodeURIComponent(text)}`, undefined),
  );
}

/** The strongest of the access points that the tables have. */
function withFew(device: Scan): Scan {
  return { ...device, accessPoints: device.accessPoints.filter(({ known }) => known).slice(0, ACCESS_POINTS) };
}

/** Each has a data folder of its own. */
async function startServices(
  scratch: string,
  against: string | undefined,
  key: string,
  houseWorld: HouseWorld,
): Promise<Service[]> {
  const programs = { this: undefined, ...(against && { other: join(resolve(against), 'src', 'sextant.js') }) };
  const ports = await freePorts(Object.keys(programs).length);
  const services = Object.entries(programs).map(([name, program], i): Service => {
    const environment = { SEXTANT_DATA: join(scratch, name), SEXTANT_HTTP_THREADS: '1', SEXTANT_WORKERS: '1' };
    const server = startSextant(name, ports[i], environment, { program });
    return { name, server, costs: new Map(ASKED.map(asked => [asked, []])), alone: [], beside: [] };
  });
  const servers = services.map(({ server }) => server);
  const body = renderBody(withFew(houseWorldScan(houseWorld, 0)), 'access points');
  for (const server of servers) await waitUntilAnswering(server, `/?key=${key}`, body);
  await waitUntilQuiet(servers);
  return services;
}

/** Asks for everything in turns, in a new order every round. @returns the mean of each kernel by round, microseconds */
async function alternate(
  services: readonly Service[],
  kernel: Subject,
  questions: Questions,
  scratch: string,
  { rounds, sliceMilliseconds, seed }: DoorSettings,
): Promise<Map<Kernel, number[]>> {
  const random = uniform(seed);
  const generator = compileGenerator();
  const kernels = new Map(Object.keys(KERNELS).map(asked => [asked as Kernel, [] as number[]]));
  const turns = [...services.flatMap(service => ASKED.map(asked => ({ service, asked }))), ...kernels.keys()];
  for (let round = -1; round < rounds; round++) {
    for (const turn of shuffled(turns, random)) {
      if (typeof turn === 'string') {
        const asked = questions[KERNELS[turn]];
        if (round >= 0) kernels.get(turn)!.push(timeOfKernel(kernel, asked));
        else for (let i = 0; i < FIRST_REPEATS; i++) timeOfKernel(kernel, asked);
        continue;
      }
      const { service, asked } = turn;
      const before = processorNanoseconds(service.server);
      const { answered } = await runSlice(generator, {
        port: service.server.port,
        requestFile: requestFile(scratch, asked),
        connections: CONNECTIONS,
        warmMilliseconds: WARM_MILLISECONDS,
        measureMilliseconds: round < 0 ? FIRST_MILLISECONDS : sliceMilliseconds,
        seed: seed + round + 1,
      });
      const taken = nanosecondsSince(before, processorNanoseconds(service.server));
      const microseconds = Object.entries(taken).map(([threads, time]) => [threads, time / 1000 / answered]);
      if (round >= 0) service.costs.get(asked)!.push(Object.fromEntries(microseconds));
    }
  }
  return kernels;
}

function timeOfKernel(kernel: Subject, questions: Questions[keyof Questions]): number {
  const before = process.threadCpuUsage();
  for (const question of questions) kernel.time(question);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / questions.length;
}

/** Positions arrive at a fixed rate, alone and beside searches, in turns. */
async function alternateOpen(
  services: readonly Service[],
  scratch: string,
  { rounds, sliceMilliseconds, seed }: DoorSettings,
): Promise<void> {
  const generator = compileGenerator();
  for (let round = 0; round < rounds; round++) {
    for (const { server, alone, beside } of services) {
      const slice = (asked: AskedFor, ratePerSecond: number) =>
        runSlice(generator, {
          port: server.port,
          requestFile: requestFile(scratch, asked),
          connections: OPEN_CONNECTIONS,
          warmMilliseconds: WARM_MILLISECONDS,
          measureMilliseconds: sliceMilliseconds,
          ratePerSecond,
          seed: seed + round,
        });
      alone.push((await slice('position', POSITIONS_A_SECOND)).latency);
      const both = [slice('position', POSITIONS_A_SECOND), slice('search, address', SEARCHES_A_SECOND)];
      beside.push((await Promise.all(both))[0].latency);
    }
  }
}

const processOf = (rounds: Rounds) => rounds.map(({ process }) => process);

function tabulate(
  { name, costs }: Service,
  kernels: ReadonlyMap<Kernel, number[]>,
  rounds: number,
): Omit<Table, 'loss'> {
  const position = processOf(costs.get('position')!);
  const rows = [...costs].map(([asked, taken]) => {
    const own = kernels.get(asked as Kernel);
    const of = (threads: keyof Nanoseconds) => median(taken.map(each => each[threads])).toFixed(1);
    return [
      asked,
      ...(['process', 'http', 'workers', 'writer', 'helpers'] as const).map(of),
      medianRatio(processOf(taken), position).toFixed(2),
      own === undefined ? '' : median(own).toFixed(1),
      own === undefined ? '' : medianRatio(processOf(taken), own).toFixed(2),
    ];
  });
  return {
    title: `At the door of ${name}, closed loop, ${CONNECTIONS} connections, ${rounds} rounds, us of processor time`,
    columns: ['asked for', 'process', 'HTTP', 'workers', 'writer', 'helpers', 'to position', 'kernel', 'to kernel'],
    rows,
  };
}

function tabulateLatency({ name, alone, beside }: Service, rounds: number): Omit<Table, 'loss'> {
  const row = (title: string, latencies: Histogram[]) => [
    title,
    ...[0.5, 0.99, 0.999].map(share => percentileMicroseconds(mergeHistograms(latencies), share).toFixed(0)),
    median(latencies.map(each => percentileMicroseconds(each, 0.99))).toFixed(0),
  ];
  return {
    title: `Latency at the door of ${name}, open loop, ${POSITIONS_A_SECOND} positions a second, ${rounds} rounds, us`,
    columns: ['positions', 'p50', 'p99', 'p99.9', 'median p99 of rounds'],
    rows: [row('alone', alone), row(`beside ${SEARCHES_A_SECOND} searches a second`, beside)],
  };
}

function resultOf(
  { rounds, sliceMilliseconds, seed }: DoorSettings,
  tables: Table[],
  services: readonly Service[],
  kernels: ReadonlyMap<Kernel, number[]>,
): Result {
  const [{ costs }] = services;
  const of = (asked: AskedFor) => processOf(costs.get(asked)!);
  const promised = (promise: string, ratio: number, limit: number): Promised => ({
    promise: `${promise} at most ${limit}`,
    figure: ratio.toFixed(2),
    met: ratio <= limit,
  });
  const searches = [...kernels].map(([asked, times]) =>
    promised(`${asked}: times of its kernel`, medianRatio(of(asked), times), SEARCH_TO_KERNEL),
  );
  return {
    bench: 'door',
    date: new Date().toISOString(),
    machine: describeMachine(),
    settings: { rounds, sliceMilliseconds, seed },
    tables,
    promises: [
      ...searches,
      promised(
        'GET /reverse: times of a position',
        medianRatio(of('GET /reverse'), of('position')),
        REVERSE_TO_POSITION,
      ),
      promised(
        'position of a scan, address: times of one without',
        medianRatio(of('position of a scan, address'), of('position of a scan')),
        ADDRESS_TO_POSITION,
      ),
    ],
    rounds: services.map(({ name, costs: all }) => ({ name, costs: Object.fromEntries(all) })),
  };
}
