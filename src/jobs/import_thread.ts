// Runs one import in its own thread and sends its progress to the writer thread. When the writer stops, the import
// stops at its next progress message, between two transactions or inside one, which is then undone. Terminating the
// thread from outside would leave LMDB in the middle of a transaction.
//
// Stations and places are written from here; measurements go back to the writer thread in batches, each answered when
// the observation log has taken it.

import { parentPort, workerData } from 'node:worker_threads';
import { ReplacementRefused } from '../tables/sources/source_name.ts';
import type { Progress } from './job.ts';
import { runTableJob, type TableGroup, type TableJob, type TableSummaries } from './table_jobs.ts';

/** Sent by the writer thread at the start. */
export interface ImportSetup {
  group: TableGroup;
  job: TableJob;
  folder: string;
  /** A word that becomes 1 when the import must stop. */
  stop: Int32Array;
}

/** Sent to the writer thread. */
export type ImportNews =
  | { progress: Progress }
  /** Reports for the observation log; `n` numbers the batches. */
  | { n: number; reports: Uint8Array<ArrayBuffer> }
  | { summary: TableSummaries[TableGroup] }
  | { failure: string; isRefusal: boolean };

/** The outcome of a batch. */
export type BatchAnswer =
  | { n: number; accepted: number; duplicates: number; optedOut?: number }
  | { n: number; error: string };

const { group, job, folder, stop } = workerData as ImportSetup;
const port = parentPort!;
const news = (message: ImportNews, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

const onProgress = (progress: Progress): void => {
  if (Atomics.load(stop, 0) === 1) throw new Error('The service is stopping');
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
