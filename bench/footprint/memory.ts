// node bench/footprint/memory.ts [options]: what does the service hold in memory? It prints the resident memory of a
// service with hardly any stations, with one more HTTP thread (and its worker), and with many stations; then it sends
// large bodies (large_bodies.ts) and prints the memory before, at the peak, and afterwards.
//
//   --stations N        access points of the drawn world (10000000)
//   --cache MB          station cache (64)
//   --threads N         HTTP threads, and as many workers (1)
//   --batch-mb N, --position-mb N   sizes of the large bodies before compression (60, 7.9)
//   --rounds N          how often they are sent (3)
//   --seconds A,B       when the memory is read afterwards (5,15,30,60)
//   --only idle|bodies  only this part
//   --checkout FOLDER   the service of another checkout

import { join, resolve } from 'node:path';
import { headerOf, readArguments } from '../command_line.ts';
import { prepareFolder, prepareWorld, removeFolder, type WorldData } from '../data_folders.ts';
import { renderBody, scanAt } from '../requests.ts';
import { freePorts, type Server, startSextant, stopServers, waitUntilAnswering, waitUntilQuiet } from '../server.ts';
import { createWorld, type World } from '../world.ts';
import { sendLargeBodies } from './large_bodies.ts';
import { difference, type Memory, memoryOf, printMemory } from './resident.ts';

const FEW_STATIONS = 1_000;
const PEAK_MILLISECONDS = 50;

const { values } = readArguments(headerOf(import.meta.url), {
  options: {
    stations: { type: 'string', default: '10000000' },
    cache: { type: 'string', default: '64' },
    threads: { type: 'string', default: '1' },
    'batch-mb': { type: 'string', default: '60' },
    'position-mb': { type: 'string', default: '7.9' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5,15,30,60' },
    only: { type: 'string' },
    checkout: { type: 'string' },
  },
});
const program = values.checkout === undefined ? undefined : join(resolve(values.checkout), 'src', 'sextant.js');
const few = createWorld(FEW_STATIONS, 1);
const threads = Number(values.threads);
if (values.only !== 'bodies') {
  const base = await measureIdle(few, threads);
  printMemory('few stations', base);
  printMemory('one more HTTP thread', difference(await measureIdle(few, threads + 1), base));
  const many = createWorld(Number(values.stations), 1);
  printMemory(`${many.accessPoints} access points`, difference(await measureIdle(many, threads), base));
}
if (values.only !== 'idle') await withService(createWorld(Number(values.stations), 1), threads, passLargeBodies);

async function measureIdle(world: World, httpThreads: number): Promise<Memory> {
  let memory: Memory | undefined;
  await withService(world, httpThreads, async server => {
    memory = memoryOf(server.process.pid!);
  });
  return memory!;
}

async function passLargeBodies(server: Server, { key }: WorldData): Promise<void> {
  const before = memoryOf(server.process.pid!);
  printMemory('before the large bodies', before);
  let peak = before;
  const watch = setInterval(() => {
    const now = memoryOf(server.process.pid!);
    if (now.own + now.files > peak.own + peak.files) peak = now;
  }, PEAK_MILLISECONDS);
  const sizes = { batch: Number(values['batch-mb']), position: Number(values['position-mb']) };
  const counts = await sendLargeBodies(server.port, key, sizes, Number(values.rounds));
  clearInterval(watch);
  const endedMs = performance.now();
  printMemory('peak', peak, before);
  console.log([...counts].map(([name, count]) => `${name}: ${count}`).join(', '));
  for (const seconds of values.seconds.split(',')) {
    await new Promise(resolve =>
      setTimeout(resolve, Math.max(0, endedMs + Number(seconds) * 1000 - performance.now())),
    );
    printMemory(`${seconds} s later`, memoryOf(server.process.pid!), before);
  }
}

async function withService(
  world: World,
  httpThreads: number,
  use: (server: Server, data: WorldData) => Promise<void>,
): Promise<void> {
  const data = await prepareWorld(world);
  const [port] = await freePorts(1);
  const environment = {
    SEXTANT_DATA: prepareFolder(data, 'memory'),
    SEXTANT_HTTP_THREADS: String(httpThreads),
    SEXTANT_CACHE_MB: values.cache,
    SEXTANT_LOG_LEVEL: 'error',
  };
  const server = startSextant('sextant', port, environment, { program });
  server.process.stderr!.on('data', text => process.stderr.write(text));
  try {
    await waitUntilAnswering(server, `/?key=${data.key}`, renderBody(scanAt(world, 0)));
    await waitUntilQuiet([server]);
    await use(server, data);
  } finally {
    await stopServers([server]);
    removeFolder(data, 'memory');
  }
}
