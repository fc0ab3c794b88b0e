// What a node of a cluster works with: the tables of its data folder, and their other writers.

import type { FeatureJob } from '../jobs/job.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import type { StationWriter } from '../tables/stations/writer.ts';
import type { AccountParts } from './accounts.ts';
import type { ClusterAddress } from './connection.ts';
import type { ForgottenParts } from './forgotten.ts';
import type { GuessParts } from './guesses.ts';
import type { JobParts } from './jobs.ts';
import type { RateParts } from './rates.ts';
import type { StreamedReports } from './reports.ts';
import type { RequestLogParts } from './request_log.ts';
import type { SecretParts } from './secrets.ts';

/** The parts of a data folder, from its owner. */
export interface NodeParts {
  /** Absolute path of the data folder. */
  folder: string;
  accounts: Omit<AccountParts, 'node' | 'folder' | 'clock' | 'refusal' | 'onError'>;
  secrets: SecretParts;
  rates: RateParts;
  guesses: GuessParts;
  requests: RequestLogParts & ForgottenParts;
  jobs: JobParts;
  stations: StationWriter;
  observations: ObservationLog;
  /** Learns from the log unless it is held. */
  aggregator: { hold(): Promise<void>; release(): void };
  /** Stores a batch of the stream in the log. */
  store(batch: StreamedReports): Promise<unknown>;
  /** Runs work while nothing is written to the log. */
  holdLog<T>(work: () => Promise<T>): Promise<T>;
  /** Takes over the list of stations whose owners object, which has changed on disk. */
  readOptedOut(): void;
  shared: SharedParts;
  /** What this node shows of itself in shared memory, by `FIGURE`. */
  figures: Float64Array;
  /** Called with a sentence for the operator. */
  onWarning(message: string): void;
  /** Called for failures that are tried again. */
  onError(error: Error): void;
}

/** What the owner of a data folder does with places and the tables of features. */
interface SharedParts {
  /** Puts pieces into tables, in another thread, and lets all threads see them. */
  take(job: Extract<FeatureJob, { action: 'take' }>): Promise<unknown>;
  /** Lets all threads take the places that are live on disk. */
  adoptPlaces(): void;
  /** Learns into tables of features what has come, by and by. */
  learn(): void;
}

/** Indexes of the figures of a node. All are 0 without a cluster. */
export const FIGURE = {
  isNode: 0,
  aloneSeconds: 1,
  isLearner: 2,
  position: 3,
  behind: 4,
  clockAheadMs: 5,
  /** The cluster may have keys that this node does not know. */
  lacksKeys: 6,
} as const;
/** Bytes of the figures. */
export const FIGURES_BYTES = 7 * Float64Array.BYTES_PER_ELEMENT;

/** The settings of a node. */
export interface NodeSettings extends Omit<ClusterAddress, 'name'> {
  /** Name of the node: of its machine, and its port. */
  node: string;
  role: 'all' | 'serve' | 'learn';
  /** How long a node that is cut off is ready, seconds; undefined = always. */
  aloneSeconds: number | undefined;
  /** The data folder is new, and what it holds is nothing that anybody would miss. */
  isNew: boolean;
}
