// Brings contributed reports into the observation log. HTTP threads pack reports, reserve their bytes in shared memory
// and send them to the writer thread. If there is no room, they refuse the reports at once (503), so the queue is
// bounded. The writer appends all waiting reports in one transaction, answers after the commit (or the flush) and frees
// the reserved bytes itself, so a thread that dies in between leaks none. What contributors earn follows when the
// reports are learned.

import type { Tally } from '../intake/tally.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import { unpackReports } from '../tables/observations/report.ts';
import type { StreamedBatch } from '../tables/observations/stream_mark.ts';

/** Most bytes of reports that wait for the writer. */
const PENDING_BYTES_MAX = 64 * 1_048_576;

/** Memory of a `ContributionGate`, shared by all threads. */
export function createContributionMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Counts the bytes of reports on their way to the log; one instance for each thread. */
export class ContributionGate {
  private readonly pending: Int32Array;

  /** @param memory from `createContributionMemory`, the same in all threads */
  constructor(memory: SharedArrayBuffer) {
    this.pending = new Int32Array(memory);
  }

  /**
   * HTTP thread: reserves room for packed reports, right before it sends them to the writer (`contribute`), which frees
   * it.
   * @param bytes length of the packed reports, below 2^30; more than the whole room is admitted if nothing else waits
   * @returns false when there is no room; then nothing was reserved, and the client should try again later
   */
  reserve(bytes: number): boolean {
    const before = Atomics.add(this.pending, 0, bytes);
    if (before === 0 || before + bytes <= PENDING_BYTES_MAX) return true;
    this.release(bytes);
    return false;
  }

  /** Bytes that wait. */
  get pendingBytes(): number {
    return Atomics.load(this.pending, 0);
  }

  /** Writer thread: frees room. */
  release(bytes: number): void {
    Atomics.sub(this.pending, 0, bytes);
  }
}

/** The outcome of a contribution. */
export interface Contributed {
  /** New reports. */
  accepted: number;
  /** Reports that were already known. */
  duplicates: number;
  /** Nothing was stored, because the reports of the account would take more of the disk than they may. */
  isFull?: true;
  /** Observations of stations that opted out, which were left out; absent if there were none. */
  optedOut?: number;
}

/** What the writer needs for contributions. */
interface ContributionOptions {
  log: ObservationLog;
  /** Counts what senders have sent of stations that opted out. */
  tally: Tally;
  /** Called after each append with new reports. */
  onAppended: (lastSequence: number) => void;
  /** The same where some of them name their floor. */
  onFloors: () => void;
}

/** Where a batch comes from, and what holds for it. */
interface BatchTerms {
  /** Number of the source of a file. */
  source?: number | undefined;
  /** What the reports of the account may take of the disk; without it there is no limit. */
  limitBytes?: number | undefined;
  /** When the batch arrived, if it was not now; milliseconds since 1970. */
  receivedMs?: number;
  /** Where the batch stands in the stream of a cluster. */
  streamed?: StreamedBatch | undefined;
}

/**
 * Takes reports on their way to the logs of several machines. @param source name of the source of a file @returns true
 * if it has taken them before @throws NotWritten
 */
type ReportStream = (reports: Uint8Array, source: string | undefined) => Promise<boolean>;

/** Writer thread: stores contributions. */
export class ContributionWriter {
  private readonly options: ContributionOptions;
  /** Of a node of a cluster: reports go there, and come back from there to be stored. */
  stream: ReportStream | undefined;

  constructor(options: ContributionOptions) {
    this.options = options;
  }

  /**
   * Takes reports of an account, or of a file.
   * @param account 1..1,048,575; 0 for a file of the operator
   * @param reports from `packReports`
   * @param source of a file: the name under which it is imported, and who begins it in this log
   * @param limitBytes what the reports of the account may take of the disk; without it there is no limit
   * @returns resolves when the reports are committed, with `flush` also flushed; under a cluster, when that has them
   * @throws Error when they could not be stored; then none was
   */
  async contribute(
    account: number,
    reports: Uint8Array,
    source?: { name: string; begin: () => Promise<number> },
    limitBytes?: number,
  ): Promise<Contributed> {
    const { log } = this.options;
    if (this.stream === undefined) return this.store(account, reports, { limitBytes, source: await source?.begin() });
    const all = [...unpackReports(reports)].length;
    const fresh = log.countNew(reports, Date.now(), limitBytes);
    if (fresh === undefined) return { accepted: 0, duplicates: 0, isFull: true };
    const accepted = (await this.stream(reports, source?.name)) ? 0 : fresh;
    return { accepted, duplicates: all - accepted };
  }

  /** Appends reports to the log of this machine; parameters and results as above. */
  async store(account: number, reports: Uint8Array, terms: BatchTerms): Promise<Contributed> {
    const { receivedMs = Date.now(), source, limitBytes, streamed } = terms;
    const appended = await this.options.log.append(reports, receivedMs, source, limitBytes, streamed);
    const { accepted, duplicates, lastSequence, optedOut } = appended;
    if (appended.isFull) return { accepted, duplicates, isFull: true };
    if (accepted > 0) this.options.onAppended(lastSequence);
    if (accepted > 0 && namesFloor(reports)) this.options.onFloors();
    if (optedOut === undefined) return { accepted, duplicates };
    if (account > 0) this.options.tally.refuse('opted out', optedOut);
    return { accepted, duplicates, optedOut };
  }
}

function namesFloor(reports: Uint8Array): boolean {
  for (const { hasFloor } of unpackReports(reports)) if (hasFloor) return true;
  return false;
}
