// Runs one import in its own thread and sends its progress to the writer thread. When the writer stops, or the import
// is cancelled, it stops at its next progress message, between two transactions or inside one, which is then undone.
// Terminating the thread from outside would leave LMDB in the middle of a transaction.
//
// Stations and places are written from here; measurements go back to the writer thread in batches, each answered when
// the observation log has taken it.

import { parentPort, workerData } from 'node:worker_threads';
import { ReplacementRefused } from '../tables/sources/source_name.ts';
import { type BatchAnswer, type ImportNews, type ImportSetup, STOP_CANCELLED } from './import_messages.ts';
import { CANCELLED, type Progress } from './job.ts';
import { runTableJob, type TableGroup, type TableSummaries } from './table_jobs.ts';

const { group, job, folder, stop } = workerData as ImportSetup;
const port = parentPort!;
const news = (message: ImportNews, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

const onProgress = (progress: Progress): void => {
  const order = Atomics.load(stop, 0);
  if (order !== 0) throw new Error(order === STOP_CANCELLED ? CANCELLED : 'The service is stopping');
  news({ progress });
};

try {
  news({ summary: await run() });
} catch (error) {
  news({ failure: (error as Error).message, isRefusal: error instanceof ReplacementRefused });
}

async function run(): Promise<TableSummaries[TableGroup]> {
  const waiting = new Map<
    number,
    {
      resolve: (answer: { accepted: number; duplicates: number; optedOut?: number }) => void;
      reject: (error: Error) => void;
    }
  >();
  const receive = (answer: BatchAnswer): void => {
    const batch = waiting.get(answer.n)!;
    waiting.delete(answer.n);
    if ('error' in answer) batch.reject(new Error(answer.error));
    else batch.resolve(answer);
  };
  let n = 0;
  const append = (
    reports: Uint8Array<ArrayBuffer>,
  ): Promise<{ accepted: number; duplicates: number; optedOut?: number }> =>
    new Promise((resolve, reject) => {
      waiting.set(++n, { resolve, reject });
      news({ n, reports }, [reports.buffer]);
    });
  port.on('message', receive);
  try {
    return await runTableJob(group, job, { folder, onProgress }, append);
  } finally {
    // The thread ends when it stops listening.
    port.off('message', receive);
  }
}
