// Jobs on the station tables: import stations, aggregate to the end of the observation log, make a checkpoint, rebuild.
// A job that builds new tables pauses the aggregation, and swaps the tables in at its end.

import type { Rewards } from '../accounts/rewards.ts';
import type { StationSummary } from '../jobs/change_tables.ts';
import type { ForgetJob, ForgetSummary, JobContext } from '../jobs/job.ts';
import type { Aggregator } from '../learning/aggregator.ts';
import type { ReportLocator } from '../learning/calibration/report_locator.ts';
import { rebuildKnowledge, writeCheckpoint } from '../learning/rebuild.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import { removeGeneration } from '../tables/stations/generation.ts';
import type { StationWriter } from '../tables/stations/writer.ts';
import type { ObservationImport } from '../transfer/import_observations.ts';
import type { CommitBoundary } from './commit_boundary.ts';
import type { ContributionWriter } from './contributions.ts';

/** What the jobs need. */
interface StationParts {
  /** Absolute path of the data folder. */
  folder: string;
  stations: StationWriter;
  aggregator: Aggregator;
  observations: ObservationLog;
  /** Tests reports of a rebuild before they are learned; undefined = they are learned untested. */
  locator: ReportLocator | undefined;
  /** Pays for reports that a rebuild learns first. */
  rewards: Pick<Rewards, 'pay'>;
  /** Called when the cache could not be warmed; the job succeeds all the same. */
  onError: (error: Error) => void;
  /** True once the owner closes; a rebuild then stops. */
  isClosing: () => boolean;
}

/** The result of an `aggregate` job. */
interface AggregateSummary {
  /** Number of the last aggregated report. */
  progress: number;
  /** Reports refused since the start of this process because the device cannot have moved that fast. */
  jumps: number;
  /** Reports replayed by a rebuild. */
  replayed: number;
  /** Stations in the tables. */
  stations: number;
}

/** Executes jobs on the station tables. */
export class StationJobs {
  private readonly parts: StationParts;

  constructor(parts: StationParts) {
    this.parts = parts;
  }

  /**
   * Changes the imported stations. @param runImport builds a generation or changes the live one, and resolves to a
   * summary
   */
  async import(runImport: () => Promise<StationSummary>): Promise<Omit<StationSummary, 'changedKeys'>> {
    const { aggregator, stations } = this.parts;
    await aggregator.hold();
    try {
      const before = stations.live;
      const { changedKeys, ...shown } = await runImport();
      await this.adopt(shown.generation, changedKeys, before);
      return shown;
    } finally {
      aggregator.release();
    }
  }

  /**
   * Aggregates to the end of the log, makes a checkpoint, or builds the tables anew. @throws Error whose message is for
   * the operator
   */
  async aggregate(
    action: 'all' | 'rebuild' | 'checkpoint',
    onProgress: JobContext['onProgress'],
  ): Promise<AggregateSummary> {
    const { folder, stations, aggregator } = this.parts;
    const report = (rows: number, bytesTotal: number) =>
      onProgress({ phase: 'aggregating', rows, bytesDone: rows, bytesTotal });
    if (action === 'all') await aggregator.catchUp(report);
    let reports = 0;
    if (action !== 'all') await aggregator.hold();
    try {
      if (action === 'checkpoint') await writeCheckpoint(folder, stations.knowledge.generation);
      if (action === 'rebuild') reports = await this.rebuild(report);
    } finally {
      if (action !== 'all') aggregator.release();
    }
    return {
      progress: aggregator.progress,
      jumps: aggregator.counts.jumps,
      replayed: reports,
      stations: stations.count(),
    };
  }

  private async rebuild(onProgress: (reports: number, total: number) => void): Promise<number> {
    const { folder, stations, observations, locator, rewards, isClosing } = this.parts;
    const before = stations.live;
    const { generation, reports } = await rebuildKnowledge({
      folder,
      log: observations,
      live: stations.knowledge.generation,
      locator,
      rewards,
      onProgress,
      checkStop: () => {
        if (isClosing()) throw new Error('The service is stopping; the tables are as they were.');
      },
    });
    await this.adopt(generation, undefined, before);
    return reports;
  }

  /** Makes a generation the live one and removes the one before, unless that is still live. */
  private async adopt(
    generation: number,
    changedKeys: StationSummary['changedKeys'] | undefined,
    before: number,
  ): Promise<void> {
    const { folder, stations, onError } = this.parts;
    await stations.adopt(generation, changedKeys);
    if (generation !== before) removeGeneration(folder, before);
    stations.warm().catch(onError);
  }
}

// Measurements under the name of a source: appending what an import reads, and taking all of it out again.

/**
 * Appends reports of the operator, which belong to a source if it has a name. The source begins with the first batch.
 */
export function appendUnder(
  name: string | undefined,
  { sources }: ObservationLog,
  boundary: CommitBoundary,
  contributions: ContributionWriter,
): ObservationImport['append'] {
  let begun: Promise<number> | undefined;
  const begin = (): Promise<number> => (begun ??= sources.begin(name!, Date.now()));
  const source = name === undefined ? undefined : { name, begin };
  return reports => boundary.pass(() => contributions.contribute(0, reports, source));
}

/**
 * Takes the reports out that a source alone has, and the source.
 * @param forget writes the log and the tables without them
 * @throws Error when the tables cannot be learned again; then nothing has changed. After a kill the source is there,
 *   and can be removed again.
 */
export async function removeMeasurements(
  { sources }: ObservationLog,
  source: number,
  forget: (job: ForgetJob) => Promise<ForgetSummary>,
): Promise<Pick<ForgetSummary, 'reports' | 'stations'>> {
  const { reports, stations } = await forget({ verb: 'forget', what: 'source', source });
  await sources.remove(source);
  return { reports, stations };
}
