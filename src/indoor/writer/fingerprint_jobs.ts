// Jobs on fingerprints, one at a time. After each that has changed maps, all threads look at them again. What comes as
// reports is learned beside other work, in a thread of its own: soon after it came, and then not so often that it takes
// much time.

import type { FeatureJob, FeatureJobs, FeatureJobsParts, FeatureSummary } from '../../feature.ts';
import { announceChange } from '../../tables/environment/revision.ts';
import type { BuiltMaps } from '../learning/build_maps.ts';
import { hasBuildings } from '../tables/buildings/building_tables.ts';
import { hasFingerprints } from '../tables/fingerprints/fingerprint_tables.ts';

/** Milliseconds from the first report with a floor until it is learned: a batch has many. */
const WAIT_MS = 1_000;
/** Pause after learning, in times of what that took: so it takes a tenth of the time of one core at most. */
const PAUSE = 10;

type Group = 'buildings' | 'fingerprints';
type Parts = FeatureJobsParts<Group>;
type Context = Parameters<Parts['runTableJob']>[2];

/** Runs jobs on buildings and fingerprints. */
export class FingerprintJobs implements FeatureJobs<Group> {
  private readonly options: Parts;
  private last: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private earliestMs = 0;
  /** Something has come since the last learning began. */
  private isAwaited = false;
  private isClosed = false;
  /** Of a node of a cluster: runs what learns where this node learns for all. */
  shared: FeatureJobs<Group>['shared'];

  constructor(options: Parts) {
    this.options = options;
  }

  /** Lets all threads find what is there, and builds what was left to be built. */
  start(): void {
    announceChange(this.options.revision);
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
  learn(onProgress: Context['onProgress']): Promise<unknown> {
    const learn = () => this.learnHere(onProgress);
    return this.shared === undefined ? learn() : this.shared.learn('fingerprints', learn);
  }

  private learnHere(onProgress: Context['onProgress']): Promise<unknown> {
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

  /** Buildings change beside fingerprints, which then learn of it. */
  async run(group: Group, job: FeatureJob<Group>, context: Context): Promise<FeatureSummary> {
    if (group === 'fingerprints') return this.pausedDuring(() => this.runNow(job, context));
    try {
      return await this.options.runTableJob(group, job, context);
    } finally {
      if (job.verb !== 'import' && job.action === 'take') announceChange(this.options.revision);
      else this.wake();
    }
  }

  private async runNow(job: FeatureJob<Group>, context: Context): Promise<FeatureSummary> {
    // After a failure a part may be published, and what is taken over has maps.
    let isChanged = true;
    try {
      const summary = await this.options.runTableJob('fingerprints', job, context);
      const built = summary as BuiltMaps | undefined;
      isChanged = built === undefined || built.maps > 0 || built.gone > 0;
      return summary;
    } finally {
      if (isChanged) announceChange(this.options.revision);
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
