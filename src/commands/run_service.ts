// Runs the service until a signal ends it. Prints where it listens and the demo key of a new folder.

import { startThreads } from '../api/start_threads.ts';
import { unknownVariables } from '../config.ts';
import { watchCertificate } from './certificate.ts';
import { lowerHelperThreads } from './helper_threads.ts';
import type { Preparation } from './prepare_service.ts';
import { Reload } from './reload.ts';
import { onReloadOrdered, stopOrdered } from './signals.ts';
import { welcome } from './welcome.ts';

/** Starts the service and returns when it has ended. @throws Error when it cannot start or continue */
export async function runService({ config, readAgain, log, certificate, endpoint, folder }: Preparation): Promise<void> {
  for (const sentence of unknownVariables()) log.warn(sentence);
  lowerHelperThreads();
  const httpThreads = endpoint.shareable ? config.httpThreads : 1;
  if (httpThreads < config.httpThreads) log.info('Several threads cannot share a port on this system: one HTTP thread answers.');
  const ordered = stopOrdered();
  let reload: Reload | undefined;
  onReloadOrdered(() => {
    log.reopen();
    void reload?.all();
  });
  const threads = await startThreads({ ...config, httpThreads, port: endpoint.port }, folder, certificate, log).catch((error: Error) => {
    if (folder.isNew) folder.discard();
    throw error;
  });
  if (threads.metricsUrl !== undefined) process.stdout.write(`Metrics are at ${threads.metricsUrl}\n`);
  reload = new Reload(config, readAgain, threads, log, level => log.useLevel(level));
  watchCertificate(config, () => reload?.certificate());
  process.stdout.write(`Sextant listens on ${threads.url}\n`);
  if (threads.demoKey !== undefined) process.stdout.write(welcome(config, endpoint.port, threads.demoKey));
  const reason = await Promise.race([ordered, threads.failed]).catch(async (error: Error) => {
    await threads.stop();
    throw error;
  });
  log.info(`Stopping ${reason}.`);
  await threads.stop();
  log.flush();
  folder.release();
}
