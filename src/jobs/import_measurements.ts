// Imports measurements, in any thread or process. The owner appends them to the observation log.

import { importObservations, type ObservationImport, type ObservationSummary } from '../transfer/import_observations.ts';
import type { ObservationImportJob, Progress } from './job.ts';
import { requireKind } from './sources.ts';

/** Runs the job. @throws Error when it fails; what was appended stays */
export async function importMeasurements(
  job: ObservationImportJob,
  folder: string,
  append: ObservationImport['append'],
  onProgress: (progress: Progress) => void,
): Promise<ObservationSummary> {
  if (job.source !== undefined) await requireKind(folder, job.source, 'observations');
  return importObservations({ ...job, stdin: process.stdin, append, onProgress });
}
