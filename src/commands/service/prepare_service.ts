// Checks everything that must hold before the service starts its threads, in the order in which an operator would check
// it.

import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import { setPriority } from 'node:os';
import type { Command } from 'commander';
import { bodyRoom } from '../../api/body_memory.ts';
import type { ServiceFiles } from '../../api/start_threads.ts';
import { isLoopback } from '../../config/values.ts';
import { type Config, describeConfig, listConfig, readConfig } from '../../config.ts';
import { folderInUse, type OwnedFolder, takeFolder } from '../../folder/data_folder.ts';
import { readCertificate } from './certificate.ts';

/** Where the service writes what happens. */
type ServiceLog = ReturnType<typeof import('./service_log.ts').openServiceLog>;

/** What the service needs to start. */
export interface Preparation {
  config: Config;
  /** Reads the configuration again, as it is now. @throws ConfigError */
  readAgain: () => Config;
  log: ServiceLog;
  /** The configuration as it is now, as lines and as values, without secrets. @throws ConfigError */
  describe: () => { settings: string[]; values: ReturnType<typeof listConfig> };
  files: ServiceFiles;
  endpoint: Endpoint;
  /** Owned by this process until it ends. */
  folder: OwnedFolder;
}

/**
 * Checks configuration, binding, logs, certificate and port, and takes the data folder last, so a failure leaves
 * nothing behind.
 * @throws Error whose message tells the operator what does not hold
 */
export async function prepareService(command: Command): Promise<Preparation> {
  const config = readConfig(command);
  if (['debug', 'trace'].includes(config.logLevel)) process.stderr.write(`${describeConfig(command).join('\n')}\n`);
  requireSafeBinding(config);
  bodyRoom(config);
  // Loaded only here: most services import nothing by themselves.
  if (config.imports !== undefined) (await import('./setting_imports.ts')).requireEntries(config.imports);
  // Loaded only here: other commands do not log.
  const { openServiceLog } = await import('./service_log.ts');
  const log = openServiceLog(config);
  const files = { certificate: readCertificate(config), addresses: await readAddresses(config) };
  const endpoint = await probePort(config.host, config.port);
  const folder = takeFolder(config.dataFolder, true, log.warn);
  if (folder === undefined) throw folderInUse(config.dataFolder);
  return {
    config,
    readAgain: () => readConfig(command),
    describe: () => ({ settings: describeConfig(command), values: listConfig(command) }),
    log,
    files,
    endpoint,
    folder,
  };
}

/** Reads the database of `--geoip`; undefined without one. @throws Error when it cannot be used */
export async function readAddresses({ geoipFile }: Pick<Config, 'geoipFile'>): Promise<Uint8Array | undefined> {
  if (geoipFile === undefined) return undefined;
  // Loaded only here: most services have none.
  const { readAddressDatabase } = await import('../../positioning/fallbacks/address_database.ts');
  return readAddressDatabase(geoipFile);
}

/**
 * Refuses to send keys and what devices hear over a network without encryption. @throws Error whose message names the
 * ways out
 */
export function requireSafeBinding(config: Config): void {
  if (isLoopback(config.host) || config.tlsKeyFile !== undefined || config.trustProxy !== undefined) return;
  throw new Error(
    `Listening on ${config.host} without HTTPS would send keys in the clear: give --tls-cert and --tls-key, or ` +
      `--trust-proxy when a proxy ends HTTPS, or listen on 127.0.0.1.`,
  );
}

const TASKS = '/proc/self/task';
/** As V8's platform calls its helpers; Linux cuts names after 15 letters. */
const HELPER = /^V8 ?Worker/;
/** A thread of this niceness has about a tenth of the weight of a usual one. */
const NICENESS = 10;

/**
 * Lets the helpers of V8 run behind the threads that answer. The garbage of a worker for heavy work is collected on
 * them for up to a third of a core, which light requests would otherwise wait for. A thread that needs a helper's
 * result does that work itself while the helper waits for a core. Does nothing where threads have no priorities of
 * their own.
 * @param tasks has a folder for each thread @returns how many helpers there are
 */
export function lowerHelperThreads(tasks = TASKS): number {
  if (process.platform !== 'linux') return 0;
  const helpers = readdirSync(tasks).filter(id => HELPER.test(nameOfThread(`${tasks}/${id}/comm`)));
  for (const id of helpers) setPriority(Number(id), NICENESS);
  return helpers.length;
}

/** Empty if the thread has ended meanwhile, which helpers do not. */
function nameOfThread(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) return '';
    throw error;
  }
}

/** Where the HTTP threads listen. */
interface Endpoint {
  /** 1..65535; a free one if 0 was requested. */
  port: number;
  /** True if several threads can listen on it, which not every operating system allows. */
  shareable: boolean;
}

/**
 * Binds the port and releases it, before any thread is started. The HTTP threads share the port, and sharing would also
 * admit a second Sextant. So the port is first bound exclusively, which fails if another process uses it. @throws Error
 * when it cannot be bound
 */
export async function probePort(host: string, port: number): Promise<Endpoint> {
  try {
    const free = await bindOnce({ host, port, exclusive: true });
    return { port: free, shareable: await canShare(host, free) };
  } catch (error) {
    throw new Error(messageFor(error as NodeJS.ErrnoException, host, port));
  }
}

async function canShare(host: string, port: number): Promise<boolean> {
  try {
    await bindOnce({ host, port, reusePort: true });
    return true;
  } catch (error) {
    if (['ENOTSUP', 'EINVAL', 'ENOPROTOOPT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function bindOnce(options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(options, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function messageFor(error: NodeJS.ErrnoException, host: string, port: number): string {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use; stop what uses it, or choose another with --port.`,
    EACCES: `This user may not listen on port ${port}; choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose one of its own with --host.`,
    ENOTFOUND: `The host name ${host} is not known; choose an address of this machine with --host.`,
  };
  return reasons[error.code ?? ''] ?? `Port ${port} on ${host} cannot be listened on: ${error.message}.`;
}
