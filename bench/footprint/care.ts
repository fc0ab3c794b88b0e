// node bench/footprint/care.ts [--stations N] [--rows N] [--rate N] [--cache MB]: what does it take to look after a folder with
// many stations? A service answers positions that come at a fixed rate. Beside them, one after another: an import of
// access points scattered over all keys, half of them known, a second one of the same rows, a checkpoint, a backup, a
// second backup, a quick check and a whole one. It prints for each the time by the clock, the processor time of the
// service and of the command, and p50 and p99 of positions meanwhile; bytes of the folder and of the backup; and
// memory of the service at the end.

import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { uniform } from '../../test/kits/random.ts';
import { headerOf, readArguments } from '../command_line.ts';
import { bytesIn, prepareWorld } from '../data_folders.ts';
import { compileGenerator, runSlice } from '../load/generator.ts';
import { renderBody, scanAt, writeRequestFile } from '../requests.ts';
import {
  freePorts,
  processorSeconds,
  residentMegabytes,
  startSextant,
  stopServers,
  TICKS_A_SECOND,
  waitUntilAnswering,
  waitUntilQuiet,
} from '../server.ts';
import { mergeHistograms, percentileMicroseconds } from '../statistics.ts';
import { accessPointPosition, createWorld, degreesOf, macOf, unknownMac } from '../world.ts';

const SEXTANT = fileURLToPath(new URL('../../src/sextant.js', import.meta.url));
const SLICE_MILLISECONDS = 2_000;
const WARM_MILLISECONDS = 100;
const CONNECTIONS = 32;
const REQUESTS = 20_000;
const MEGABYTE = 1_048_576;
const ROWS_A_WRITE = 10_000;

const { values } = readArguments(headerOf(import.meta.url), {
  options: {
    stations: { type: 'string', default: '10000000' },
    rows: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '200' },
    cache: { type: 'string', default: '64' },
  },
});
const world = createWorld(Number(values.stations), 1);
const data = await prepareWorld(world);
const base = mkdtempSync(join(data.folder, '..', 'care-'));
try {
  const folder = join(base, 'data');
  cpSync(data.folder, folder, { recursive: true });
  const rowsFile = join(base, 'rows.csv');
  writeRows(rowsFile, Number(values.rows));
  const requestFile = join(base, 'requests');
  writeRequestFile(requestFile, world, REQUESTS, data.key);
  const [port] = await freePorts(1);
  const server = startSextant('sextant', port, { SEXTANT_DATA: folder, SEXTANT_CACHE_MB: values.cache });
  try {
    await waitUntilAnswering(server, `/?key=${data.key}`, renderBody(scanAt(world, 0)));
    await waitUntilQuiet([server]);
    const backup = join(base, 'backup');
    const steps: [string, string[]][] = [
      [`import of ${values.rows} scattered rows`, ['import', 'wifi', rowsFile, '--source', 'bench']],
      ['the same again', ['import', 'wifi', rowsFile, '--source', 'bench']],
      ['checkpoint', ['aggregate', '--checkpoint']],
      ['backup', ['backup', backup]],
      ['second backup', ['backup', backup]],
      ['check --quick', ['check', '--quick']],
      ['check', ['check']],
    ];
    console.log(`${'step'.padEnd(36)}  seconds  service s  command s   p50 ms   p99 ms`);
    await step('positions alone', server, requestFile, () => new Promise(done => setTimeout(done, 10_000)));
    for (const [name, words] of steps) await step(name, server, requestFile, () => run(words, folder));
    const sizes = [folder, backup].map(each => (bytesIn(each) / MEGABYTE).toFixed(0));
    console.log(
      `folder ${sizes[0]} MB, backup ${sizes[1]} MB, service ${residentMegabytes(server).toFixed(0)} MB resident`,
    );
  } finally {
    await stopServers([server]);
  }
} finally {
  rmSync(base, { recursive: true });
}

/** Runs one step beside positions, and prints what it took. */
async function step(
  name: string,
  server: Parameters<typeof processorSeconds>[0],
  requestFile: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = { milliseconds: performance.now(), service: processorSeconds(server), children: childSeconds() };
  let seconds: number | undefined;
  const done = work().finally(() => {
    seconds = (performance.now() - before.milliseconds) / 1000;
  });
  // The step itself is awaited below.
  done.catch(() => undefined);
  const latencies = [];
  let ofGenerator = 0;
  for (let slice = 0; seconds === undefined; slice++) {
    const { latency, cpuSeconds } = await runSlice(compileGenerator(), {
      port: server.port,
      requestFile,
      connections: CONNECTIONS,
      warmMilliseconds: WARM_MILLISECONDS,
      measureMilliseconds: SLICE_MILLISECONDS,
      ratePerSecond: Number(values.rate),
      seed: slice + 1,
      mayFallBehind: true,
    });
    latencies.push(latency);
    ofGenerator += cpuSeconds;
  }
  await done;
  const service = processorSeconds(server) - before.service;
  const command = Math.max(0, childSeconds() - before.children - ofGenerator);
  const merged = mergeHistograms(latencies);
  const [p50, p99] = [0.5, 0.99].map(fraction => percentileMicroseconds(merged, fraction) / 1000);
  const figures = [seconds!.toFixed(1), service.toFixed(1), command.toFixed(1), p50.toFixed(2), p99.toFixed(2)];
  const widths = [9, 11, 11, 8, 8];
  console.log(name.padEnd(36) + figures.map((figure, i) => figure.padStart(widths[i])).join(''));
}

/** Processor time of children that have ended, seconds. */
function childSeconds(): number {
  const line = readFileSync('/proc/self/stat', 'latin1');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
}

/** Runs a command of the program. @throws Error with what it printed when it fails */
async function run(words: readonly string[], folder: string): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [SEXTANT, ...words], {
    env: { SEXTANT_DATA: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', text => {
      printed += text;
    });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`sextant ${words.join(' ')} ended with ${code}: ${printed.trim()}`);
}

/** Access points of the world, and as many that it has not, in an order that has nothing to do with that of keys. */
function writeRows(path: string, count: number): void {
  const random = uniform(2);
  writeFileSync(path, 'bssid,latitude,longitude,radius\n');
  for (let from = 0; from < count; from += ROWS_A_WRITE) {
    let text = '';
    for (let i = from; i < Math.min(count, from + ROWS_A_WRITE); i++) {
      const index = Math.floor(random() * world.accessPoints);
      const mac = (i % 2 === 0 ? macOf : unknownMac)(world, index).toString(16).padStart(12, '0');
      const { latitude, longitude } = degreesOf(world, accessPointPosition(world, index));
      text += `${mac},${latitude.toFixed(6)},${longitude.toFixed(6)},40\n`;
    }
    appendFileSync(path, text);
  }
}
