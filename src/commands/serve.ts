// `sextant serve`: everything that must hold before a thread is started, in the order in which an operator would look for it.

import type { Command } from 'commander';
import { type Config, describeConfig, readConfig, requireSafeBinding } from '../config.ts';
import { folderInUse, type OwnedFolder, takeFolder } from '../writer/folder.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { type Endpoint, probePort } from './probe_port.ts';
import { withConfigFlags } from './run_job.ts';

/** What the service is started with. */
export interface Preparation {
  config: Config;
  certificate: Certificate | undefined;
  endpoint: Endpoint;
  /** Owned by this process until it ends. */
  folder: OwnedFolder;
}

/** Adds the verb. */
export function addServe(program: Command): void {
  withConfigFlags(program.command('serve'), 'serve')
    .description('answer requests; every flag can also be set by the variable named beside it')
    .addHelpText('after', '\nExample:\n  sextant serve --port 9000 --data /var/lib/sextant')
    .action(async flags => {
      const preparation = await prepareService(flags);
      const { startService } = await import('./service.ts');
      await startService(preparation);
    });
}

/**
 * Checks configuration, binding, certificate and port, and takes the data folder last, so that a failure leaves nothing behind.
 * @throws Error with one sentence
 */
async function prepareService(flags: Record<string, unknown>): Promise<Preparation> {
  const config = readConfig(flags);
  if (['debug', 'trace'].includes(config.logLevel)) process.stderr.write(`${describeConfig(flags).join('\n')}\n`);
  requireSafeBinding(config);
  const certificate = readCertificate(config);
  const endpoint = await probePort(config.host, config.port);
  const folder = takeFolder(config.dataFolder, true);
  if (folder === undefined) throw folderInUse(config.dataFolder);
  return { config, certificate, endpoint, folder };
}
