// A service that lives as long as one piece of work: a new data folder under the temporary folder, a free port of the loopback interface, one key whose
// contributions need no second witness. Nothing is left of it.

import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { startThreads } from '../api/start_threads.ts';
import { type Config, readConfig } from '../config.ts';
import { takeFolder } from '../folder/data_folder.ts';
import { submitJob } from '../jobs/submit_job.ts';
import { runOfflineJob } from '../writer/offline_job.ts';
import { probePort } from './probe_port.ts';

const EXIT_SIGNALLED = 1;

/**
 * Starts a service, has the work done and ends the service.
 * @param cells a cell table that it knows from the start
 * @throws what the work throws, or Error when the service cannot start or go on
 */
export async function withTemporaryService<T>(work: (address: { url: string; key: string }) => Promise<T>, cells?: Readable): Promise<T> {
  const base = mkdtempSync(join(tmpdir(), 'sextant-evaluation-'));
  const remove = () => rmSync(base, { recursive: true, force: true });
  const abandon = () => {
    remove();
    process.exit(EXIT_SIGNALLED);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, abandon);
  try {
    return await serveIn(base, work, cells);
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, abandon);
    remove();
  }
}

async function serveIn<T>(
  base: string,
  work: (address: { url: string; key: string }) => Promise<T>,
  cells: Readable | undefined,
): Promise<T> {
  const path = join(base, 'data');
  // No options are declared: variables of the operator's own service say nothing about this one.
  const config = readConfig(new Command().setOptionValue('data', path).setOptionValue('port', '0'));
  // Made before the service, so that the folder is not new to it: a new one would get the demo town.
  const key = await createKey(config);
  if (cells !== undefined) await importCells(config, cells, join(base, 'cells.csv'));
  const endpoint = await probePort(config.host, config.port);
  const folder = takeFolder(path, false);
  if (folder === undefined) throw new Error(`Another process has taken the folder ${path}.`);
  const log = { error: (message: string) => process.stderr.write(`${message}\n`), info: () => {} };
  const httpThreads = endpoint.shareable ? config.httpThreads : 1;
  const threads = await startThreads({ ...config, httpThreads, port: endpoint.port }, folder, undefined, log);
  try {
    return await Promise.race([work({ url: threads.url, key }), threads.failed]);
  } finally {
    await threads.stop();
    folder.release();
  }
}

/** @param file where the table is put for the import */
async function importCells(config: Config, cells: Readable, file: string): Promise<void> {
  await pipeline(cells, createWriteStream(file));
  await submitJob(config, { verb: 'import', kind: 'cells', files: [file] }, runOfflineJob, {
    onProgress: () => {},
    stdin: Readable.from([]),
  });
}

async function createKey(config: Config): Promise<string> {
  const settings = { name: 'evaluation', contributor: true, trusted: true };
  const caller = { onProgress: () => {}, stdin: Readable.from([]) };
  const { key } = (await submitJob(config, { verb: 'keys', action: 'create', settings }, runOfflineJob, caller)) as { key: string };
  return key;
}
