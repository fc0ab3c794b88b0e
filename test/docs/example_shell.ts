// Runs shell blocks in a clone, one after the other, as a reader would in one terminal: what a block assigns the next
// ones know.
//
// A block that ends with `npm start` or `npx sextant serve` is started, and goes on in the background until the shell
// is closed. It listens on any free port instead of 8080, which the blocks after it then name (its metrics likewise
// instead of 9464); and the demo key that it prints is put into KEY, as the documents ask the reader to do. What a block
// starts with `&` goes on likewise, on free ports instead of those that `--port` names, as far from each other.
//
// `npx sextant` starts the program of the clone, as npx does, without the seconds in which npx looks for it each time.
// README.md is run with npx itself.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { NATS_PROGRAM } from '../kits/nats.ts';

const DOCUMENTED_ADDRESS = 'http://127.0.0.1:8080';
const DOCUMENTED_METRICS = '127.0.0.1:9464';
const ANY_PORT = '127.0.0.1:0';
const SERVES = /^(npm start|npx sextant serve)\b.*$/;
const LISTENS = /^Sextant listens on (\S+)$/m;
const METRICS = /^Metrics are at http:\/\/(\S+)\/metrics$/m;
const DEMO_KEY = /^Demo key \(shown only now\): (\S+)$/m;
/** A block that takes longer hangs. */
const RUN_MS_MAX = 480_000;

/** What a block printed on standard output. */
export interface Printed {
  stdout: string;
}

/** A terminal in a clone. */
export class ExampleShell {
  private readonly folder: string;
  private readonly stateFile: string;
  private readonly path: string | undefined;
  private address = DOCUMENTED_ADDRESS;
  private metrics = DOCUMENTED_METRICS;
  private readonly ports: ReadonlyMap<string, string>;
  private service: { child: ChildProcess; closed: Promise<unknown> } | undefined;
  /** Blocks that have started something with `&`. */
  private readonly behind: ChildProcess[] = [];

  /**
   * @param folder of the clone @param stateFile keeps the variables; not in the clone @param ownNpx with npx itself
   * @param ports free ports by those that the document names
   */
  constructor(folder: string, stateFile: string, ownNpx: boolean, ports: ReadonlyMap<string, string>) {
    this.folder = folder;
    this.stateFile = stateFile;
    this.ports = ports;
    writeFileSync(stateFile, '');
    const path = [process.env.PATH, ...(NATS_PROGRAM?.includes('/') ? [dirname(NATS_PROGRAM)] : [])].join(delimiter);
    this.path = ownNpx ? path : `${quickNpx(folder, `${stateFile}.bin`)}${delimiter}${path}`;
  }

  /** Runs a block. @throws Error with what it printed when one of its commands fails */
  async run(documented: string): Promise<Printed> {
    const text = documented.replace(/(:|--port )(\d+)\b/g, (all, before, port) =>
      this.ports.has(port) ? before + this.ports.get(port) : all,
    );
    const lines = text.trimEnd().split('\n');
    if (SERVES.test(lines.at(-1)!)) return this.serve(text);
    const script =
      `set -ea\n. ` +
      `"${this.stateFile}"\n${text.replaceAll(DOCUMENTED_ADDRESS, this.address).replaceAll(DOCUMENTED_METRICS, this.metrics)}\nexport ` +
      `-p > "${this.stateFile}"\n`;
    const { child, output, closed } = this.start(script);
    if (/ &$/m.test(text)) this.behind.push(child);
    const timer = setTimeout(() => kill(child, 'SIGKILL'), RUN_MS_MAX);
    const [code, signal] = await closed;
    clearTimeout(timer);
    if (code !== 0) throw new Error(`It ended with ${code ?? signal}:\n${text}\n${output.stderr}${output.stdout}`);
    return output;
  }

  /** Ends the service and what blocks have started. */
  async close(): Promise<void> {
    for (const child of this.behind) kill(child, 'SIGKILL');
    await this.endService();
  }

  private async endService(): Promise<void> {
    if (this.service === undefined) return;
    kill(this.service.child, 'SIGTERM');
    await this.service.closed;
  }

  private async serve(text: string): Promise<Printed> {
    await this.endService();
    const isNew = !existsSync(join(this.folder, 'var'));
    const { child, output, closed } = this.start(text.replaceAll(DOCUMENTED_METRICS, ANY_PORT));
    this.service = { child, closed };
    const isServing = () => LISTENS.test(output.stdout) && (!isNew || DEMO_KEY.test(output.stdout));
    let ended = false;
    void closed.then(() => {
      ended = true;
    });
    while (!isServing()) {
      await Promise.race([once(child.stdout!, 'data'), closed]);
      if (ended) throw new Error(`The service ended: ${output.stderr}${output.stdout}`);
    }
    this.address = LISTENS.exec(output.stdout)![1];
    this.metrics = METRICS.exec(output.stdout)?.[1] ?? this.metrics;
    const key = DEMO_KEY.exec(output.stdout)?.[1];
    if (key !== undefined) writeFileSync(this.stateFile, `${readFileSync(this.stateFile, 'utf8')}KEY=${key}\n`);
    return output;
  }

  private start(script: string): {
    child: ChildProcess;
    output: { stdout: string; stderr: string };
    closed: Promise<[number | null, string | null]>;
  } {
    // A group of its own, so that what a block starts ends with it.
    const child = spawn('bash', ['-c', script], {
      cwd: this.folder,
      env: { ...environment(), PATH: this.path },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', text => {
        output[name] += text;
      });
    }
    return { child, output, closed: once(child, 'close') as Promise<[number | null, string | null]> };
  }
}

/** Makes a folder with an `npx` that starts the program of a clone at once. @returns the folder */
function quickNpx(clone: string, folder: string): string {
  mkdirSync(folder);
  const script = `[ "$1" = sextant ] || exec "${npxOf()}" "$@"\nshift\nexec "${process.execPath}" "${clone}/src/sextant.js" "$@"`;
  writeFileSync(join(folder, 'npx'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'npx'), 0o755);
  return folder;
}

/** Where npx is. */
function npxOf(): string {
  const folder = process.env.PATH!.split(delimiter).find(each => existsSync(join(each, 'npx')));
  return join(folder!, 'npx');
}

/** A reader's: neither settings of the service nor what npm tells the scripts that it runs. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(SEXTANT_|npm_|NODE_ENV$|NODE_COMPILE_CACHE$|VITEST|INIT_CWD$)/.test(name),
  );
  return { ...Object.fromEntries(own), SEXTANT_PORT: '0' };
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended already
  }
}
