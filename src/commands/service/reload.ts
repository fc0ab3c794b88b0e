// What a running service reads again on SIGHUP: its configuration, the files of its certificate and the database of
// addresses. Files are also read again when they change. No connection ends by it, and what cannot be used leaves
// everything as it was.

import { bodyRoom } from '../../api/body_memory.ts';
import type { ServingThreads } from '../../api/start_threads.ts';
import { ConfigError } from '../../config/setting.ts';
import { type Config, takeOver } from '../../config.ts';
import { messageOf } from '../../jobs/job.ts';
import { readCertificate } from './certificate.ts';
import { readAddresses } from './prepare_service.ts';

/** Where messages for the operator go. */
interface OperatorLog {
  error(message: string): void;
  info(message: string): void;
}

/** Reads configuration and files again. */
export class Reload {
  private config: Config;
  private readonly readAgain: () => Config;
  private readonly threads: Pick<ServingThreads, 'useFiles' | 'useSettings'>;
  private readonly log: OperatorLog;
  private readonly useLogLevel: (level: Config['logLevel']) => void;

  /** @param config what the service runs with */
  constructor(
    config: Config,
    readAgain: () => Config,
    threads: Pick<ServingThreads, 'useFiles' | 'useSettings'>,
    log: OperatorLog,
    useLogLevel: (level: Config['logLevel']) => void,
  ) {
    this.config = config;
    this.readAgain = readAgain;
    this.threads = threads;
    this.log = log;
    this.useLogLevel = useLogLevel;
  }

  /** Reads everything again. */
  async all(): Promise<void> {
    await this.settings();
    this.certificate();
    await this.addresses();
  }

  /**
   * Has new connections see what the certificate files hold now. Files that cannot be used leave the old certificate in
   * use.
   */
  certificate(): void {
    try {
      const certificate = readCertificate(this.config);
      if (certificate === undefined) return;
      this.threads.useFiles({ certificate });
      this.log.info('The certificate was read again.');
    } catch (error) {
      this.log.error(`The certificate could not be read again, so the old one stays in use. ${messageOf(error)}`);
    }
  }

  /** Looks addresses up in what the file of `--geoip` holds now, if that can be used. */
  async addresses(): Promise<void> {
    try {
      const addresses = await readAddresses(this.config);
      if (addresses === undefined) return;
      this.threads.useFiles({ addresses });
      this.log.info('The database of addresses was read again.');
    } catch (error) {
      this.log.error(
        `The database of addresses could not be read again, so the old one stays in use. ${messageOf(error)}`,
      );
    }
  }

  private async settings(): Promise<void> {
    try {
      const { config, changed, waiting } = takeOver(this.config, this.readAgain());
      bodyRoom(config);
      if (changed.length > 0) await this.threads.useSettings(config);
      this.config = config;
      this.log.info(`The configuration was read again: ${describe(changed, waiting)}.`);
      this.useLogLevel(config.logLevel);
    } catch (error) {
      this.log.error(
        `The configuration could not be read again, so nothing was changed. ` +
          `${error instanceof ConfigError ? error.message : messageOf(error)}`,
      );
    }
  }
}

function describe(changed: readonly string[], waiting: readonly string[]): string {
  if (changed.length + waiting.length === 0) return 'nothing has changed';
  const restart = `${waiting.join(', ')} ${waiting.length === 1 ? 'needs' : 'need'} a restart`;
  if (changed.length === 0) return restart;
  return `${changed.join(', ')} changed${waiting.length === 0 ? '' : `; ${restart}`}`;
}
