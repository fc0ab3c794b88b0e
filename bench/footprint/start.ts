// node bench/footprint/start.ts [--stations N] [--rounds N] [--cache MB] [--checkout FOLDER]: how long does the service
// take from its start to the first answer, with hardly any stations and with many? Both start in turns. The service
// answers before its cache is full, so processor time and memory are printed for the first answer and for the moment
// when the process is quiet again. The world's gazetteer belongs to every start.

import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { headerOf, readArguments } from '../command_line.ts';
import { prepareFolder, prepareWorld, removeFolder, type WorldData } from '../data_folders.ts';
import { renderBody, scanAt } from '../requests.ts';
import {
  freePorts,
  processorSeconds,
  residentMegabytes,
  type Server,
  startSextant,
  stopServers,
  waitUntilQuiet,
} from '../server.ts';
import { median } from '../statistics.ts';
import { createWorld } from '../world.ts';

/** The smallest world that can be drawn. */
const FEW_STATIONS = 1_000;
const POLL_MILLISECONDS = 5;
const LIMIT_MILLISECONDS = 120_000;

/** One start. Times in seconds, memory in MB. */
interface Start {
  'to first answer': number;
  'processor time by then': number;
  'memory by then': number;
  'until quiet': number;
  'processor time when quiet': number;
  'memory when quiet': number;
}

const { values } = readArguments(headerOf(import.meta.url), {
  options: {
    stations: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '5' },
    cache: { type: 'string', default: '64' },
    checkout: { type: 'string' },
  },
});
const program = values.checkout === undefined ? undefined : join(resolve(values.checkout), 'src', 'sextant.js');
const worlds = [createWorld(FEW_STATIONS, 1), createWorld(Number(values.stations), 1)];
const all: { data: WorldData; body: string; starts: Start[] }[] = [];
for (const world of worlds)
  all.push({ data: await prepareWorld(world), body: renderBody(scanAt(world, 0)), starts: [] });
for (let round = 0; round < Number(values.rounds); round++) {
  for (const { data, body, starts } of round % 2 === 0 ? all : [...all].reverse())
    starts.push(await measureStart(data, body));
}
for (const quantity of Object.keys(all[0].starts[0]) as (keyof Start)[]) {
  const [few, many] = all.map(({ starts }) => median(starts.map(start => start[quantity])));
  const ratio = (many / few).toFixed(2);
  console.log(`${quantity.padEnd(26)} ${few.toFixed(2).padStart(8)} ${many.toFixed(2).padStart(8)}   ratio ${ratio}`);
}

async function measureStart(data: WorldData, body: string): Promise<Start> {
  const [port] = await freePorts(1);
  const SEXTANT_DATA = prepareFolder(data, 'start');
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1000;
  const server = startSextant(
    'sextant',
    port,
    { SEXTANT_DATA, SEXTANT_HTTP_THREADS: '1', SEXTANT_CACHE_MB: values.cache },
    { program },
  );
  try {
    await waitForAnswer(server, `/?key=${data.key}`, body);
    const first = {
      'to first answer': seconds(),
      'processor time by then': processorSeconds(server),
      'memory by then': residentMegabytes(server),
    };
    await waitUntilQuiet([server]);
    return {
      ...first,
      'until quiet': seconds(),
      'processor time when quiet': processorSeconds(server),
      'memory when quiet': residentMegabytes(server),
    };
  } finally {
    await stopServers([server]);
    removeFolder(data, 'start');
  }
}

/** @throws Error when the process ends, or nothing answers in time */
async function waitForAnswer(server: Server, path: string, body: string): Promise<void> {
  const end = performance.now() + LIMIT_MILLISECONDS;
  while (performance.now() < end) {
    if (server.process.exitCode !== null) throw new Error(`The service ended with ${server.process.exitCode}.`);
    const status = await ask(server.port, path, body);
    if (status === 200) return;
    if (status !== undefined) throw new Error(`The service answers ${status}.`);
    await new Promise(resolve => setTimeout(resolve, POLL_MILLISECONDS));
  }
  throw new Error('The service does not answer.');
}

/** @returns the status; undefined while nothing listens */
function ask(port: number, path: string, body: string): Promise<number | undefined> {
  return new Promise(resolve => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST' }, response => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
}
