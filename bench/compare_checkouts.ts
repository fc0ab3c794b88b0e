// node bench/compare_checkouts.ts CHECKOUT [options]: does this checkout take more processor time for a request than
// another one, such as the one before a change? Both serve at once. One generator loads them in turns, a short slice
// each, in reversed order every round. The main figures are the processor time for each request of the HTTP thread, the
// workers, the writer, V8's helpers and the whole process, in nanoseconds from the scheduler: they hardly change when
// the machine is busy elsewhere. Requests a second and the latency of the slowest requests are printed as well, and do
// change.
//
//   --rounds N     rounds that count (20)
//   --slice MS     load on one checkout in one round (1000)
//   --stations N   access points of the drawn world (200000)
//   --seed N       seed of the world (1)
//   --compute auto|inline|pool
//   --reverse N    one request in N asks for the address of a point, which is not for the fast lane (none does)
//   --extract FILE searches for addresses of this extract instead of positions, with the gazetteer of the world loaded
//   too
//   --connections N  that send at once (64)
//   --rate N       arrivals a second; without it each connection sends its next request when it has the answer
//   --set F=VALUE a setting of this checkout alone, such as access-log=text; may be given several times. With CHECKOUT
//   . it is what the setting costs.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { currentLayer, placesFolder, WORLD_FOLDER } from '../src/tables/places/generations.ts';
import { checkAnswers } from './check_answers.ts';
import { headerOf, readArguments } from './command_line.ts';
import { importExtract, prepareFolder, prepareWorld, removeFolder } from './data_folders.ts';
import { compileGenerator, runSlice } from './load/generator.ts';
import { renderBody, renderRequest, scanAt, writeRequests } from './requests.ts';
import { drawQuestions } from './search/questions.ts';
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
import { median, percentileMicroseconds } from './statistics.ts';
import { createWorld } from './world.ts';

const REQUESTS = 20_000;
const SEARCHES = 2_000;
/** Rounds that do not count: both servers compile their hot functions. */
const WARM_ROUNDS = 4;
const NAMES = ['this', 'other'] as const;
type Name = (typeof NAMES)[number];
/** One slice of one server. */
type Measured = Record<
  | `us of the ${'HTTP thread' | 'workers' | 'writer' | 'helpers' | 'whole process'} for a request`
  | 'requests a second'
  | `us at ${'the median' | 'p99' | 'p99.9'}`,
  number
>;

const { values, positionals } = readArguments(headerOf(import.meta.url), {
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '20' },
    slice: { type: 'string', default: '1000' },
    stations: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    compute: { type: 'string', default: 'auto' },
    reverse: { type: 'string' },
    extract: { type: 'string' },
    connections: { type: 'string', default: '64' },
    rate: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const [checkout] = positionals;
if (checkout === undefined) {
  console.error('Which checkout? node bench/compare_checkouts.ts CHECKOUT; --help lists the options.');
  process.exit(2);
}
const settings = { this: Object.fromEntries(values.set.map(readSetting)), other: {} };

const world = createWorld(Number(values.stations), Number(values.seed));
const data = await prepareWorld(world);
const generator = compileGenerator();
const scratch = mkdtempSync(join(tmpdir(), 'sextant-compare-'));
const requestFile = join(scratch, 'requests.bin');
const programs = { this: undefined, other: join(resolve(checkout), 'src', 'sextant.js') };
const folders = { this: prepareFolder(data, 'this'), other: prepareFolder(data, 'other') };
if (values.extract !== undefined)
  for (const name of NAMES) importExtract(folders[name], values.extract, programs[name]);
const reverseEvery = values.reverse === undefined ? Number.POSITIVE_INFINITY : Number(values.reverse);
writeRequests(
  requestFile,
  values.extract === undefined ? drawRequests(data.key, reverseEvery) : await drawSearches(data.key),
);
const ports = await freePorts(NAMES.length);
const servers = Object.fromEntries(NAMES.map((name, i) => [name, start(name, ports[i])])) as Record<Name, Server>;
try {
  for (const name of NAMES) await waitUntilAnswering(servers[name], `/?key=${data.key}`, renderBody(scanAt(world, 0)));
  await waitUntilQuiet(Object.values(servers));
  for (const name of NAMES) await checkAnswers(servers[name], world, `/?key=${data.key}`);
  printRatios(await measure(Number(values.rounds)));
} finally {
  await stopServers(Object.values(servers));
  for (const name of NAMES) removeFolder(data, name);
  rmSync(scratch, { recursive: true });
}

/** @param reverseEvery one request in so many is not a position */
function drawRequests(key: string, reverseEvery: number): Buffer[] {
  return Array.from({ length: REQUESTS }, (_, number) => {
    const scan = scanAt(world, number);
    if ((number + 1) % reverseEvery !== 0) return renderRequest(`/?key=${key}`, renderBody(scan));
    return renderRequest(
      `/reverse?key=${key}&lat=${scan.latitude.toFixed(7)}&lon=${scan.longitude.toFixed(7)}`,
      undefined,
    );
  });
}

async function drawSearches(key: string): Promise<Buffer[]> {
  const { addresses } = await drawQuestions(
    currentLayer(placesFolder(folders.this))!,
    currentLayer(WORLD_FOLDER)!,
    SEARCHES,
    Number(values.seed),
  );
  return addresses.map(({ text }) => renderRequest(`/search?key=${key}&q=${encodeURIComponent(text)}`, undefined));
}

/** The variable of a setting that stands as FLAG=VALUE. */
function readSetting(text: string): [variable: string, value: string] {
  const [, flag, value] = /^(?:--)?([a-z-]+)=(.*)$/.exec(text) ?? [];
  if (flag === undefined) {
    console.error(
      `--set takes a flag with its value, such as access-log=text, not ${JSON.stringify(text)}. --help lists ` +
        `the options.`,
    );
    process.exit(2);
  }
  return [`SEXTANT_${flag.toUpperCase().replaceAll('-', '_')}`, value];
}

function start(name: Name, port: number): Server {
  const environment = {
    SEXTANT_DATA: folders[name],
    SEXTANT_HTTP_THREADS: '1',
    SEXTANT_WORKERS: '1',
    SEXTANT_COMPUTE: values.compute,
    SEXTANT_CACHE_MB: '64',
    ...settings[name],
  };
  return startSextant(name, port, environment, { program: programs[name] });
}

/** Slices of both, by round. */
async function measure(rounds: number): Promise<Record<Name, Measured[]>> {
  const measured: Record<Name, Measured[]> = { this: [], other: [] };
  for (let round = -WARM_ROUNDS; round < rounds; round++) {
    for (const name of round % 2 === 0 ? NAMES : [...NAMES].reverse()) {
      const slice = await measureSlice(servers[name], round + WARM_ROUNDS);
      if (round >= 0) measured[name].push(slice);
    }
  }
  return measured;
}

async function measureSlice(server: Server, seed: number): Promise<Measured> {
  const before = processorNanoseconds(server);
  const { answered, measured, latency } = await runSlice(generator, {
    port: server.port,
    requestFile,
    connections: Number(values.connections),
    warmMilliseconds: 0,
    measureMilliseconds: Number(values.slice),
    ...(values.rate === undefined ? {} : { ratePerSecond: Number(values.rate) }),
    seed,
  });
  const taken = nanosecondsSince(before, processorNanoseconds(server));
  const perRequest = (threads: keyof Nanoseconds): number => taken[threads] / 1000 / answered;
  return {
    'us of the HTTP thread for a request': perRequest('http'),
    'us of the workers for a request': perRequest('workers'),
    'us of the writer for a request': perRequest('writer'),
    'us of the helpers for a request': perRequest('helpers'),
    'us of the whole process for a request': perRequest('process'),
    'requests a second': (measured / Number(values.slice)) * 1000,
    'us at the median': percentileMicroseconds(latency, 0.5),
    'us at p99': percentileMicroseconds(latency, 0.99),
    'us at p99.9': percentileMicroseconds(latency, 0.999),
  };
}

function printRatios(measured: Record<Name, Measured[]>): void {
  for (const quantity of Object.keys(measured.this[0]) as (keyof Measured)[]) {
    const [ours, others] = NAMES.map(name => measured[name].map(slice => slice[quantity]));
    const ratios = ours.map((value, round) => value / others[round]).sort((a, b) => a - b);
    const quartile = (part: number) => ratios[Math.floor(part * (ratios.length - 1))].toFixed(4);
    console.log(
      `${quantity}: ${median(ours).toFixed(2)}, other ${median(others).toFixed(2)}; ratio, median of ` +
        `${ratios.length} rounds: ${median(ratios).toFixed(4)} (quartiles ${quartile(0.25)}..${quartile(0.75)})`,
    );
  }
}
