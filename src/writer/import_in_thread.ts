// Runs an import in a thread of its own. It parses and sorts for seconds to minutes, and whoever started it goes on
// meanwhile. When it ends, its memory is given back at once.

import { Worker } from 'node:worker_threads';
import { type BatchAnswer, type ImportNews, type ImportSetup, STOP_CANCELLED } from '../jobs/import_messages.ts';
import { type JobContext, messageOf } from '../jobs/job.ts';
import type { TableGroup, TableJobs, TableSummaries } from '../jobs/table_jobs.ts';
import { ReplacementRefused } from '../tables/sources/source_name.ts';
import type { OwnerOptions } from './owner_options.ts';

/** New objects of an import: hardly any live for long, and by default there is room for some 200 MB of them. */
const YOUNG_MEGABYTES = 24;

/**
 * What runs imports, each in its own thread.
 * @param stops receives the word by which each that runs is stopped
 */
export function importInThread(stops: Set<Int32Array>): OwnerOptions['runTableJob'] {
  return (group, job, context, append) => runInThread(stops, group, job, context, append);
}

function runInThread<G extends TableGroup>(
  stops: Set<Int32Array>,
  group: G,
  job: TableJobs[G],
  { folder, onProgress, cancelled }: JobContext,
  append?: (reports: Uint8Array<ArrayBuffer>) => Promise<Omit<Extract<BatchAnswer, { accepted: number }>, 'n'>>,
): Promise<TableSummaries[G]> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const cancel = (): void => void Atomics.store(stop, 0, STOP_CANCELLED);
  stops.add(stop);
  cancelled?.addEventListener('abort', cancel);
  if (cancelled?.aborted) cancel();
  const running = new Promise<TableSummaries[G]>((resolve, reject) => {
    const setup: ImportSetup = { group, job, folder, stop };
    const thread = new Worker(new URL('../jobs/import_thread.ts', import.meta.url), {
      workerData: setup,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    const answer = (message: BatchAnswer): void => thread.postMessage(message);
    thread.on('message', (message: ImportNews) => {
      if ('progress' in message) onProgress(message.progress);
      else if ('summary' in message) resolve(message.summary as TableSummaries[G]);
      else if ('failure' in message)
        reject(message.isRefusal ? new ReplacementRefused(message.failure) : new Error(message.failure));
      else {
        append!(message.reports).then(
          ({ accepted, duplicates, optedOut }) =>
            answer({ n: message.n, accepted, duplicates, ...(optedOut !== undefined && { optedOut }) }),
          error => answer({ n: message.n, error: messageOf(error) }),
        );
      }
    });
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error('The import ended without a result.')));
  });
  return running.finally(() => {
    stops.delete(stop);
    cancelled?.removeEventListener('abort', cancel);
  });
}
