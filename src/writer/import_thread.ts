// Runs one import in a thread of its own and reports to the writer thread that started it.

import { parentPort, workerData } from 'node:worker_threads';
import { importStations } from '../contributions/import_stations.ts';
import type { Job } from './job.ts';

const { job, folder } = workerData as { job: Job & { verb: 'import' }; folder: string };

try {
  const summary = await importStations({
    folder,
    kind: job.kind,
    files: job.files,
    stdin: process.stdin,
    onProgress: progress => parentPort!.postMessage({ progress }),
  });
  parentPort!.postMessage({ summary });
} catch (error) {
  parentPort!.postMessage({ failure: (error as Error).message });
}
