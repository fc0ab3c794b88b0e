// Runs the load generator (generator.c) for one slice of a measurement. The generator is in C because it must be
// cheaper than the server and, in open loop, punctual to a few microseconds; Node's timers have a resolution of one
// millisecond. It is compiled on first use and whenever its source changes.

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Histogram } from '../statistics.ts';

const SOURCE = fileURLToPath(new URL('./generator.c', import.meta.url));
const BUILD_FOLDER = fileURLToPath(new URL('../../build', import.meta.url));

/** The load of a slice. */
export interface Slice {
  port: number;
  /** File written by `writeRequestFile`. */
  requestFile: string;
  connections: number;
  /** Milliseconds of load before anything is counted. */
  warmMilliseconds: number;
  measureMilliseconds: number;
  /** Arrivals a second for an open loop; undefined for a closed one. */
  ratePerSecond?: number;
  seed: number;
  /** Requests may stay without an answer, because the rate is above what the server can do. */
  mayFallBehind?: boolean;
}

export interface SliceResult {
  /** Open loop: arrivals in the measured window. */
  arrived: number;
  /** Requests sent in the whole slice. */
  sent: number;
  /** Answers in the whole slice. */
  answered: number;
  /** Answers that count: inside the measured window. */
  measured: number;
  /** Answers that came in the measured window. */
  completed: number;
  succeeded: number;
  notFound: number;
  /** Answers with any other status. */
  failed: number;
  /** Processor time of the generator itself in the whole slice. */
  cpuSeconds: number;
  latency: Histogram;
}

/**
 * Path of the compiled generator.
 * @throws Error on other systems than Linux and without a C compiler
 */
export function compileGenerator(): string {
  if (process.platform !== 'linux')
    throw new Error('The load generator needs Linux (epoll); run `micro` here, or `path` and `load` on Linux.');
  const source = readFileSync(SOURCE);
  const binary = join(BUILD_FOLDER, `load-generator-${createHash('sha256').update(source).digest('hex').slice(0, 12)}`);
  if (existsSync(binary)) return binary;
  mkdirSync(BUILD_FOLDER, { recursive: true });
  try {
    execFileSync('cc', ['-O2', '-Wall', '-o', binary, SOURCE, '-lm'], {
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
    });
  } catch (error) {
    throw new Error(
      'The load generator is a C program and `cc` could not compile it; install a C compiler to run `path` and `load`.',
      { cause: error },
    );
  }
  return binary;
}

/**
 * Sends one slice of load and waits for its end.
 * @throws Error when the generator fails, or an answer is neither a success nor a 404
 */
export async function runSlice(binary: string, slice: Slice): Promise<SliceResult> {
  const loop = slice.ratePerSecond === undefined ? 'closed' : 'open';
  const { port, requestFile, connections, warmMilliseconds, measureMilliseconds, ratePerSecond = 0, seed } = slice;
  const child = spawn(
    binary,
    [loop, ...[port, requestFile, connections, warmMilliseconds, measureMilliseconds, ratePerSecond, seed].map(String)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    complaint += text;
  });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0)
    throw new Error(`The load generator failed on port ${port}: ${complaint.trim() || `exit code ${code}`}`);
  const result = JSON.parse(output) as SliceResult;
  if (result.failed > 0)
    throw new Error(`${result.failed} of ${result.answered} requests to port ${port} failed. ${complaint.trim()}`);
  if (slice.mayFallBehind !== true && result.sent !== result.answered)
    throw new Error(`${result.sent - result.answered} of ${result.sent} requests to port ${port} got no answer.`);
  return result;
}
