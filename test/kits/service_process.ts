// The whole service as a child process, for tests that need real sockets, signals and kills: a data folder under the
// temporary folder, a free port of the loopback interface, and the program as `npx sextant serve` runs it. Commands run
// either as the program too, or, where a test needs many, as jobs over the folder's socket, which is what the program
// does with them.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Job, KeySettings, Progress } from '../../src/jobs/job.ts';
import { submitJob } from '../../src/jobs/submit_job.ts';
import type { LoggedRequest } from '../../src/tables/requests/record.ts';

/** The program of this checkout. */
export const PROGRAM = resolve(import.meta.dirname, '../../src/sextant.js');
const LISTENS = /^Sextant listens on (\S+)$/m;
const DEMO_KEY = /^Demo key \(shown only now\): (\S+)$/m;

/** Between the last that a process does and its end. */
const END_MILLISECONDS = 5_000;

/** How a process ended. */
export interface Ended {
  /** Exit code; null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** An answer over HTTP. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
  json: any;
}

/** What a request may set; the path holds the query. */
export interface RequestOptions {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** Text and bytes go as they are, anything else as JSON. */
  body?: unknown;
  /** Breaks the connection. */
  signal?: AbortSignal | undefined;
}

/**
 * Processes that run. Those that are left when this process exits, because a signal ended it or it failed, are killed.
 */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Settings of the outer shell must not reach the program. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SEXTANT_')));
}

function start(
  program: string,
  words: string[],
): { child: ChildProcess; ended: Promise<Ended>; output: { stdout: string; stderr: string } } {
  const child = spawn(process.execPath, [program, ...words], { env: cleanEnvironment(), stdio: 'pipe' });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', text => {
    output.stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', text => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return { code, signal, ...output };
  });
  return { child, ended, output };
}

/** Runs the program to its end. */
export function runSextant(...words: string[]): Promise<Ended> {
  return runProgram(PROGRAM, ...words);
}

/** Starts the program, to be killed in its course. */
export function startSextant(...words: string[]): { kill(): Promise<Ended> } {
  const { child, ended } = start(PROGRAM, words);
  child.stdin!.end();
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return { kill };
}

/** Runs the program of another checkout to its end. */
export function runProgram(program: string, ...words: string[]): Promise<Ended> {
  const { child, ended } = start(program, words);
  child.stdin!.end();
  return ended;
}

/** A running service. */
export class ServiceProcess {
  readonly folder: string;
  readonly url: string;
  readonly port: number;
  /** Of a new folder. */
  readonly demoKey: string;
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly output: { stdout: string; stderr: string };

  private constructor(folder: string, url: string, started: ReturnType<typeof start>) {
    this.folder = folder;
    this.url = url;
    this.port = Number(new URL(url).port);
    this.demoKey = DEMO_KEY.exec(started.output.stdout)?.[1] ?? '';
    this.child = started.child;
    this.ended = started.ended;
    this.output = started.output;
  }

  /** Starts the service on a free port. @throws Error with the program's output when it ends instead */
  static start(folder: string, ...flags: string[]): Promise<ServiceProcess> {
    return ServiceProcess.startProgram(PROGRAM, folder, ...flags);
  }

  /** Starts the service of another checkout. @throws Error as `start` */
  static async startProgram(program: string, folder: string, ...flags: string[]): Promise<ServiceProcess> {
    // A node that joins a cluster with keys makes none of its own.
    const isNew = !existsSync(join(folder, 'FORMAT')) && !flags.includes('--cluster');
    const started = start(program, ['serve', '--data', folder, '--port', '0', ...flags]);
    const url = await new Promise<string>((found, refuse) => {
      const look = (): void => {
        const match = LISTENS.exec(started.output.stdout);
        if (match !== null && (!isNew || DEMO_KEY.test(started.output.stdout))) found(match[1]);
      };
      started.child.stdout!.on('data', look);
      void started.ended.then(end =>
        refuse(new Error(`The service ended with ${end.code ?? end.signal}: ${end.stderr}${end.stdout}`)),
      );
    });
    return new ServiceProcess(folder, url, started);
  }

  /** Everything that the program has printed so far. */
  get printed(): string {
    return this.output.stdout + this.output.stderr;
  }

  /** Resolves when the program has printed this. */
  async hasPrinted(text: string): Promise<void> {
    while (!this.printed.includes(text))
      await Promise.race([once(this.child.stdout!, 'data'), once(this.child.stderr!, 'data')]);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Sends one request over the kept connection. */
  request(options: RequestOptions = {}): Promise<Answer> {
    return send(this.url, { agent: this.agent, ...options });
  }

  /** Posts a body to `/` with a key. */
  post(key: string, body: unknown, query = ''): Promise<Answer> {
    return this.request({ path: `/?key=${key}${query}`, body });
  }

  /** Has a job done by the service, over its folder's socket. */
  job<T>(job: Job, onProgress: (progress: Progress) => void = () => {}): Promise<T> {
    const run = () => Promise.reject(new Error('The service does not own its folder.'));
    const caller = { onProgress, stdin: Readable.from([]) };
    const done = submitJob({ dataFolder: this.folder, sync: 'commit' }, job, run, caller);
    return done.catch((error: Error) => this.explain(error)) as Promise<T>;
  }

  /** Says how the program ended, where a job failed because it did. */
  private async explain(error: Error): Promise<never> {
    if (!error.message.startsWith('The owner of the data folder ended')) throw error;
    const end = await Promise.race([this.ended, delay(END_MILLISECONDS)]);
    const how = end === undefined ? 'It runs' : `It ended with ${end.code ?? end.signal}`;
    throw new Error(`${error.message} ${how}: ${this.printed}`, { cause: error });
  }

  /** Makes a key. */
  async key(settings: KeySettings = {}): Promise<{ id: number; key: string }> {
    return this.job({ verb: 'keys', action: 'create', settings });
  }

  /** The logged request of an answer. */
  logged(logId: number): Promise<LoggedRequest> {
    return this.job({ verb: 'log', id: logId });
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    const ended = await this.ended;
    this.agent.destroy();
    return ended;
  }

  /** Sends bytes over a connection of their own; resolves with all that comes back until it closes. */
  async raw(...chunks: (string | Buffer)[]): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', chunk => {
      text += chunk;
    });
    for (const chunk of chunks) socket.write(chunk);
    await once(socket, 'close');
    return text;
  }
}

/** One request. @throws Error when the connection breaks before the answer is whole */
export function send(
  url: string,
  { agent, method = 'POST', path = '/', headers = {}, body, signal }: RequestOptions & { agent?: Agent },
): Promise<Answer> {
  const bytes =
    body === undefined
      ? undefined
      : typeof body === 'string' || Buffer.isBuffer(body)
        ? Buffer.from(body)
        : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      agent,
      method,
      headers: bytes === undefined ? headers : { 'content-length': bytes.length, ...headers },
      path,
      ...(signal !== undefined && { signal }),
    });
    request.on('response', response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          json: text !== '' && isJson(response.headers) ? JSON.parse(text) : undefined,
        });
      });
    });
    request.on('error', reject);
    request.end(bytes);
  });
}

function isJson(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.startsWith('application/json') ?? false;
}

/** Expects an answer to be an error of the specification's shape. */
export function expectError(
  answer: Answer,
  code: number,
  reason: string,
  domain: string,
  message?: string | RegExp,
): void {
  expect(answer.status).toBe(code);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const { error, logId } = answer.json;
  expect(Object.keys(answer.json).sort()).toEqual(['error', 'logId']);
  expect(Object.keys(error).sort()).toEqual(['code', 'errors', 'message']);
  expect(error).toMatchObject({ code, errors: [{ domain, reason, message: error.message }] });
  if (message !== undefined)
    expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  expect(Number.isSafeInteger(logId)).toBe(true);
}
