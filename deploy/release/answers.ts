// Asks a program what the README asks: started in an empty folder with an empty environment, it must give the answer
// that the README shows, tell the version of the release, and stop when it is told to.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ROOT } from './checkout.ts';

/** How long a start may take: an emulated processor is slow, and a first start from npm makes the gazetteer. */
const START_MILLISECONDS_MAX = 300_000;
const PATH = '/usr/local/bin:/usr/bin:/bin';

/** How a program is run. */
export interface Run {
  /** The program, and words before its verbs. */
  command: readonly string[];
  /** Beside PATH and HOME, nothing. */
  environment?: Readonly<Record<string, string>>;
  /** The data folder as the program sees it; by itself one in the folder where it runs. */
  data?: string;
}

/**
 * Checks a program.
 * @param folder to run in; it is made
 * @param told what `--version` must print
 * @returns seconds from the start to the answer
 * @throws Error when it says something else
 */
export async function checkAnswer({ command, environment, data }: Run, folder: string, told: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const [program, ...words] = command;
  const how = { cwd: folder, env: { PATH, HOME: folder, ...environment } };
  const began = performance.now();
  const version = execFileSync(program, [...words, '--version'], { ...how, encoding: 'utf8' }).trim();
  if (version !== told) throw new Error(`${program} says that it is ${version}, not ${told}.`);
  const flags = ['serve', '--port', '0', '--data', data ?? join(folder, 'data'), '--http-threads', '1'];
  const child = spawn(program, [...words, ...flags], { ...how, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  try {
    const { url, key } = await startOf(child, ended);
    const { request, answer } = readExample();
    const response = await fetch(`${url}/?key=${key}`, { method: 'POST', body: request });
    const { logId: _, ...given } = (await response.json()) as Record<string, unknown>;
    if (!isDeepStrictEqual(given, answer))
      throw new Error(`${program} answers ${JSON.stringify(given)}, not ${JSON.stringify(answer)} as the README says.`);
    const seconds = (performance.now() - began) / 1000;
    child.kill('SIGTERM');
    const [code, signal] = await ended;
    if (code !== 0) throw new Error(`${program} ended with ${code ?? signal} when it was told to stop.`);
    return seconds;
  } finally {
    child.kill('SIGKILL');
  }
}

/** Waits until a service says where it listens, and its demo key. */
async function startOf(child: ChildProcess, ended: Promise<unknown[]>): Promise<{ url: string; key: string }> {
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk;
    });
  const within = AbortSignal.timeout(START_MILLISECONDS_MAX);
  for (;;) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    const key = /Demo key \(shown only now\): (\S+)/.exec(text)?.[1];
    if (url !== undefined && key !== undefined && text.includes('Take both out with')) return { url, key };
    await Promise.race([once(child.stdout!, 'data', { signal: within }), ended.then(() => refuse(text))]);
  }
}

function refuse(text: string): never {
  throw new Error(`The service ended at its start: ${text.trim()}`);
}

/** The first request of the README, and its answer. */
function readExample(): { request: string; answer: object } {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, request, block] = /^curl [^\n]* -d '(\{"wifi[^']*)'\n```\n+```json\n(.*?)\n```/ms.exec(readme)!;
  const { logId: _, ...answer } = JSON.parse(block);
  return { request, answer };
}
