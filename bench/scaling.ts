// node bench/scaling.ts [--stations N] [--reports N]: measures what lab/scaling.md calculates with and no other
// benchmark has: bytes of stations and of learned observations on disk, look-ups whose pages are not in memory,
// applying a delta, and asking another process over some connections, without what encodes and decodes. Appends a line
// to bench/results/scaling.jsonl; then `npm run bench -- docs` writes the document. Needs Linux and an idle machine.
//
//   --stations N   access points of the world (10000000)
//   --reports N    reports that are learned, in a town of 50000 access points (25000)

import { execFileSync, fork } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGE_ABSENT, SIGNAL_ABSENT } from '../src/radio/query/layout.ts';
import { QueryMemory } from '../src/radio/query/memory.ts';
import { QueryReader } from '../src/radio/query/reader.ts';
import { QueryWriter, queryBytes } from '../src/radio/query/writer.ts';
import { createCacheMemory, StationCache } from '../src/tables/stations/cache.ts';
import { countStations, currentGeneration, generationPath, openGeneration } from '../src/tables/stations/generation.ts';
import { StationReader } from '../src/tables/stations/reader.ts';
import { STATION_BYTES } from '../src/tables/stations/record_layout.ts';
import { StationWriter } from '../src/tables/stations/writer.ts';
import { uniform } from '../test/kits/random.ts';
import { headerOf, readArguments } from './command_line.ts';
import { prepareWorld, type WorldData } from './data_folders.ts';
import { describeMachine, probeStealTime } from './machine.ts';
import { reportAt } from './reports.ts';
import { publish, type Table } from './result.ts';
import { createWorld, ENTRY_BYTES, KEY_BYTES, macOf, stationBatches, type World } from './world.ts';

const SEXTANT = fileURLToPath(new URL('../src/sextant.js', import.meta.url));
const TOWN_STATIONS = 50_000;
/** Access points of a request. */
const TOGETHER = 16;
const COLD_REQUESTS = 500;
const DELTA_STATIONS = 10_000;
const DELTAS = 8;
/** A message to another node: a head and 16 keys; its answer: a head and 16 keys with their records. */
const QUESTION_BYTES = 16 + TOGETHER * 8;
const ANSWER_BYTES = 16 + TOGETHER * (8 + STATION_BYTES);
/** A thread asks so many machines, each a few questions at a time. */
const CONNECTIONS = 16;
const IN_FLIGHT = 4;
const HOPS = 400_000;
const WARM_HOPS = 50_000;

if (process.argv[2] === 'echo') echo();
else {
  const { values } = readArguments(headerOf(import.meta.url), {
    options: { stations: { type: 'string', default: '10000000' }, reports: { type: 'string', default: '25000' } },
  });
  await measureAll(Number(values.stations), Number(values.reports));
}

async function measureAll(stations: number, reports: number): Promise<void> {
  const world = createWorld(stations, 1);
  const data = await prepareWorld(world);
  const loss = await probeStealTime();
  const folder = mkdtempSync(join(tmpdir(), 'sextant-scaling-'));
  const rows: string[][] = [];
  const add = (figure: string, value: number) => rows.push([figure, value.toPrecision(4)]);
  try {
    const generation = openGeneration(generationPath(data.folder, currentGeneration(data.folder)!));
    add('table bytes a station', data.tableBytes / countStations(generation));
    await generation.root.close();
    const cold = lookUpCold(world, data);
    add('cold look-up, us', cold.microseconds);
    add('cold look-up, processor us', cold.processor);
    const delta = await applyDeltas(world, data, join(folder, 'copy'));
    add('delta, us a station', delta.microseconds);
    add('delta, processor us a station', delta.processor);
    const learned = learn(createWorld(TOWN_STATIONS, 1), join(folder, 'learned'), reports);
    add('log bytes an observation', learned.logBytes);
    add('learned table bytes a station', learned.tableBytes);
    add('observations a learned station', learned.observations);
    const hop = await hopCosts();
    add('hop, processor us of who asks', hop.asks);
    add('hop, processor us of who answers', hop.answers);
    add('hop bytes, question', QUESTION_BYTES);
    add('hop bytes, answer', ANSWER_BYTES);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const table: Table = { title: 'Costs of many machines', columns: ['figure', 'value'], rows, loss };
  console.log(rows.map(row => row.join('  ')).join('\n'));
  publish({
    bench: 'scaling',
    date: new Date().toISOString(),
    machine: describeMachine(),
    settings: { stations, reports },
    tables: [table],
    promises: [],
    rounds: [],
  });
}

/** Processor time of this process, microseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Looks stations up whose pages the system has dropped. Each lies on a page of its own. */
function lookUpCold(world: World, data: WorldData): { microseconds: number; processor: number } {
  const table = join(generationPath(data.folder, currentGeneration(data.folder)!), 'data.mdb');
  execFileSync('sync');
  execFileSync('dd', [`if=${table}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
  const memory = new QueryMemory(new ArrayBuffer(COLD_REQUESTS * queryBytes(TOGETHER)));
  const writer = new QueryWriter(memory);
  const random = uniform(2);
  for (let offset = 0; offset < memory.buffer.byteLength; offset = writer.end()) {
    writer.begin(offset);
    for (let i = 0; i < TOGETHER; i++)
      writer.addWifi(macOf(world, Math.floor(random() * world.accessPoints)), SIGNAL_ABSENT, 0, AGE_ABSENT, 0);
  }
  const cache = new StationCache(createCacheMemory(0));
  cache.startGeneration(currentGeneration(data.folder)!);
  const reader = new StationReader(data.folder, cache);
  const query = new QueryReader(memory, 0);
  const [start, processor] = [performance.now(), processorTime()];
  for (let request = 0; request < COLD_REQUESTS; request++) {
    query.open(memory, request * queryBytes(TOGETHER));
    reader.lookUp(query);
    if (!reader.isKnown(0)) throw new Error('A known station was not found.');
  }
  const count = COLD_REQUESTS * TOGETHER;
  const found = {
    microseconds: ((performance.now() - start) * 1000) / count,
    processor: (processorTime() - processor) / count,
  };
  reader.release();
  return found;
}

/** Writes deltas of random stations to a copy of the tables, and to a cache. */
async function applyDeltas(
  world: World,
  data: WorldData,
  copy: string,
): Promise<{ microseconds: number; processor: number }> {
  cpSync(data.folder, copy, { recursive: true });
  const every = Math.floor(world.accessPoints / (DELTA_STATIONS * DELTAS));
  const changes: { key: Uint8Array; record: Uint8Array }[] = [];
  let at = 0;
  for (const { bytes, count } of stationBatches(world))
    for (let i = 0; i < count && changes.length < DELTA_STATIONS * DELTAS; i++) {
      if (at++ % every !== 0) continue;
      const from = i * ENTRY_BYTES;
      changes.push({
        key: bytes.slice(from, from + 8),
        record: bytes.slice(from + KEY_BYTES, from + KEY_BYTES + STATION_BYTES),
      });
    }
  const cache = new StationCache(createCacheMemory(64));
  const writer = await StationWriter.open(copy, cache);
  const [start, processor] = [performance.now(), processorTime()];
  for (let delta = 0; delta < DELTAS; delta++) await writer.apply(changes.filter((_, i) => i % DELTAS === delta));
  const found = {
    microseconds: ((performance.now() - start) * 1000) / changes.length,
    processor: (processorTime() - processor) / changes.length,
  };
  await writer.close();
  return found;
}

/** Learns reports of a town, and sees what they take on disk. */
function learn(
  town: World,
  folder: string,
  reports: number,
): { logBytes: number; tableBytes: number; observations: number } {
  const file = `${folder}.jsonl`;
  let observations = 0;
  const lines: string[] = [];
  for (let i = 0; i < reports; i++) {
    const report = reportAt(town, i);
    observations += report.wifiAccessPoints.length + report.cellTowers.length;
    lines.push(JSON.stringify(report));
  }
  writeFileSync(file, lines.join('\n'));
  const env = { SEXTANT_DATA: folder };
  execFileSync(process.execPath, [SEXTANT, 'import', 'observations', file], { env, stdio: 'ignore' });
  execFileSync(process.execPath, [SEXTANT, 'aggregate'], { env, stdio: 'ignore' });
  const path = generationPath(folder, currentGeneration(folder)!);
  const generation = openGeneration(path);
  const stations = generation.stations.getCount();
  void generation.root.close();
  return {
    logBytes: statSync(join(folder, 'observations', 'data.mdb')).size / observations,
    tableBytes: statSync(join(path, 'data.mdb')).size / stations,
    observations: observations / stations,
  };
}

/**
 * Asks another process over some connections, as a thread asks several machines; each side counts its processor time.
 */
async function hopCosts(): Promise<{ asks: number; answers: number }> {
  const child = fork(fileURLToPath(import.meta.url), ['echo']);
  const nextMessage = () => new Promise<number>(resolve => child.once('message', message => resolve(Number(message))));
  const port = await nextMessage();
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').setNoDelay(true));
  const ask = (hops: number) => Promise.all(sockets.map(socket => askOver(socket, hops / CONNECTIONS)));
  await ask(WARM_HOPS);
  const answeringTime = () => {
    const answer = nextMessage();
    child.send('time');
    return answer;
  };
  const [asking, answering] = [processorTime(), await answeringTime()];
  await ask(HOPS);
  const found = { asks: (processorTime() - asking) / HOPS, answers: ((await answeringTime()) - answering) / HOPS };
  for (const socket of sockets) socket.destroy();
  child.disconnect();
  return found;
}

/** Asks over one connection, a few questions at a time. */
function askOver(socket: Socket, hops: number): Promise<void> {
  const question = Buffer.alloc(QUESTION_BYTES);
  let [asked, bytes] = [0, 0];
  const send = (questions: number) => {
    for (let i = 0; i < questions && asked < hops; i++, asked++) socket.write(question);
  };
  return new Promise((resolve, reject) => {
    socket.removeAllListeners('data');
    socket.removeAllListeners('error');
    socket.on('data', chunk => {
      const before = Math.floor(bytes / ANSWER_BYTES);
      bytes += chunk.length;
      const answered = Math.floor(bytes / ANSWER_BYTES);
      if (answered === hops) resolve();
      socket.cork();
      send(answered - before);
      socket.uncork();
    });
    socket.once('error', reject);
    send(IN_FLIGHT);
  });
}

/** The other process: answers each question, and says what processor time it has used. */
function echo(): void {
  const answer = Buffer.alloc(ANSWER_BYTES);
  const server = createServer(socket => {
    socket.setNoDelay(true);
    let bytes = 0;
    socket.on('data', chunk => {
      const before = Math.floor(bytes / QUESTION_BYTES);
      bytes += chunk.length;
      socket.cork();
      for (let i = before; i < Math.floor(bytes / QUESTION_BYTES); i++) socket.write(answer);
      socket.uncork();
    });
    socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port));
  process.on('message', () => process.send!(processorTime()));
  process.on('disconnect', () => process.exit());
}
