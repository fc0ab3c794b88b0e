// Jobs on fingerprints, one at a time. After each that has changed maps, all threads look at them again. What comes as
// reports is learned beside other work, in a thread of its own: soon after it came, and then not so often that it takes
// much time.

import type { FingerprintsJob, JobContext } from '../jobs/job.ts';
import { hasBuildings } from '../tables/buildings/building_tables.ts';
import { hasFingerprints } from '../tables/fingerprints/fingerprint_tables.ts';
import { announceMaps } from '../tables/fingerprints/reader.ts';
import type { OwnerOptions } from './owner_options.ts';

/** Milliseconds from the first report with a floor until it is learned: a batch has many. */
const WAIT_MS = 1_000;
/** Pause after learning, in times of what that took: so it takes a tenth of the time of one core at most. */
const PAUSE = 10;

interface FingerprintJobsOptions extends Pick<OwnerOptions, 'folder' | 'sync' | 'onError' | 'runTableJob'> {
  /** From `createMapRevision`. */
  maps: SharedArrayBuffer;
}

/** Runs jobs on fingerprints. */
export class FingerprintJobs {
  private readonly options: FingerprintJobsOptions;
  private last: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private earliestMs = 0;
  /** Something has come since the last learning began. */
  private isAwaited = false;
  private isClosed = false;
  /** Of a node of a cluster: runs what learns where this node learns for all. */
  shared: { learn<T>(work: () => Promise<T>): Promise<T | undefined> } | undefined;

  constructor(options: FingerprintJobsOptions) {
    this.options = options;
  }

  /** Lets all threads find what is there, and builds what was left to be built. */
  start(): void {
    announceMaps(this.options.maps);
    this.wake();
  }

  /** Learns soon. */
  wake(): void {
    this.isAwaited = true;
    if (this.isClosed || this.timer !== undefined) return;
    const wait = Math.max(WAIT_MS, this.earliestMs - performance.now());
    this.timer = setTimeout(() => {
      this.isAwaited = false;
      this.learn(() => {})
        .catch((error: Error) => {
          // A service that stops goes on with it when it starts.
          if (!this.isClosed) this.options.onError(error);
        })
        .finally(() => {
          this.timer = undefined;
          if (this.isAwaited) this.wake();
        });
    }, wait).unref();
  }

  /** Learns all that has come, unless another node does. @throws Error when it fails */
  learn(onProgress: JobContext['onProgress']): Promise<unknown> {
    const learn = () => this.learnHere(onProgress);
    return this.shared === undefined ? learn() : this.shared.learn(learn);
  }

  private learnHere(onProgress: JobContext['onProgress']): Promise<unknown> {
    const { folder, sync } = this.options;
    return this.pausedDuring(async () => {
      // Most folders have nothing to learn, which a thread would take a quarter of a second to find out.
      if (!hasBuildings(folder) && !hasFingerprints(folder)) return undefined;
      // What it waits for before is no work of its own.
      const startMs = performance.now();
      try {
        return await this.runNow({ verb: 'fingerprints', action: 'learn' }, { folder, sync, onProgress });
      } finally {
        this.earliestMs = performance.now() + PAUSE * (performance.now() - startMs);
      }
    });
  }

  /** Runs a job after those before it. @throws Error when it fails */
  run(job: FingerprintsJob, context: JobContext): Promise<unknown> {
    return this.pausedDuring(() => this.runNow(job, context));
  }

  private async runNow(job: FingerprintsJob, context: JobContext): Promise<unknown> {
    // After a failure a part may be published.
    let isChanged = true;
    try {
      const summary = await this.options.runTableJob('fingerprints', job, context);
      isChanged = summary.maps > 0 || summary.gone > 0;
      return summary;
    } finally {
      if (isChanged) announceMaps(this.options.maps);
    }
  }

  /** Does other work while no job runs: the log must not be written anew while it is read. @throws Error of the work */
  pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(() => {
      if (this.isClosed) throw new Error('The service is stopping');
      return work();
    });
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Waits for the job under way; no other begins. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.last;
  }
}
