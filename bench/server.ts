// A server under measurement: a separate process on a free loopback port. All servers of a comparison run at once and
// are measured in turns.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const FLOOR = fileURLToPath(new URL('./floor.ts', import.meta.url));
const SEXTANT = fileURLToPath(new URL('../src/sextant.js', import.meta.url));
const RAW = fileURLToPath(new URL('./floor_raw.ts', import.meta.url));
/** Names of the threads: Sextant and the floors name their own, the pool's library leaves Node's name. */
const HTTP_THREAD = /^http \d+$/;
const WRITER_THREAD = /^writer$/;
const WORKER_THREAD = /^WorkerThread$/;
const HELPER_THREAD = /^V8 ?Worker/;
const WAITED_CHARGES = /Charges that waited for the writer since the start: (\d+)\./;
/** Ticks a second of the processor times in /proc, the same on every Linux that Node runs on. */
export const TICKS_A_SECOND = 100;
const START_LIMIT_MILLISECONDS = 300_000;
/** Cores that idle servers may use together: they still have timers and logs. */
const QUIET_CORES = 0.03;
const STOP_LIMIT_MILLISECONDS = 30_000;
/** Below the ports that Linux gives to whoever asks for any. */
const PORT_MIN = 10_000;
const PORT_MAX = 32_000;
const PORT_TRIES = 50;

export interface Server {
  readonly name: string;
  readonly port: number;
  readonly process: ChildProcess;
}

/**
 * Ports of the loopback address in a row that were free a moment ago. They lie below those that the system gives to
 * whoever asks for any: one of these would be taken before it is listened on.
 */
export async function freePorts(count: number): Promise<number[]> {
  for (let tries = 0; tries < PORT_TRIES; tries++) {
    const base = randomInt(PORT_MIN, PORT_MAX - count);
    const ports = Array.from({ length: count }, (_, i) => base + i);
    const probes = ports.map(port => createServer().listen(port, '127.0.0.1'));
    const tried = await Promise.allSettled(probes.map(probe => once(probe, 'listening')));
    const held = probes.filter((_, i) => tried[i].status === 'fulfilled');
    await Promise.all(held.map(probe => once(probe.close(), 'close')));
    if (held.length === count) return ports;
  }
  throw new Error(`There are no ${count} free ports in a row.`);
}

/** Starts the floor server with a number of threads. */
export function startFloor(name: string, port: number, threads: number): Server {
  return { name, port, process: launch([FLOOR, String(port), String(threads)], {}) };
}

/** The same on `node:http` alone. */
export function startRawFloor(name: string, port: number, threads: number): Server {
  return { name, port, process: launch([RAW, String(port), String(threads)], {}) };
}

/**
 * Starts Sextant. @param environment SEXTANT_* settings except the port @param program of another checkout, for a
 * comparison @param flags of Node
 */
export function startSextant(
  name: string,
  port: number,
  environment: Record<string, string>,
  { program = SEXTANT, flags = [] }: { program?: string | undefined; flags?: readonly string[] } = {},
): Server {
  return { name, port, process: launch([...flags, program, 'serve'], { ...environment, SEXTANT_PORT: String(port) }) };
}

/**
 * Waits until the server answers this request.
 * @throws Error when its process ends first or nothing answers within five minutes
 */
export async function waitUntilAnswering(server: Server, path: string, body: string): Promise<void> {
  const complaint: string[] = [];
  server.process.stderr!.setEncoding('utf8').on('data', text => complaint.push(text));
  const end = performance.now() + START_LIMIT_MILLISECONDS;
  while (performance.now() < end) {
    if (server.process.exitCode !== null)
      throw new Error(`${server.name} ended with ${server.process.exitCode}: ${complaint.join('').trim()}`);
    try {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const text = await answer.text();
      if (answer.status === 200 || answer.status === 404) return;
      throw new Error(`${server.name} answers ${answer.status}: ${text.slice(0, 400)}`);
    } catch (error) {
      // fetch throws a TypeError while nothing listens.
      if (!(error instanceof TypeError)) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(
    `${server.name} did not answer within ${START_LIMIT_MILLISECONDS / 1000} s. ${complaint.join('').trim()}`,
  );
}

/**
 * Waits until no server does background work, such as filling its cache: until all together use at most QUIET_CORES for
 * a second.
 * @throws Error when they are not quiet within five minutes
 */
export async function waitUntilQuiet(servers: readonly Server[]): Promise<void> {
  const total = () => servers.reduce((sum, server) => sum + processorSeconds(server), 0);
  const end = performance.now() + START_LIMIT_MILLISECONDS;
  for (let before = total(); performance.now() < end; ) {
    await new Promise(resolve => setTimeout(resolve, 1000));
    const now = total();
    if (now - before < QUIET_CORES) return;
    before = now;
  }
  throw new Error(`The servers were still busy with themselves after ${START_LIMIT_MILLISECONDS / 1000} s.`);
}

/** Processor time of the server's process so far, all threads, user and system, in seconds. */
export function processorSeconds(server: Server): number {
  return secondsIn(`/proc/${server.process.pid}/stat`);
}

/** The same by thread: name and number within the process. */
export function threadSeconds(server: Server): Map<string, number> {
  const tasks = `/proc/${server.process.pid}/task`;
  const ids = readdirSync(tasks).sort((a, b) => Number(a) - Number(b));
  return new Map(
    ids.map((id, i) => [
      `${readFileSync(`${tasks}/${id}/comm`, 'utf8').trim()} #${i}`,
      secondsIn(`${tasks}/${id}/stat`),
    ]),
  );
}

/** Processor time so far, to the nanosecond; 0 for threads that the server does not have. */
export interface Nanoseconds {
  /** Of all HTTP threads. */
  http: number;
  /** Of all compute workers. */
  workers: number;
  writer: number;
  /** Of V8's helpers, which compile and collect garbage. */
  helpers: number;
  /** Of all threads that live. */
  process: number;
}

/**
 * Processor time of a server by its threads.
 * @throws Error when the process has no HTTP thread
 */
export function processorNanoseconds(server: Server): Nanoseconds {
  const threads = threadsOf(server.process.pid!);
  if (!threads.some(({ name }) => HTTP_THREAD.test(name))) throw new Error(`${server.name} has no HTTP thread.`);
  const sum = (wanted: RegExp) =>
    threads.reduce((total, { name, nanoseconds }) => total + (wanted.test(name) ? nanoseconds : 0), 0);
  return {
    http: sum(HTTP_THREAD),
    workers: sum(WORKER_THREAD),
    writer: sum(WRITER_THREAD),
    helpers: sum(HELPER_THREAD),
    process: sum(/^/),
  };
}

/** Processor time between two moments. */
export function nanosecondsSince(before: Nanoseconds, after: Nanoseconds): Nanoseconds {
  const since = (threads: keyof Nanoseconds) => after[threads] - before[threads];
  return {
    http: since('http'),
    workers: since('workers'),
    writer: since('writer'),
    helpers: since('helpers'),
    process: since('process'),
  };
}

/** Processor time of any process so far, of all threads that live, nanoseconds. */
export function processNanoseconds(pid: number): number {
  return threadsOf(pid).reduce((sum, { nanoseconds }) => sum + nanoseconds, 0);
}

function threadsOf(pid: number): { name: string; nanoseconds: number }[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).flatMap(id => readThread(`${tasks}/${id}`));
}

/** A thread's name and processor time; nothing when it has ended since the folder was listed. */
function readThread(task: string): { name: string; nanoseconds: number }[] {
  try {
    const nanoseconds = Number(readFileSync(`${task}/schedstat`, 'latin1').split(' ')[0]);
    return [{ name: readFileSync(`${task}/comm`, 'utf8').trim(), nanoseconds }];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return [];
    throw error;
  }
}

/** Processor time of a process or thread so far, user and system, in seconds. @param path of its stat in /proc */
export function secondsIn(path: string): number {
  const line = readFileSync(path, 'latin1');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/**
 * Follows how many charges of a service waited for its writer. The service must log at level debug; it tells the count
 * within a second.
 * @returns the count since the service started, as far as it was told
 */
export function followWaitedCharges(server: Server): () => number {
  let told = 0;
  createInterface({ input: server.process.stderr! }).on('line', line => {
    const count = WAITED_CHARGES.exec(line);
    if (count !== null) told = Number(count[1]);
  });
  return () => told;
}

/** Resident memory of the server's process, in megabytes. */
export function residentMegabytes(server: Server): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'latin1');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024);
}

/** Stops every server and waits. A server that does not end is killed, with a message. */
export async function stopServers(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(async ({ name, process: child }) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise(resolve => child.once('exit', resolve));
      child.kill('SIGTERM');
      const limit = setTimeout(() => {
        console.error(`${name} did not end within ${STOP_LIMIT_MILLISECONDS / 1000} s and is killed.`);
        child.kill('SIGKILL');
      }, STOP_LIMIT_MILLISECONDS);
      await ended;
      clearTimeout(limit);
    }),
  );
}

function launch(argv: string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  child.stdout.resume();
  return child;
}
