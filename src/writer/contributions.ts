// The way of contributed reports into the observation log. HTTP threads pack reports, reserve their bytes in shared memory, and send them to the writer
// thread; what cannot be reserved is refused there and then (503), so nothing waits without bound. The writer appends whatever waits in one transaction,
// answers after the commit (or the flush), and gives the reserved bytes free itself: a thread that ends in between takes none of them along.
//
// Contributors that are prepaid earn credits for what is new. They are granted after the log's commit: a kill between the two forfeits them, and none is
// ever earned twice.

import type { AccountWriter } from '../accounts/account_writer.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';

/** Bytes of reports that may wait for the writer. */
const PENDING_BYTES_MAX = 64 * 1_048_576;

/** Memory of an `ContributionGate`, shared by all threads. */
export function createContributionMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** How many bytes of reports are on their way to the log, as one thread sees it. */
export class ContributionGate {
  private readonly pending: Int32Array;

  /** @param memory from `createContributionMemory`, the same in all threads */
  constructor(memory: SharedArrayBuffer) {
    this.pending = new Int32Array(memory);
  }

  /**
   * HTTP thread: reserves room for packed reports right before it asks the writer to take them (`contribute`), which gives it free again.
   * @param bytes length of the packed reports, below 2^30; more than the whole room is admitted where nothing else waits
   * @returns false when there is no room: nothing was reserved, and the client shall try again later
   */
  reserve(bytes: number): boolean {
    const before = Atomics.add(this.pending, 0, bytes);
    if (before === 0 || before + bytes <= PENDING_BYTES_MAX) return true;
    this.release(bytes);
    return false;
  }

  /** Writer thread: gives room free. */
  release(bytes: number): void {
    Atomics.sub(this.pending, 0, bytes);
  }
}

/** What a contribution led to. */
export interface Contributed {
  /** Reports that are new. */
  accepted: number;
  /** Reports that were known already. */
  duplicates: number;
  /** Credits that the account has earned. */
  credits: number;
}

/** What contributions are written with. */
interface ContributionOptions {
  log: ObservationLog;
  accountWriter: AccountWriter;
  /** Credits for each new report, 0..1000. */
  contributionCredits: number;
  /** Told after each append that brought something new. */
  onAppended: (lastSequence: number) => void;
  /** Told of credits that could not be granted; the contribution stands. */
  onError: (error: Error) => void;
}

/** Writer thread: takes contributions in. */
export class ContributionWriter {
  private readonly options: ContributionOptions;

  constructor(options: ContributionOptions) {
    this.options = options;
  }

  /**
   * Appends reports and rewards their sender.
   * @param account 1..1,048,575; 0 for a file of the operator, which earns nothing
   * @param reports from `packReports`
   * @returns resolves when the reports are committed, or also flushed
   * @throws Error when they could not be stored; then none of them was
   */
  async contribute(account: number, reports: Uint8Array): Promise<Contributed> {
    const { accepted, duplicates, lastSequence } = await this.options.log.append(reports, Date.now());
    if (accepted > 0) this.options.onAppended(lastSequence);
    return { accepted, duplicates, credits: await this.reward(account, accepted * this.options.contributionCredits) };
  }

  private async reward(account: number, credits: number): Promise<number> {
    if (account === 0 || credits === 0) return 0;
    try {
      return (await this.options.accountWriter.reward(account, credits)) ? credits : 0;
    } catch (error) {
      this.options.onError(error as Error);
      return 0;
    }
  }
}
