// The services that the laboratory asks: temporary ones, into which an operator has imported files, or whose radii
// begin with a scale of their own.

import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../src/config.ts';
import type { Job, KeySettings } from '../src/jobs/job.ts';
import { submitJob } from '../src/jobs/submit_job.ts';
import { StationWriter } from '../src/tables/stations/writer.ts';
import { runOfflineJob } from '../src/writer/offline_job.ts';
import { withTemporaryService } from './temporary_service.ts';
import type { Priors } from './unseen.ts';

/** What a service begins with. */
interface Beginning {
  /** A cell table that it knows from the start. */
  cells?: Readable;
  /** The scale of its radii before any test. */
  priors?: Priors | undefined;
  /** Whether it tests what it learns, and corrects its radii; as every service by default. */
  calibrate?: Config['calibrate'];
  /** Imports that it runs before it starts. */
  imports?: readonly Job[];
  /** Settings of its key beyond the usual. */
  settings?: KeySettings;
}

/**
 * Starts a service, does the work and stops the service.
 * @throws what the work throws, or Error when an import fails or the service cannot start or continue
 */
export function withLabService<T>(
  work: (address: { url: string; key: string }) => Promise<T>,
  { cells, priors, calibrate = 'on', imports = [], settings = {} }: Beginning,
): Promise<T> {
  return withTemporaryService(work, {
    settings,
    calibrate,
    async prepare(config) {
      const caller = { onProgress: () => {}, stdin: Readable.from([]) };
      // Beside the data folder, and removed with it.
      const table = join(dirname(config.dataFolder), 'cells.csv');
      if (cells !== undefined) await pipeline(cells, createWriteStream(table));
      const jobs: Job[] =
        cells === undefined ? [...imports] : [{ verb: 'import', kind: 'cells', files: [table] }, ...imports];
      for (const job of jobs) await submitJob(config, job, runOfflineJob, caller);
      if (priors !== undefined) await setPriors(config.dataFolder, priors);
    },
  });
}

/** Writes the scale of the radii into a folder that nothing has opened. */
async function setPriors(folder: string, priors: Priors): Promise<void> {
  const stations = await StationWriter.open(folder, undefined);
  const { calibration, generation } = stations.knowledge;
  generation.root.transactionSync(() => {
    for (const [kind, scale] of priors) calibration.setPrior(kind, scale);
  });
  await stations.close();
}
