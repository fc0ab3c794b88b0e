// Runs one import in its own thread and sends its progress to the writer thread. When the writer stops, the import stops at its next progress message, between
// two transactions or inside one, which is then undone. Terminating the thread from outside would leave LMDB in the middle of a transaction.
//
// Stations and places are written from here; measurements go back to the writer thread in batches, each answered when the observation log has taken it.

import { parentPort, workerData } from 'node:worker_threads';
import { ReplacementRefused } from '../tables/sources/replacement.ts';
import type { ObservationSummary } from '../transfer/import_observations.ts';
import type { BuildingsSummary } from './change_buildings.ts';
import type { FingerprintsSummary } from './change_fingerprints.ts';
import { changeStations, type StationSummary } from './change_stations.ts';
import { importMeasurements } from './import_measurements.ts';
import type { PlacesSummary } from './import_places.ts';
import {
  type BuildingsJob,
  type ExtractRemovalJob,
  type FingerprintsJob,
  type ImportJob,
  isBuildingsJob,
  isFingerprintsJob,
  isOfPlaces,
  type ObservationImportJob,
  type Progress,
  type SourceRemovalJob,
} from './job.ts';

/** Sent by the writer thread at the start. */
export interface ImportSetup {
  job: ImportJob | BuildingsJob | FingerprintsJob | SourceRemovalJob | ExtractRemovalJob;
  folder: string;
  /** A word that becomes 1 when the import must stop. */
  stop: Int32Array;
}

type Summary = StationSummary | ObservationSummary | PlacesSummary | BuildingsSummary | FingerprintsSummary;

/** Sent to the writer thread. */
export type ImportNews =
  | { progress: Progress }
  /** Reports for the observation log; `n` numbers the batches. */
  | { n: number; reports: Uint8Array<ArrayBuffer> }
  | { summary: Summary }
  | { failure: string; isRefusal: boolean };

/** The outcome of a batch. */
export type BatchAnswer = { n: number; accepted: number; duplicates: number; optedOut?: number } | { n: number; error: string };

const { job, folder, stop } = workerData as ImportSetup;
const port = parentPort!;
const news = (message: ImportNews, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

const onProgress = (progress: Progress): void => {
  if (Atomics.load(stop, 0) === 1) throw new Error('The service is stopping');
  news({ progress });
};

try {
  news({ summary: await run(job) });
} catch (error) {
  news({ failure: (error as Error).message, isRefusal: error instanceof ReplacementRefused });
}

async function run(job: ImportSetup['job']): Promise<Summary> {
  // Loaded on demand: other imports do not read maps.
  if (isBuildingsJob(job)) return (await import('./change_buildings.ts')).changeBuildings(job, folder, onProgress);
  if (isFingerprintsJob(job)) return (await import('./change_fingerprints.ts')).changeFingerprints(job, folder, onProgress);
  if (isOfPlaces(job)) return (await import('./import_places.ts')).importPlaces(job, folder, onProgress);
  return job.verb === 'import' && job.kind === 'observations' ? runObservations(job) : changeStations(job, folder, onProgress);
}

async function runObservations(job: ObservationImportJob): Promise<ObservationSummary> {
  const waiting = new Map<
    number,
    { resolve: (answer: { accepted: number; duplicates: number; optedOut?: number }) => void; reject: (error: Error) => void }
  >();
  const receive = (answer: BatchAnswer): void => {
    const batch = waiting.get(answer.n)!;
    waiting.delete(answer.n);
    if ('error' in answer) batch.reject(new Error(answer.error));
    else batch.resolve(answer);
  };
  let n = 0;
  const append = (reports: Uint8Array<ArrayBuffer>): Promise<{ accepted: number; duplicates: number; optedOut?: number }> =>
    new Promise((resolve, reject) => {
      waiting.set(++n, { resolve, reject });
      news({ n, reports }, [reports.buffer]);
    });
  port.on('message', receive);
  try {
    return await importMeasurements(job, folder, append, onProgress);
  } finally {
    // The thread ends when it stops listening.
    port.off('message', receive);
  }
}
