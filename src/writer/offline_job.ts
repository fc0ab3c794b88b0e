// Runs a job while no service runs: the command, which owns the data folder, opens the tables, runs its job and closes them.

import { changeStations } from '../jobs/change_stations.ts';
import { importMeasurements } from '../jobs/import_measurements.ts';
import {
  type BuildingsJob,
  type ExtractRemovalJob,
  type FingerprintsJob,
  isBuildingsJob,
  type JobContext,
  type ObservationImportJob,
  type PlacesImportJob,
  type RunJob,
  type SourceRemovalJob,
  type StationImportJob,
} from '../jobs/job.ts';
import type { ObservationImport } from '../transfer/import_observations.ts';
import { Owner } from './owner.ts';
import { createSharedState } from './shared_memory.ts';

/** The log keeps everything; only the service drops requests by size. */
const LOG_MEGABYTES = 1_048_576;

/** Executes one job in a folder that this process owns. @throws Error whose message is for the operator */
export const runOfflineJob: RunJob = async (job, context: JobContext) => {
  // The gazetteer is not part of the folder, which may not even exist.
  if (job.verb === 'import' && job.kind === 'places') return importPlaces(job, context.folder, context.onProgress);
  const options = {
    folder: context.folder,
    sync: context.sync,
    logMegabytes: LOG_MEGABYTES,
    keepObservations: 'forever' as const,
    onError: (error: Error) => {
      throw error;
    },
    runImport: (job: StationImportJob | SourceRemovalJob, { onProgress }: JobContext) => changeStations(job, context.folder, onProgress),
    runObservationImport: (job: ObservationImportJob, { onProgress }: JobContext, append: ObservationImport['append']) =>
      importMeasurements(job, context.folder, append, onProgress),
    runPlacesImport: (job: PlacesImportJob | ExtractRemovalJob, { onProgress }: JobContext) =>
      importPlaces(job, context.folder, onProgress),
    runFingerprintsJob: async (job: FingerprintsJob, { onProgress }: JobContext) =>
      (await import('../jobs/change_fingerprints.ts')).changeFingerprints(job, context.folder, onProgress),
    runBuildingsJob: async (job: BuildingsJob, { onProgress }: JobContext) =>
      (await import('../jobs/change_buildings.ts')).changeBuildings(job, context.folder, onProgress),
  };
  const owner = await Owner.open(options, createSharedState(1, 0), false);
  try {
    // Either may number the log anew. What was paid for right before a kill is learned by its present numbers first, so that it is not paid for again.
    if (job.verb === 'forget' || job.verb === 'sources') await owner.run({ verb: 'aggregate', action: 'all' }, context);
    const result = await owner.run(job, context);
    // The service aggregates by itself; here nobody would until it starts.
    if (job.verb === 'import' && job.kind === 'observations') await owner.run({ verb: 'aggregate', action: 'all' }, context);
    if (isBuildingsJob(job)) await owner.run({ verb: 'fingerprints', action: 'learn' }, context);
    return result;
  } finally {
    await owner.close();
  }
};

/** Loaded on demand: other jobs do not read maps. */
const importPlaces: typeof import('../jobs/import_places.ts').importPlaces = async (...call) =>
  (await import('../jobs/import_places.ts')).importPlaces(...call);
