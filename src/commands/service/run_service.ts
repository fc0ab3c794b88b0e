// Runs the service until a signal ends it. Prints where it listens and the demo key of a new folder.

import { startThreads } from '../../api/start_threads.ts';
import { type Config, unknownVariables } from '../../config.ts';
import { LONE_BEACONS_OF } from '../../radio/query/layout.ts';
import { watchCertificate } from './certificate.ts';
import { lowerHelperThreads, type Preparation } from './prepare_service.ts';
import { Reload } from './reload.ts';
import { onReloadOrdered, stopOrdered, tellSystemd } from './signals.ts';
import { welcome } from './welcome.ts';

/** Loaded on demand: most services have no admin interface. */
type AdminSources = Parameters<typeof import('../../api/admin/server.ts').listenForAdmin>[1];

/** Starts the service and returns when it has ended. @throws Error when it cannot start or continue */
export async function runService({
  config,
  readAgain,
  describe,
  log,
  certificate,
  endpoint,
  folder,
}: Preparation): Promise<void> {
  for (const sentence of unknownVariables()) log.warn(sentence);
  lowerHelperThreads();
  const httpThreads = endpoint.shareable ? config.httpThreads : 1;
  if (httpThreads < config.httpThreads)
    log.info('Several threads cannot share a port on this system: one HTTP thread answers.');
  const ordered = stopOrdered();
  let reload: Reload | undefined;
  onReloadOrdered(() => {
    log.reopen();
    void reload?.all();
  });
  const giveUp = (error: Error): never => {
    if (folder.isNew) folder.discard();
    throw error;
  };
  const threads = await startThreads({ ...config, httpThreads, port: endpoint.port }, folder, certificate, log).catch(
    giveUp,
  );
  let settings = describe();
  reload = new Reload(config, readAgain, threads, log, level => {
    log.useLevel(level);
    settings = describe();
  });
  const { readiness, metricSources, openAnswerer } = threads;
  const sources = {
    folder: folder.path,
    backupFolder: config.backupFolder,
    readiness,
    metricSources,
    onError: log.error,
    openAnswerer,
    loneBeacons: LONE_BEACONS_OF[config.loneBeacons],
    settings: () => settings,
  };
  const admin = await startAdmin(config.admin, sources).catch(async (error: Error) => {
    await threads.stop();
    return giveUp(error);
  });
  if (threads.metricsUrl !== undefined) process.stdout.write(`Metrics are at ${threads.metricsUrl}\n`);
  if (admin !== undefined) process.stdout.write(`The admin interface listens on ${admin.url}\n`);
  watchCertificate(config, () => reload?.certificate());
  process.stdout.write(`Sextant listens on ${threads.url}\n`);
  tellSystemd('ready', `Listens on ${threads.url}`, log.warn);
  if (threads.demoKey !== undefined) process.stdout.write(welcome(config, endpoint.port, threads.demoKey));
  const reason = await Promise.race([ordered, threads.failed]).catch(async (error: Error) => {
    await admin?.stop();
    await threads.stop();
    throw error;
  });
  log.info(`Stopping ${reason}.`);
  tellSystemd('stopping', `Stopping ${reason}`, log.warn);
  await admin?.stop();
  await threads.stop();
  log.flush();
  folder.release();
}

/** Starts the admin interface if there is to be one. */
async function startAdmin(
  address: Config['admin'],
  sources: AdminSources,
): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (address === undefined) return undefined;
  const { listenForAdmin } = await import('../../api/admin/server.ts');
  return listenForAdmin(address, sources);
}
