// node bench/stalls.ts [CHECKOUT] [--seconds 6] [--rounds 3] [--positions 200] [--searches 50] [--case WORD]: how long
// do light requests wait beside heavy ones? Light positions and searches come at fixed rates and are measured from
// their scheduled send time, beside each kind of heavy request and alone right before. The heavy ones come from a
// thread of their own, which sends the next as soon as one is answered. The table shows p50, p99 and the longest wait
// of both kinds of light request, p99 as a multiple of that alone, how late they were sent, and what the heavy requests
// were answered; each figure is the median over the rounds. Two cases are controls: instead of heavy requests another
// process is busy, which shows what the machine itself adds. With CHECKOUT the service of another checkout is measured,
// such as the one before a change. The last lines compare positions a second in one batch and in single requests.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { quantile } from '../lab/evaluation/quantile.ts';
import { headerOf, readArguments } from './command_line.ts';
import {
  freePorts,
  processorSeconds,
  residentMegabytes,
  startSextant,
  stopServers,
  waitUntilAnswering,
  waitUntilQuiet,
} from './server.ts';

const MEGABYTE = 1_048_576;
const DEMO_KEY = /^Demo key \(shown only now\): (\S+)$/m;
const WORDS = ['Vaduz', 'Paris, France', 'San Francisco', 'Zürich', 'Bruxeles', 'New Delhi, India'];
const scan = (i: number) =>
  JSON.stringify({
    wifiAccessPoints: Array.from({ length: 8 }, (_, k) => ({
      macAddress: (0x02005e0000d3 + ((i + k) % 60)).toString(16).padStart(12, '0'),
      signalStrength: -50 - 3 * k,
    })),
  });

/** A heavy request; the body is made where it is sent. */
interface Heavy {
  path: string;
  body: Buffer;
  encoding?: string;
  /** How many are under way at once. */
  at: number;
}

const fill = (start: string, entry: (i: number) => string, end: string, bytes: number): Buffer => {
  const parts = [start];
  for (let length = start.length + end.length, i = 0; length < bytes; i++) {
    const text = (i === 0 ? '' : ',') + entry(i);
    length += text.length;
    if (length <= bytes) parts.push(text);
  }
  return Buffer.from(parts.join('') + end);
};
const emptyEntries = () => gzipSync(fill('{"wifiAccessPoints":[', () => '{}', ']}', 7.9 * MEGABYTE));
const reports = (bytes: number) =>
  fill(
    '{"items":[',
    i =>
      `{"timestamp":${1_772_000_000_000 + i * 1000},"position":{"latitude":${47 + (i % 10_000) / 1e5},"longitude":9.5,"accuracy":8},"wifiAccessPoints":[${Array.from(
        { length: 12 },
        (_, k) =>
          `{"macAddress":"${(0x001122000000 + i * 12 + k).toString(16).padStart(12, '0')}","signalStrength":${-40 - k},"channel":6,"frequency":2437,"age":${k + 1}00}`,
      ).join(',')}]}`,
    ']}',
    bytes,
  );

/** The cases by name. */
const CASES: Readonly<Record<string, () => Heavy>> = {
  '2.6 M empty entries in a gzip': () => ({ path: '/', body: emptyEntries(), encoding: 'gzip', at: 1 }),
  'eight of them at once': () => ({ path: '/', body: emptyEntries(), encoding: 'gzip', at: 8 }),
  '8 MB of access points': () => ({
    path: '/',
    body: fill(
      '{"wifiAccessPoints":[',
      i => `{"macAddress":"${(0x060000000000 + i * 7919).toString(16).padStart(12, '0')}"}`,
      ']}',
      7.9 * MEGABYTE,
    ),
    at: 1,
  }),
  'batches of 4 MB': () => ({ path: '/v2/geosubmit', body: reports(4 * MEGABYTE), at: 2 }),
  'a batch of 63 MB': () => ({ path: '/v2/geosubmit', body: reports(63 * MEGABYTE), at: 1 }),
  '10,000 points of POST /reverse': () => ({
    path: '/reverse',
    body: Buffer.from(
      JSON.stringify(Array.from({ length: 10_000 }, (_, i) => ({ lat: 40 + (i % 100) / 10, lon: (i % 170) / 10 }))),
    ),
    at: 2,
  }),
  '10,000 positions of POST /v1/geolocate/batch': () => ({
    path: '/v1/geolocate/batch',
    body: Buffer.from(`[${Array.from({ length: 10_000 }, (_, i) => scan(i)).join(',')}]`),
    at: 2,
  }),
};

/** The controls by name: the priority of a process that is busy all the time. */
const CONTROLS: Readonly<Record<string, number>> = { 'a busy process at nice 19': 19, 'a busy process at nice 0': 0 };

/** Sends a request. @returns its status */
function post(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  body?: string | Buffer,
  encoding?: string,
): Promise<number> {
  return new Promise((done, fail) => {
    const headers = {
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...(encoding && { 'content-encoding': encoding }),
    };
    request({ agent, port, host: '127.0.0.1', method, path, headers }, response => {
      response
        .resume()
        .on('end', () => done(response.statusCode!))
        .on('error', fail);
    })
      .on('error', fail)
      .end(body);
  });
}

const sleep = (milliseconds: number) => new Promise(resolved => setTimeout(resolved, milliseconds));

if (isMainThread) await main();
else await sendHeavy(workerData as { name: string; port: number; key: string });

/** In a thread: sends the requests of a case until it is told to stop, and posts how they ended. */
async function sendHeavy({ name, port, key }: { name: string; port: number; key: string }): Promise<void> {
  const { path, body, encoding, at } = CASES[name]();
  const agent = new Agent({ keepAlive: true });
  const ended: Record<string, number> = {};
  const took: number[] = [];
  let going = true;
  parentPort!.once('message', () => {
    going = false;
  });
  parentPort!.postMessage('ready');
  await Promise.all(
    Array.from({ length: at }, async () => {
      while (going) {
        const begun = performance.now();
        const status = await post(agent, port, 'POST', `${path}?key=${key}`, body, encoding).catch(
          (error: Error) => error.message,
        );
        ended[status] = (ended[status] ?? 0) + 1;
        took.push(performance.now() - begun);
      }
    }),
  );
  agent.destroy();
  parentPort!.postMessage({ ended, medianMs: quantile(took, 0.5) });
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments(headerOf(import.meta.url), {
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '6' },
      rounds: { type: 'string', default: '3' },
      positions: { type: 'string', default: '200' },
      searches: { type: 'string', default: '50' },
      case: { type: 'string', default: '' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'sextant-stalls-'));
  const program = positionals[0] && join(resolve(positionals[0]), 'src', 'sextant.js');
  const [port] = await freePorts(1);
  const environment = { SEXTANT_DATA: join(folder, 'var'), SEXTANT_HTTP_THREADS: '1', SEXTANT_WORKERS: '1' };
  const server = startSextant('sextant', port, environment, { program });
  try {
    const key = await demoKey(server.process.stdout!);
    await waitUntilAnswering(server, `/?key=${key}`, scan(0));
    await waitUntilQuiet([server]);
    const rates = { positions: Number(values.positions), searches: Number(values.searches) };
    const seconds = Number(values.seconds);
    await measure(port, key, rates, 2);
    for (const name of [...Object.keys(CONTROLS), ...Object.keys(CASES)].filter(one => one.includes(values.case))) {
      const alone: Waits[] = [];
      const beside: Waits[] = [];
      let outcome = '';
      for (let round = 0; round < Number(values.rounds); round++) {
        alone.push(await measure(port, key, rates, seconds));
        const stop = await (name in CONTROLS ? startControl(CONTROLS[name]) : startHeavy(name, port, key));
        beside.push(await measure(port, key, rates, seconds));
        outcome = await stop();
        await sleep(500);
      }
      print('alone', alone, alone, '');
      print(name, beside, alone, `${outcome} ${residentMegabytes(server)} MB`);
    }
    if (positionals[0] === undefined) await compareBatch(port, key, () => processorSeconds(server));
  } finally {
    await stopServers([server]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts to send the requests of a case. @returns stops it and tells how they ended */
async function startHeavy(name: string, port: number, key: string): Promise<() => Promise<string>> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { name, port, key } });
  await new Promise(ready => thread.once('message', ready));
  return async () => {
    const result = new Promise<object>(got => thread.once('message', got));
    thread.postMessage('stop');
    const text = JSON.stringify(await result);
    await thread.terminate();
    return text;
  };
}

/** Starts a busy process. @returns ends it */
async function startControl(priority: number): Promise<() => Promise<string>> {
  const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  await once(busy, 'spawn');
  setPriority(busy.pid!, priority);
  return async () => {
    busy.kill('SIGKILL');
    await once(busy, 'exit');
    return '';
  };
}

function demoKey(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  return new Promise(got => {
    output.setEncoding('utf8').on('data', piece => {
      text += piece;
      const key = DEMO_KEY.exec(text)?.[1];
      if (key !== undefined) got(key);
    });
  });
}

/** Waits of light requests in milliseconds. */
interface Waits {
  positions: number[];
  searches: number[];
  /** How late the requests were sent. */
  late: number[];
  /** How many were not answered 200. */
  refused: number;
}
type Kind = 'positions' | 'searches';

/** Sends light requests in the open loop. */
async function measure(port: number, key: string, rates: Record<Kind, number>, seconds: number): Promise<Waits> {
  const agent = new Agent({ keepAlive: true });
  const waits: Waits = { positions: [], searches: [], late: [], refused: 0 };
  const send = {
    positions: (i: number) => post(agent, port, 'POST', `/?key=${key}`, scan(i)),
    searches: (i: number) =>
      post(agent, port, 'GET', `/search?q=${encodeURIComponent(WORDS[i % WORDS.length])}&key=${key}`),
  };
  const begun = performance.now();
  const drive = async (kind: Kind): Promise<void> => {
    const under: Promise<void>[] = [];
    for (let i = 0; i < rates[kind] * seconds; i++) {
      const due = begun + (i * 1000) / rates[kind];
      if (due > performance.now()) await sleep(due - performance.now());
      waits.late.push(performance.now() - due);
      under.push(
        send[kind](i).then(status => {
          if (status !== 200) waits.refused++;
          waits[kind].push(performance.now() - due);
        }),
      );
    }
    await Promise.all(under);
  };
  await Promise.all([drive('positions'), drive('searches')]);
  agent.destroy();
  return waits;
}

/** Prints a line of medians over the rounds. */
function print(name: string, rounds: Waits[], alone: Waits[], rest: string): void {
  const median = (of: (waits: Waits, round: number) => number): number => quantile(rounds.map(of), 0.5);
  const at = (kind: Kind | 'late', part: number) => median(waits => quantile(waits[kind], part));
  const describe = (kind: Kind): string => {
    const times = median((waits, round) => quantile(waits[kind], 0.99) / quantile(alone[round][kind], 0.99)).toFixed(1);
    return (
      `${kind} p50 ${at(kind, 0.5).toFixed(1)} p99 ${at(kind, 0.99).toFixed(1)} (${times}x) longest ` +
      `${at(kind, 1).toFixed(0)} ms`
    );
  };
  const refused = rounds.reduce((sum, waits) => sum + waits.refused, 0);
  const late = `sent late p99 ${at('late', 0.99).toFixed(1)} ms`;
  console.log(
    `${name}: ${describe('positions')}; ${describe('searches')}; ${late}; ` +
      `${refused > 0 ? `${refused} refused; ` : ''}${rest}`,
  );
}

/** Positions a second of the service's processor time: in batches, and in single requests over 16 connections. */
async function compareBatch(port: number, key: string, seconds: () => number): Promise<void> {
  const count = 10_000;
  const bodies = Array.from({ length: count }, (_, i) => scan(i));
  const agent = new Agent({ keepAlive: true });
  const rounds = { batch: [] as number[], single: [] as number[] };
  for (let round = 0; round < 6; round++) {
    let before = seconds();
    await post(agent, port, 'POST', `/v1/geolocate/batch?key=${key}`, `[${bodies.join(',')}]`);
    rounds.batch.push(count / (seconds() - before));
    before = seconds();
    let next = 0;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (next < count) await post(agent, port, 'POST', `/?key=${key}`, bodies[next++]);
      }),
    );
    rounds.single.push(count / (seconds() - before));
  }
  agent.destroy();
  const [batch, single] = [rounds.batch, rounds.single].map(list => quantile(list.slice(1), 0.5));
  console.log(
    `positions a second of processor time: ${Math.round(batch)} in batches, ${Math.round(single)} in single ` +
      `requests, ${(batch / single).toFixed(1)} times as many`,
  );
}
