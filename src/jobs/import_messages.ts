// What the writer thread and the thread of an import say to each other.

import type { Progress } from './job.ts';
import type { TableGroup, TableJob, TableSummaries } from './table_jobs.ts';

/** Why an import must stop: the service does, or somebody has cancelled it. */
export const STOP_CLOSING = 1;
export const STOP_CANCELLED = 2;

/** Sent by the writer thread at the start. */
export interface ImportSetup {
  group: TableGroup;
  job: TableJob;
  folder: string;
  /** A word that is no longer 0 when the import must stop: STOP_*. */
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
