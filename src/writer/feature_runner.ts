// The jobs of all features, in the thread that owns a data folder.

import type { FeatureJob, FeatureJobs, FeatureJobsParts, Forgettable } from '../feature.ts';
import { FEATURES, type FeatureGroup, LEARNED_GROUPS } from '../features.ts';
import type { JobContext } from '../jobs/job.ts';

/** Runs them. */
export class FeatureRunner {
  private readonly all: readonly FeatureJobs[];
  private readonly byGroup = new Map<FeatureGroup, FeatureJobs>();

  /** Loads what runs the jobs of each feature. */
  static async open(parts: FeatureJobsParts<FeatureGroup>): Promise<FeatureRunner> {
    return new FeatureRunner(await Promise.all(FEATURES.map(async each => new (await each.loadJobs())(parts))));
  }

  private constructor(all: readonly FeatureJobs[]) {
    this.all = all;
    for (const [i, { tables }] of FEATURES.entries()) for (const { name } of tables) this.byGroup.set(name, all[i]);
  }

  /** Begins to serve. */
  start(): void {
    for (const jobs of this.all) jobs.start();
  }

  /** Learns soon what has come. */
  wake(): void {
    for (const jobs of this.all) jobs.wake();
  }

  /** Learns all that has come, unless another node does. @throws Error when it fails */
  async learn(onProgress: JobContext['onProgress']): Promise<void> {
    for (const jobs of this.all) await jobs.learn(onProgress);
  }

  /** Runs a job after those before it. @throws Error when it fails */
  run<G extends FeatureGroup>(group: G, job: FeatureJob<G>, context: JobContext): Promise<unknown> {
    return this.byGroup.get(group)!.run(group, job, context);
  }

  /** Takes out of what is learned what a job names, or only what the log does not hold any more. @throws Error */
  async forget(forgotten: Forgettable | undefined, context: JobContext): Promise<void> {
    for (const verb of LEARNED_GROUPS)
      await this.run(
        verb,
        forgotten === undefined ? { verb, action: 'learn' } : { verb, action: 'forget', ...forgotten },
        context,
      );
  }

  /** Does other work while no job of a feature runs. @throws Error of the work */
  pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    return this.all.reduce<() => Promise<T>>((inner, jobs) => () => jobs.pausedDuring(inner), work)();
  }

  /** Lets the jobs of a node of a cluster learn where it learns for all. */
  share(shared: FeatureJobs['shared']): void {
    for (const jobs of this.all) jobs.shared = shared;
  }

  /** Waits for the jobs under way; no other begins. */
  async close(): Promise<void> {
    for (const jobs of this.all) await jobs.close();
  }
}
