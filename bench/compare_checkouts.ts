// node bench/compare_checkouts.ts CHECKOUT [options]: does this checkout take more processor time for a request than another one, such as the one before a
// change? Both serve at once. One generator loads them in turns, a short slice each, in reversed order every round. The figure is the processor time of the
// HTTP thread for each request, in nanoseconds from the scheduler: it hardly changes when the machine is busy elsewhere.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkAnswers } from './check_answers.ts';
import { prepareFolder, prepareWorld, removeFolder } from './data_folders.ts';
import { compileGenerator, runSlice } from './load/generator.ts';
import { renderBody, scanAt, writeRequestFile } from './requests.ts';
import { freePorts, httpThreadNanoseconds, type Server, startSextant, stopServers, waitUntilAnswering, waitUntilQuiet } from './server.ts';
import { median } from './statistics.ts';
import { createWorld } from './world.ts';

const REQUESTS = 20_000;
const CONNECTIONS = 64;
/** Rounds that do not count: both servers compile their hot functions. */
const WARM_ROUNDS = 4;
const NAMES = ['this', 'other'] as const;
type Name = (typeof NAMES)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '20' },
    slice: { type: 'string', default: '1000' },
    stations: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    compute: { type: 'string', default: 'auto' },
  },
});
const [checkout] = positionals;
if (checkout === undefined) {
  throw new Error(
    'node bench/compare_checkouts.ts CHECKOUT [--rounds 20] [--slice MS] [--stations N] [--seed N] [--compute auto|inline|pool]',
  );
}

const world = createWorld(Number(values.stations), Number(values.seed));
const data = await prepareWorld(world);
const generator = compileGenerator();
const scratch = mkdtempSync(join(tmpdir(), 'sextant-compare-'));
const requestFile = join(scratch, 'requests.bin');
writeRequestFile(requestFile, world, REQUESTS, data.key);
const programs = { this: undefined, other: join(resolve(checkout), 'src', 'sextant.js') };
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

function start(name: Name, port: number): Server {
  const environment = {
    SEXTANT_DATA: prepareFolder(data, name),
    SEXTANT_HTTP_THREADS: '1',
    SEXTANT_WORKERS: '1',
    SEXTANT_COMPUTE: values.compute,
    SEXTANT_CACHE_MB: '64',
  };
  return startSextant(name, port, environment, programs[name]);
}

/** Microseconds of the HTTP thread for a request, in each round. */
async function measure(rounds: number): Promise<Record<Name, number[]>> {
  const measured: Record<Name, number[]> = { this: [], other: [] };
  for (let round = -WARM_ROUNDS; round < rounds; round++) {
    for (const name of round % 2 === 0 ? NAMES : [...NAMES].reverse()) {
      const microseconds = await measureSlice(servers[name], round + WARM_ROUNDS);
      if (round >= 0) measured[name].push(microseconds);
    }
  }
  return measured;
}

async function measureSlice(server: Server, seed: number): Promise<number> {
  const before = httpThreadNanoseconds(server);
  const slice = {
    port: server.port,
    requestFile,
    connections: CONNECTIONS,
    warmMilliseconds: 0,
    measureMilliseconds: Number(values.slice),
    seed,
  };
  const { answered } = await runSlice(generator, slice);
  return (httpThreadNanoseconds(server) - before) / 1000 / answered;
}

function printRatios(measured: Record<Name, number[]>): void {
  const ratios = measured.this.map((microseconds, round) => microseconds / measured.other[round]).sort((a, b) => a - b);
  const quartile = (part: number) => ratios[Math.floor(part * (ratios.length - 1))].toFixed(4);
  for (const name of NAMES) console.log(`${name}: ${median(measured[name]).toFixed(2)} us of the HTTP thread for a request`);
  console.log(
    `this to other, median of ${ratios.length} rounds: ${median(ratios).toFixed(4)} (quartiles ${quartile(0.25)}..${quartile(0.75)})`,
  );
}
