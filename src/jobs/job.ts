// A job is what a writing command asks of the owner of a data folder. If nobody owns the folder, the command becomes
// the owner and runs the job itself. Otherwise it sends the job to the running service as JSON over the folder's
// socket, so a job is plain data.

import type { Durability } from '../config.ts';
import type { FeatureProgress, FeatureJob as JobOfFeature } from '../feature.ts';
import type { FeatureGroup } from '../features.ts';
import type { ImportExtracts } from '../geocoding/import/import_extracts.ts';
import type { AccountChanges } from '../tables/accounts/accounts.ts';
import type { TenantCaps } from '../tables/accounts/rows.ts';
import type { AddressKind } from '../tables/places/layer_meta.ts';
import type { Usage } from '../tables/requests/usage.ts';
import type { NamedAddressColumns } from '../transfer/addresses/address_columns.ts';
import type { ObservationFormat } from '../transfer/formats/found_draft.ts';

/** Settings of a key as typed: a value sets, `null` clears (update only), an absent member stays as it is. */
export type KeySettings = AccountChanges;

/**
 * A job on keys; `id` is the number of the account, from 1. With `tag` only those with this tag are there, and only
 * such are made: what a tenant may.
 */
export type KeysJob = { tag?: string } & (
  | { verb: 'keys'; action: 'create'; settings: KeySettings }
  | { verb: 'keys'; action: 'list' }
  | { verb: 'keys'; action: 'show'; id: number }
  /** With `force` also a revoked key. */
  | { verb: 'keys'; action: 'update'; id: number; settings: KeySettings; force?: true }
  | { verb: 'keys'; action: 'revoke'; id: number }
  /**
   * The old key works for `overlapSeconds` more, from 0. With `force` also if the key before it still works, which ends
   * then.
   */
  | { verb: 'keys'; action: 'rotate'; id: number; overlapSeconds: number; force?: true }
  /**
   * `credits` are added to the balance, 1..2,147,483,647. With `force` also that of a revoked key, or of one without a
   * balance, which becomes prepaid.
   */
  | { verb: 'keys'; action: 'credit'; id: number; credits: number; force?: true }
);

/** Caps of a tenant as typed: a value sets, `null` takes away, an absent member stays as it is. */
export type CapSettings = { [cap in keyof TenantCaps]?: number | null };

/** A tenant sees and makes keys with its tag, by a token of its own. `create` gives it another token, shown once. */
export type TenantsJob =
  | { verb: 'tenants'; action: 'list' }
  | { verb: 'tenants'; action: 'create'; tag: string; caps: CapSettings }
  | { verb: 'tenants'; action: 'remove'; tag: string };

/**
 * Usage of all keys, of one, or of those with a tag, from one day to another (`YYYY-MM-DD`), in pieces: `after` is the
 * last row of the piece before. The result is `UsageRows`.
 */
export type UsageJob = { verb: 'usage'; from: string; to: string; account?: number; tag?: string; after?: Usage };

/** A piece of usage. The last one has no `next`, which is the `after` of the next piece. */
export interface UsageRows {
  rows: (Usage & { name?: string })[];
  next?: Usage;
}

/** With `replace` an import may remove more than half of what its source holds (tables/sources/source_name.ts). */
interface Replacing {
  source?: string;
  replace?: true;
}

/** Stations from files. `files` are absolute paths, or `-` for standard input if the command runs the job itself. */
export type StationImportJob = { verb: 'import'; kind: 'cells' | 'wifi'; files: string[] } & Replacing;

/** Takes a source out. */
export type SourceRemovalJob = { verb: 'sources'; action: 'remove'; name: string };

/**
 * Makes a new secret; the old one opens state tokens for `overlapSeconds` more, from 0. With `force` also if the one
 * before it still does, which ends then.
 */
export type SecretJob = { verb: 'secret'; action: 'rotate'; overlapSeconds: number; force?: true };

/** Measurements from files. Without `source` they belong to none, and cannot be taken out together. */
export type ObservationImportJob = {
  verb: 'import';
  kind: 'observations';
  files: string[];
  format?: ObservationFormat;
  source?: string;
};

/**
 * Places: `osm` imports OpenStreetMap extracts (`.osm.pbf`), each under the name of its file or all under that of
 * `source`; `importance` a table of how well known places are; `places` builds the embedded gazetteer again from its
 * packages.
 */
export type PlacesImportJob =
  | ({ verb: 'import'; kind: 'osm' | 'importance' | 'places'; files: string[] } & Replacing)
  | OsmChangesJob
  | AddressesJob;

/**
 * Addresses, or postcodes without houses, from tables. `columns` are names of columns where tables call them otherwise
 * than those that are known; `country` is an ISO 3166-1 alpha-2 code, upper case: rows elsewhere are refused.
 */
export type AddressesJob = {
  verb: 'import';
  kind: AddressKind;
  files: string[];
  source: string;
  replace?: true;
  licence?: string;
  country?: string;
  encoding?: string;
  columns?: NamedAddressColumns;
};

/**
 * Applies files of changes (OsmChange, `.osc`) to an extract: the one of the name `source`, or the only one. With
 * `force` files may be missing between, and may have been applied before. `after` is the number of the file before the
 * first, where that of the extract is another publisher's; `upTo` (ISO 8601) is up to when the last one goes.
 */
export type OsmChangesJob = {
  verb: 'import';
  kind: 'osm-changes';
  files: string[];
  source?: string;
  force?: true;
  after?: number;
  upTo?: string;
};

/** Takes an extract or a table of importance out, which the owner has found under this name. */
export type ExtractRemovalJob = SourceRemovalJob & { kind: 'osm' };

/** A job on tables of a feature. */
export type FeatureJob = JobOfFeature<FeatureGroup>;

export type ImportJob =
  | StationImportJob
  | ObservationImportJob
  | PlacesImportJob
  | Extract<FeatureJob, { verb: 'import' }>;

/** Removes what is known of a station, or what a contributor, a device or a request has brought. */
export type ForgetJob =
  /**
   * By their names (`parseStation`). They are kept out from then on, unless they `mayReturn`, which also ends an
   * earlier objection.
   */
  | { verb: 'forget'; what: 'stations'; names: string[]; mayReturn?: true }
  /** All reports and logged requests of these accounts. */
  | { verb: 'forget'; what: 'contributor'; id: number }
  /** All reports and logged requests of a device, of one account or of all. */
  | { verb: 'forget'; what: 'device'; device: string; account?: number }
  /** What a source of measurements alone has, by its number; for the owner itself. */
  | { verb: 'forget'; what: 'source'; source: number }
  /** Reports by their identities (32 hexadecimal digits each), and the request that brought them. */
  | { verb: 'forget'; what: 'report'; logId: number; identities: string[] };

/** Logged requests that were removed. */
export interface ForgottenRequests {
  requests: number;
  /** Nodes of a cluster that do not answer now, and remove theirs when they come back; absent without one. */
  awaited?: string[];
}

/** What was removed. */
export interface ForgetSummary extends ForgottenRequests {
  /** Reports that went as a whole, and those that stations were taken out of. */
  reports: number;
  changedReports: number;
  /** Records of stations that had been imported, by source. */
  imported: number;
  /** Stations in the tables. */
  stations: number;
  /**
   * The last report that was dropped before (`--keep-observations`): what was learned from reports while it was in
   * force stays. 0 = none was.
   */
  droppedThrough: number;
}

export type Job =
  | ImportJob
  | FeatureJob
  | ForgetJob
  | SourceRemovalJob
  | KeysJob
  | TenantsJob
  | UsageJob
  | SecretJob
  | { verb: 'demo-remove' }
  /**
   * `all`: wait until the whole log is aggregated; `rebuild`: learn again from the log; `checkpoint`: save the learned
   * data.
   */
  | { verb: 'aggregate'; action: 'all' | 'rebuild' | 'checkpoint' }
  /** `path` is absolute: where the backup goes. */
  | { verb: 'backup'; path: string }
  | { verb: 'status' }
  /** Takes a running node out of its cluster. The result is `Left`. */
  | { verb: 'cluster'; action: 'leave' }
  /** Lets the cluster go on from a running node. The result is `Adopted`. */
  | { verb: 'cluster'; action: 'adopt' }
  /** `id` is a `logId`, a whole number below 2^53. */
  | { verb: 'log'; id: number };

/** What a command may have a cluster do without a node on its machine. */
export type RemoteJob = KeysJob | TenantsJob | SecretJob | ForgetJob | Extract<Job, { verb: 'log' }>;

/** Of a node from which its cluster goes on. */
export interface Adopted {
  /** Position of its log in the stream that was. */
  position: number;
  /** Batches that the servers had, which it has taken too. */
  batches: number;
}

/** Of a node that has left its cluster. */
export interface Left {
  /** Nodes that go on. */
  others: number;
}

/** What a running service says of itself to the job `status`. */
export interface ServiceStatus {
  version: string;
  pid: number;
  uptimeSeconds: number;
  /** Memory of the process. */
  residentBytes: number;
  /** When its certificate ends, ISO 8601; absent without one. */
  certificateEnds?: string;
  /** When its database of addresses was built, ISO 8601; absent without one. */
  geoipBuilt?: string;
}

/** A step of an import of places. */
export type PlacesPhase = Parameters<ImportExtracts['onProgress']>[0]['phase'];

/**
 * Reading files of stations, writing, importing measurements, exporting, aggregating reports, checking tables, copying
 * files, searching the request log or the observation log, rewriting the latter, reading changes of the map, fetching
 * files; answering.
 */
export type Phase =
  | 'reading'
  | 'writing'
  | 'importing'
  | 'exporting'
  | 'aggregating'
  | 'checking'
  | 'copying'
  | 'searching'
  | 'rewriting'
  | 'changes'
  | 'downloading'
  | PlacesPhase
  | 'answering';

/** How far a job has come. */
export interface Progress {
  phase: Phase | FeatureProgress['phase'];
  /**
   * Rows read or exported, stations written, reports imported, aggregated or rewritten, records or chunks checked,
   * megabytes copied; for places the unit of the phase.
   */
  rows: number;
  /** Bytes of files and tables, reports of the log, or parts of an import of places. */
  bytesDone: number;
  /** 0 where unknown, as for standard input. */
  bytesTotal: number;
  /** Estimated time until the end, if known. */
  secondsLeft?: number;
}

/** What a job needs to run. */
export interface JobContext {
  /** Absolute path of the data folder, which this process owns. */
  folder: string;
  /** When a write counts as done. */
  sync: Durability;
  onProgress(progress: Progress): void;
  /** Asks an import to end early, so that nothing of it is left; absent where nobody can. */
  cancelled?: AbortSignal;
  /** Another node of the cluster has passed it on to this one. */
  isPassed?: boolean;
  /** Lets the jobs behind it begin; absent where none wait. */
  leaveTurn?(): void;
}

/** The error of a job that was cancelled, or part of it. */
export const CANCELLED = 'The import was cancelled';

/** Executes a job; resolves with a value for JSON. @throws Error whose message is for the operator */
export type RunJob = (job: Job, context: JobContext) => Promise<unknown>;

/** What the operator reads about a failure: its message, and for a fault of ours also where it happened. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const ours = error.name !== 'Error';
  return ours && error.stack !== undefined ? error.stack : error.message;
}
