// A job: what a writing command asks of the owner of a data folder. It is plain data, because it may cross the folder's socket as JSON: the command that
// was typed runs it itself where nobody owns the folder, and hands it to the running service otherwise. The owner executes it in both places.

import type { Durability } from '../config.ts';
import type { ImportExtracts } from '../geocoding/import/import_extracts.ts';
import type { AccountChanges } from '../tables/accounts/accounts.ts';
import type { ObservationFormat } from '../transfer/formats/observation_file.ts';

/** Settings of a key as typed: a value sets, `null` clears (update only), an absent member stays as it is. */
export type KeySettings = AccountChanges;

/** What to do with keys; `id` is the number of the account, from 1. */
export type KeysJob =
  | { verb: 'keys'; action: 'create'; settings: KeySettings }
  | { verb: 'keys'; action: 'list' }
  | { verb: 'keys'; action: 'show'; id: number }
  | { verb: 'keys'; action: 'update'; id: number; settings: KeySettings }
  | { verb: 'keys'; action: 'revoke'; id: number }
  /** `credits` are added to the balance, 1..2,147,483,647. */
  | { verb: 'keys'; action: 'credit'; id: number; credits: number };

/** Stations from files. `files` are absolute paths, or `-` for standard input where the job runs in the command's own process. */
export type StationImportJob = { verb: 'import'; kind: 'cells' | 'wifi'; files: string[]; format?: string };

/** Measurements from files. */
export type ObservationImportJob = { verb: 'import'; kind: 'observations'; files: string[]; format?: ObservationFormat };

/** Places: `osm` from extracts of OpenStreetMap, `.osm.pbf`, in the place of those that were imported before; `places` the embedded gazetteer again, from its packages. */
export type PlacesImportJob = { verb: 'import'; kind: 'osm' | 'places'; files: string[] };

export type ImportJob = StationImportJob | ObservationImportJob | PlacesImportJob;

/** True of a job that brings places in. */
export function isPlacesImport(job: Job): job is PlacesImportJob {
  return job.verb === 'import' && (job.kind === 'osm' || job.kind === 'places');
}

export type Job =
  | ImportJob
  | KeysJob
  | { verb: 'demo-remove' }
  /** `all`: wait until the log has taken effect; `rebuild`: learn again from the log; `checkpoint`: put what is learned aside. */
  | { verb: 'aggregate'; action: 'all' | 'rebuild' | 'checkpoint' }
  /** `id` is a `logId`, a whole number below 2^53. */
  | { verb: 'log'; id: number };

/** A step of an import of places. */
export type PlacesPhase = Parameters<ImportExtracts['onProgress']>[0]['phase'];

/** How far a job has come. */
export interface Progress {
  /** Files of stations are being read, stations written, files of measurements imported, tables exported, reports aggregated, or tables checked. */
  phase: 'reading' | 'writing' | 'importing' | 'exporting' | 'aggregating' | 'checking' | PlacesPhase;
  /** Rows read, stations written, or rows exported, reports imported or aggregated, or records checked; of places the unit of the phase. */
  rows: number;
  /** Of files and tables bytes; of the log reports; of places parts of the whole import. */
  bytesDone: number;
  /** 0 where unknown, as for standard input. */
  bytesTotal: number;
  /** Until the job is done, as far as that can be told by now. */
  secondsLeft?: number;
}

/** What a job needs beside itself. */
export interface JobContext {
  /** Absolute path of the data folder, which this process owns. */
  folder: string;
  /** When a write counts as done. */
  sync: Durability;
  onProgress(progress: Progress): void;
}

/** Executes a job; resolves with a value that JSON can carry. @throws Error whose message is for the operator */
export type RunJob = (job: Job, context: JobContext) => Promise<unknown>;

const AGGREGATE_ACTIONS = ['all', 'rebuild', 'checkpoint'];
const KEY_ACTIONS = ['create', 'list', 'show', 'update', 'revoke', 'credit'];

/**
 * A job from the line of text that came over the socket. Members are as the command line checked them; here only the verb is made sure of.
 * @throws Error when it is no JSON or no known verb
 */
export function parseJob(value: unknown): Job {
  const job = value as Partial<Record<'verb' | 'action', unknown>> | null;
  const verb = typeof job === 'object' ? job?.verb : undefined;
  const known =
    verb === 'import' ||
    verb === 'demo-remove' ||
    verb === 'log' ||
    (verb === 'keys' && KEY_ACTIONS.includes(String(job?.action))) ||
    (verb === 'aggregate' && AGGREGATE_ACTIONS.includes(String(job?.action)));
  if (!known) throw new Error(`This version of Sextant does not know the job ${JSON.stringify(value)}.`);
  return job as Job;
}

/** What the operator reads about a failure: its message, and for a fault of ours also where it happened. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const ours = error.name !== 'Error';
  return ours && error.stack !== undefined ? error.stack : error.message;
}
