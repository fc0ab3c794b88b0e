// Runs one import in a thread of its own and reports to the writer thread that started it. When that thread stops, the import gives up at its next report:
// between two transactions or inside one, which is then undone. Ending the thread from outside would leave LMDB in the middle of a transaction.

import { parentPort, workerData } from 'node:worker_threads';
import { importStations } from '../contributions/import_stations.ts';
import type { Job } from './job.ts';

const { job, folder, stop } = workerData as { job: Job & { verb: 'import' }; folder: string; stop: Int32Array };

try {
  const summary = await importStations({
    folder,
    kind: job.kind,
    files: job.files,
    stdin: process.stdin,
    onProgress: progress => {
      if (Atomics.load(stop, 0) === 1) throw new Error('The service is stopping');
      parentPort!.postMessage({ progress });
    },
  });
  parentPort!.postMessage({ summary });
} catch (error) {
  parentPort!.postMessage({ failure: (error as Error).message });
}
