// Where the figures of a running service come from. Threads count in shared memory, tables are read, and a thread's
// processor time is asked of Node. Nothing here waits for an HTTP thread.

import type { Worker } from 'node:worker_threads';
import type { Tally } from '../intake/tally.ts';
import { readMeasuredAccuracy } from '../learning/calibration/measured_accuracy.ts';
import { AgeReader, type Ages, type AgingFiles } from './ages.ts';
import { countByKind, type FolderFigures, readFolderFigures } from './folder_figures.ts';
import type { RequestCounts } from './request_counts.ts';

/** A thread that serves. */
interface ServingThread {
  name: string;
  worker: Worker;
  /** From `createThreadLoad`. */
  load: SharedArrayBuffer;
}

/** How full what waits is. */
interface Depths {
  /** Runs of queries that query workers have not answered, by HTTP thread. */
  runs: readonly number[];
  /** Bytes in the rings of the request log, by HTTP thread. */
  logBytes: readonly number[];
  /** Reports that wait for the writer, bytes. */
  contributionBytes: number;
  /** Memory that large bodies take, bytes. */
  bodyBytes: number;
}

/** How a node of a cluster is. */
export interface ClusterFigures {
  /** Since a server of the cluster last answered. */
  aloneSeconds: number;
  /** 1 = it learns for all nodes. */
  isLearner: number;
  /** Batches of reports in the stream through which they are in the log of this node. */
  position: number;
  /** Deltas of the tables that this node has not written yet. */
  behind: number;
}

/** What the main thread knows of the service. */
export interface MetricSources {
  version: string;
  /** Undefined where nobody knows it. */
  commit(): string | undefined;
  /** Absolute path of the data folder. */
  folder: string;
  files: AgingFiles;
  /** One for each HTTP thread. */
  requests: readonly RequestCounts[];
  tally: Tally;
  threads(): readonly ServingThread[];
  queryWorkers(): readonly Worker[];
  depths(): Depths;
  /** Lookups of the station cache, modulo 2^32. */
  lookups(): { all: number; missed: number };
  /** Stations that were sent beside others of places where they do not belong, modulo 2^32. */
  strays(): number;
  /** The share of the memory of wrong guesses that is in use, 0..1. */
  guessesUsed(): number;
  /** Records that the request log has lost, and charges that waited for the writer; each modulo 2^32. */
  lost(): { logRecords: number; waitedCharges: number };
  /** How a node of a cluster is; undefined without a cluster. */
  cluster(): ClusterFigures | undefined;
  /** Threads that were replaced since the start. */
  restarts(): { http: number; query: number };
}

/** Figures that are read from tables, and when. */
interface TableFigures {
  folder: FolderFigures;
  byKind: Record<string, number>;
  accuracy: Awaited<ReturnType<typeof readMeasuredAccuracy>>;
  ages: Ages;
}

/** Figures of tables are at most so old, however many ask. */
const TABLES_MILLISECONDS = 5_000;
/** Stations are counted by kind again after this long if there are others. */
const KINDS_MILLISECONDS = 600_000;

/** Reads the tables of a service, no more often than is worth it. */
export class TableReader {
  private readonly folder: string;
  private readonly ages: AgeReader;
  private read: { atMs: number; figures: Promise<TableFigures> } | undefined;
  private kinds: { atMs: number; total: number; byKind: Record<string, number> } | undefined;

  /** @param folder absolute path of the data folder */
  constructor(folder: string) {
    this.folder = folder;
    this.ages = new AgeReader(folder);
  }

  /** The figures, at most a few seconds old. @throws Error when a table cannot be used */
  figures(): Promise<TableFigures> {
    if (this.read === undefined || performance.now() - this.read.atMs > TABLES_MILLISECONDS) {
      this.read = { atMs: performance.now(), figures: this.readAll() };
    }
    return this.read.figures;
  }

  private async readAll(): Promise<TableFigures> {
    const folder = await readFolderFigures(this.folder);
    const { total } = folder.stations;
    const isOld =
      this.kinds === undefined ||
      (this.kinds.total !== total && performance.now() - this.kinds.atMs > KINDS_MILLISECONDS);
    if (isOld) this.kinds = { total, byKind: await countByKind(this.folder), atMs: performance.now() };
    const accuracy = (await readMeasuredAccuracy(this.folder)).filter(
      ({ country, month }) => country === 'any' && month === 'any',
    );
    return { folder, byKind: this.kinds!.byKind, accuracy, ages: await this.ages.read() };
  }
}

/** A count that wraps around at 2^32, as a count that does not. */
export class WholeCount {
  private total = 0;
  private last = 0;

  /** @param wrapped the count now, 0..2^32-1; asked before it has grown by 2^32 */
  whole(wrapped: number): number {
    this.total += (wrapped - this.last) >>> 0;
    this.last = wrapped;
    return this.total;
  }
}
