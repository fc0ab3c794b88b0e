// Checks everything that must hold before the service starts its threads, in the order in which an operator would check
// it.

import type { Command } from 'commander';
import { bodyRoom } from '../../api/body_memory.ts';
import { type Config, describeConfig, readConfig, requireSafeBinding } from '../../config.ts';
import { folderInUse, type OwnedFolder, takeFolder } from '../../folder/data_folder.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { type Endpoint, probePort } from './probe_port.ts';

/** Where the service writes what happens. */
type ServiceLog = ReturnType<typeof import('./service_log.ts').openServiceLog>;

/** What the service needs to start. */
export interface Preparation {
  config: Config;
  /** Reads the configuration again, as it is now. @throws ConfigError */
  readAgain: () => Config;
  log: ServiceLog;
  /** The configuration as it is now, a line for each setting, without secrets. @throws ConfigError */
  describe: () => string[];
  certificate: Certificate | undefined;
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
  // Loaded only here: other commands do not log.
  const { openServiceLog } = await import('./service_log.ts');
  const log = openServiceLog(config);
  const certificate = readCertificate(config);
  const endpoint = await probePort(config.host, config.port);
  const folder = takeFolder(config.dataFolder, true, log.warn);
  if (folder === undefined) throw folderInUse(config.dataFolder);
  return {
    config,
    readAgain: () => readConfig(command),
    describe: () => describeConfig(command),
    log,
    certificate,
    endpoint,
    folder,
  };
}
