// The front of the soak. HELP below says what it does.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildWorld, serveCopy } from '../../test/corpus/world.ts';
import { RequestSource } from '../../test/fuzz/draw_request.ts';
import { exitOnSignals, readArguments, readNumber } from '../command_line.ts';
import { Heaps } from './heaps.ts';
import { SoakLoad } from './load.ts';
import { reportOf } from './report.ts';
import { watch } from './watch.ts';

const HELP = `npm run soak -- [options]

Loads a service with requests for all routes and with contributions, at half of what it carries or at a rate of yours, and watches it: memory of its own, pages of
files, the heap of each thread, descriptors, threads, latency and processor time. Exits with 1 when memory rises by more than 1 % an hour after the warm-up,
descriptors become more, the latency of the last half is over 1.5 of that before, its processor time for a request over 1.25 of that before, or a request gets no
answer or a fault. Memory rises only where the whole 95 % interval of its slope lies above the limit. Latency is judged by the minutes in which other programs, and
the host of a virtual machine, had at most 5 % of the processors, and not by the minute after another one; with fewer than five such minutes in either half the run
fails. Needs Linux.

  --minutes N    minutes of load that count, after the warm-up, 5..10000 (60)
  --warm-up N    minutes before them, 0.5..600 (10)
  --rate N       requests a second, 1..100000; without it half of what the service carries, which is measured first
  --seed N       seed of the requests, 0..1000000 (1)
  --json FILE    also writes all that was seen to a file

Example:
  npm run soak -- --minutes 30 --warm-up 5`;

/** The knee is what is answered when more is asked; first the caches fill. */
const KNEE_SETTLE_SECONDS = 5;
const KNEE_SECONDS = 15;
const FAULTS_SHOWN = 5;

const { values } = readArguments(HELP, {
  options: {
    minutes: { type: 'string', default: '60' },
    'warm-up': { type: 'string', default: '10' },
    rate: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
});
const minutes = readNumber('minutes', values.minutes, 5, 10_000);
const warmUp = readNumber('warm-up', values['warm-up'], 0.5, 600);
const given = values.rate === undefined ? undefined : readNumber('rate', values.rate, 1, 100_000);
const seed = readNumber('seed', values.seed, 0, 1_000_000);

exitOnSignals();
const base = mkdtempSync(join(tmpdir(), 'soak-'));
process.once('exit', () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
const faults: string[] = [];
const world = await buildWorld(base);
const orders = join(base, 'orders');
mkdirSync(orders);
const heaps = new Heaps(orders);
Object.assign(process.env, heaps.environment);
const service = await serveCopy(world, join(base, 'data'), 'auto', '--log-mb', '64');
try {
  const fill = (text: string) => text.replace(/\{\{\w+:(\w+)\}\}/g, (_, name: string) => world.keys.get(name) ?? name);
  const load = new SoakLoad(service, new RequestSource(seed, fill));
  const knee = given === undefined ? await measureKnee(load) : undefined;
  const rate = given ?? knee! / 2;
  await load.start(seed + 1, rate);
  const watched = await watch(service, load, heaps, warmUp, minutes);
  await load.stop();
  const [lines, found] = reportOf({ warmUp, seed, rate, knee }, watched);
  console.log(lines.join('\n'));
  faults.push(...found);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ knee, rate, ...watched })}\n`);
} finally {
  const { code, stderr } = await service.stop();
  if (code !== 0 || /"level":[56]0/.test(stderr))
    faults.push(`The service ended with ${code} and said: ${stderr.slice(0, 2_000)}`);
}
for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(fault);
if (faults.length > 0) process.exitCode = 1;

async function measureKnee(load: SoakLoad): Promise<number> {
  await load.start(seed);
  await delay(KNEE_SETTLE_SECONDS * 1000);
  load.take();
  const begun = performance.now();
  await delay(KNEE_SECONDS * 1000);
  const { requests } = load.take();
  const knee = (requests / (performance.now() - begun)) * 1000;
  await load.stop();
  load.take();
  return knee;
}
