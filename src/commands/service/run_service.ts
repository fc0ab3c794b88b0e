// Runs the service until a signal ends it. Prints where it listens and the demo key of a new folder.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ServingThreads, startThreads } from '../../api/start_threads.ts';
import { type Config, unknownVariables } from '../../config.ts';
import { writeImportList } from '../../folder/import_list.ts';
import { Garbage } from '../../pool/garbage.ts';
import { LONE_BEACONS_OF } from '../../radio/query/layout.ts';
import { watchFiles } from './certificate.ts';
import { lowerHelperThreads, type Preparation, probePort } from './prepare_service.ts';
import { Reload } from './reload.ts';
import { onReloadOrdered, stopOrdered, tellSystemd } from './signals.ts';
import { welcome } from './welcome.ts';

/** Where the console is on an address. */
const CONSOLE = '/console/';
const PORT_MAX = 65_535;
/** Ports after that of the service that are tried for the console. */
const PORTS_TRIED = 20;

/** Loaded on demand. */
type AdminSources = Parameters<typeof import('../../api/admin/server.ts').listenForAdmin>[1];

/** Starts the service and returns when it has ended. @throws Error when it cannot start or continue */
export async function runService({
  config,
  readAgain,
  describe,
  log,
  files,
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
  const threads = await startThreads({ ...config, httpThreads, port: endpoint.port }, folder, files, log).catch(giveUp);
  let settings = describe();
  reload = new Reload(config, readAgain, threads, log, level => {
    log.useLevel(level);
    settings = describe();
  });
  const { readiness, metricSources, openAnswerer, startBackground } = threads;
  const sources = {
    folder: folder.path,
    backupFolder: config.backupFolder,
    readiness,
    metricSources,
    onError: log.error,
    openAnswerer,
    startBackground,
    map: config.map,
    loneBeacons: LONE_BEACONS_OF[config.loneBeacons],
    publicUrl: threads.url,
    hasReadToken: config.adminReadToken,
    settings: () => settings,
  };
  const admin = await startAdmin(config, endpoint.port, sources, log.warn).catch(async (error: Error) => {
    await threads.stop();
    return giveUp(error);
  });
  threads.allListen();
  new Garbage(true).collectWhenIdle();
  tellAddresses(config, threads, admin?.url);
  watchFiles([config.tlsCertificateFile, config.tlsKeyFile], () => reload?.certificate());
  watchFiles([config.geoipFile], () => void reload?.addresses());
  process.stdout.write(`Sextant listens on ${threads.url}\n`);
  tellSystemd('ready', `Listens on ${threads.url}`, log.warn);
  if (threads.demoKey !== undefined) process.stdout.write(welcome(config, endpoint.port, threads.demoKey));
  await runToEnd(ordered, { threads, admin, imports: await startImports(config, folder.path, log) }, log);
  log.flush();
  folder.release();
}

/** What runs besides this function. */
interface Running {
  threads: ServingThreads;
  admin: { stop(): Promise<void> } | undefined;
  imports: { stop(): void; ended: Promise<void> } | undefined;
}

/** Waits for an order to stop, and stops the parts. @throws Error when the service cannot continue */
async function runToEnd(
  ordered: Promise<string>,
  { threads, admin, imports }: Running,
  log: Preparation['log'],
): Promise<void> {
  const stop = async (): Promise<void> => {
    imports?.stop();
    await admin?.stop();
    await threads.stop();
    await imports?.ended;
  };
  const reason = await Promise.race([ordered, threads.failed]).catch(async (error: Error) => {
    await stop();
    throw error;
  });
  log.info(`Stopping ${reason}.`);
  tellSystemd('stopping', `Stopping ${reason}`, log.warn);
  await stop();
}

/** Prints where metrics, admin interface and console are. @param admin address of the interface, if there is one */
function tellAddresses(
  config: Pick<Config, 'console'>,
  { url, metricsUrl }: Pick<ServingThreads, 'url' | 'metricsUrl'>,
  admin: string | undefined,
): void {
  const lines = [
    ...(metricsUrl === undefined ? [] : [`Metrics are at ${metricsUrl}`]),
    ...(admin === undefined ? [] : [`The admin interface listens on ${admin}`, `The console is at ${admin}${CONSOLE}`]),
    ...(config.console === 'public' ? [`Try, Map and Coverage are for all at ${url}${CONSOLE}`] : []),
  ];
  process.stdout.write(lines.map(line => `${line}\n`).join(''));
}

/** Begins what `--import` names; undefined without it. Removes downloads that nobody goes on with. */
async function startImports(
  { imports, importEvery }: Config,
  folder: string,
  log: Preparation['log'],
): Promise<Running['imports']> {
  if (existsSync(join(folder, 'downloads')))
    (await import('../fetched_files.ts')).removeOldDownloads(folder, Date.now());
  if (imports === undefined) {
    writeImportList(folder, []);
    return undefined;
  }
  const { SettingImports } = await import('./setting_imports.ts');
  const work = new SettingImports(folder, imports, importEvery, log);
  return { stop: () => work.stop(), ended: work.run() };
}

/**
 * Starts the admin interface if there is to be one. Where nobody named an address, it is on the first free port after
 * that of the service, unless that was any free one itself; and a service that finds none runs without.
 */
async function startAdmin(
  { admin, port: wanted }: Pick<Config, 'admin' | 'port'>,
  port: number,
  sources: AdminSources,
  warn: (message: string) => void,
): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (admin === undefined || (admin === 'auto' && (wanted === 0 || port === PORT_MAX))) return undefined;
  const { listenForAdmin } = await import('../../api/admin/server.ts');
  if (admin !== 'auto') return listenForAdmin(admin, sources);
  try {
    const free = await freePortAfter(port);
    if (free !== port + 1) warn(`Port ${port + 1} is taken, so the console is on port ${free}.`);
    return await listenForAdmin({ host: '127.0.0.1', port: free }, sources);
  } catch (error) {
    warn(`There is no console: ${(error as Error).message}`);
    return undefined;
  }
}

/** @throws Error when none of the ports that are tried is free */
async function freePortAfter(port: number): Promise<number> {
  const last = Math.min(port + PORTS_TRIED, PORT_MAX);
  for (let next = port + 1; next < last; next++) {
    const isFree = await probePort('127.0.0.1', next).then(
      () => true,
      () => false,
    );
    if (isFree) return next;
  }
  return (await probePort('127.0.0.1', last)).port;
}
