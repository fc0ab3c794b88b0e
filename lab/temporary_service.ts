// A service for one piece of work. It has a new data folder in the temporary directory, a free port on the loopback
// interface, and one key whose contributions need no second witness. It leaves nothing behind.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { startThreads } from '../src/api/start_threads.ts';
import { probePort } from '../src/commands/service/prepare_service.ts';
import { type Config, readConfig } from '../src/config.ts';
import { takeFolder } from '../src/folder/data_folder.ts';
import type { KeySettings } from '../src/jobs/job.ts';
import { submitJob } from '../src/jobs/submit_job.ts';
import { runOfflineJob } from '../src/writer/offline_job.ts';

const EXIT_SIGNALLED = 1;

/** What a service begins with. */
interface Beginning {
  /** Settings of its key beyond the usual. */
  settings?: KeySettings;
  /** Whether it tests what it learns, and corrects its radii; as every service by default. */
  calibrate?: Config['calibrate'];
  /** Fills its folder before it starts. */
  prepare?(config: Config): Promise<void>;
}

/**
 * Starts a service, does the work and stops the service.
 * @throws what the work throws, or Error when the service cannot start or continue
 */
export async function withTemporaryService<T>(
  work: (address: { url: string; key: string }) => Promise<T>,
  beginning: Beginning = {},
): Promise<T> {
  const base = mkdtempSync(join(tmpdir(), 'sextant-evaluation-'));
  const remove = () => rmSync(base, { recursive: true, force: true });
  const abandon = () => {
    remove();
    process.exit(EXIT_SIGNALLED);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, abandon);
  try {
    return await serveIn(base, work, beginning);
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, abandon);
    remove();
  }
}

async function serveIn<T>(
  base: string,
  work: (address: { url: string; key: string }) => Promise<T>,
  { settings = {}, calibrate = 'on', prepare }: Beginning,
): Promise<T> {
  const path = join(base, 'data');
  // No options are declared: the variables of the operator's own service do not apply here. Scans are small
  // queries, which are computed where they are read in any case: workers would only make the start longer.
  const options = { data: path, port: '0', calibrate, compute: 'inline' };
  const program = new Command();
  for (const [name, value] of Object.entries(options)) program.setOptionValue(name, value);
  const config = readConfig(program);
  // Created before the service starts: a folder that is new to it would get the demo town.
  const key = await createKey(config, settings);
  await prepare?.(config);
  const endpoint = await probePort(config.host, config.port);
  const folder = takeFolder(path, false);
  if (folder === undefined) throw new Error(`Another process has taken the folder ${path}.`);
  const tell = (message: string) => void process.stderr.write(`${message}\n`);
  const log = { error: tell, warn: tell, info: () => {}, debug: () => {}, access: () => {} };
  const httpThreads = endpoint.shareable ? config.httpThreads : 1;
  const threads = await startThreads({ ...config, httpThreads, port: endpoint.port }, folder, {}, log);
  threads.allListen();
  try {
    return await Promise.race([work({ url: threads.url, key }), threads.failed]);
  } finally {
    await threads.stop();
    folder.release();
  }
}

async function createKey(config: Config, more: KeySettings): Promise<string> {
  const settings = { name: 'evaluation', contributor: true, trusted: true, ...more };
  const caller = { onProgress: () => {}, stdin: Readable.from([]) };
  const { key } = (await submitJob(config, { verb: 'keys', action: 'create', settings }, runOfflineJob, caller)) as {
    key: string;
  };
  return key;
}
