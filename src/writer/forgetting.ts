// Forgets what people may ask to have removed, and what bad contributors have brought: stations, and the reports and
// logged requests of a contributor, a device or a request; and the measurements of a source.
//
// What is learned is a function of the log. So the log is written anew without what goes
// (tables/observations/log_rewrite.ts), the tables are learned again from it beside the live ones, and both are put in
// force together while contributions wait for a moment. Afterwards all is as if it had never come. Where reports were
// dropped from the log before (`--keep-observations`), the tables cannot be learned again: then stations go out of the
// live tables, and what reports have taught stays.
//
// Imported stations go out of the files of their sources too. Stations are kept out from then on by a list
// (folder/opted_out.ts), which holds before the log is written.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Rewards } from '../accounts/rewards.ts';
import type { Forgettable } from '../feature.ts';
import { readOptedOut, stationsOf, writeOptedOut } from '../folder/opted_out.ts';
import type { ForgetJob, ForgetSummary, ForgottenRequests, JobContext } from '../jobs/job.ts';
import type { Aggregator } from '../learning/aggregator.ts';
import type { ReportLocator } from '../learning/calibration/report_locator.ts';
import { buildKnowledge, openCheckpoint, writeCheckpoint } from '../learning/rebuild.ts';
import { StationSet } from '../radio/query/station_set.ts';
import { formatStation, parseStation } from '../radio/station_name.ts';
import type { AccountTable } from '../tables/accounts/accounts.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';
import type { Forgotten, LogRewrite } from '../tables/observations/log_rewrite.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import { type Report, trackOf } from '../tables/observations/report.ts';
import { isOfDevice } from '../tables/requests/record.ts';
import type { RequestLog } from '../tables/requests/request_log.ts';
import { forgetInSources } from '../tables/sources/listed_stations.ts';
import { readSources, removeUnusedSources, type Source, writeSources } from '../tables/sources/sources.ts';
import {
  currentGeneration,
  dropGeneration,
  generationPath,
  publishGeneration,
  removeGeneration,
} from '../tables/stations/generation.ts';
import { KnowledgeTables } from '../tables/stations/knowledge.ts';
import type { StationWriter } from '../tables/stations/writer.ts';
import type { CommitBoundary } from './commit_boundary.ts';

/** What forgetting needs. */
interface ForgettingParts {
  /** Absolute path of the data folder. */
  folder: string;
  accounts: AccountTable;
  aggregator: Aggregator;
  boundary: CommitBoundary;
  locator: ReportLocator | undefined;
  observations: ObservationLog;
  rewards: Pick<Rewards, 'pay'>;
  /** Takes logged requests out that the job names, of all nodes. */
  forgetRequests: (job: ForgetJob) => Promise<ForgottenRequests>;
  stations: StationWriter;
  onProgress: JobContext['onProgress'];
  onError: (error: Error) => void;
  /** @throws Error when the owner closes */
  checkStop: () => void;
}

/** Reports that go, by what the job names. */
type IsForgotten = (report: Report, identity: string) => boolean;

/** One job. */
export class Forgetting {
  private readonly parts: ForgettingParts;
  private readonly job: ForgetJob;
  private readonly forgotten: Forgotten;
  /**
   * How far it is. Once the tables on the disk are the new ones (published), there is no way back, and until the log is
   * theirs too (in force), no report may be stored or learned.
   */
  private stage: 'begun' | 'published' | 'in force' = 'begun';

  /**
   * No report may be dropped from here on. @throws Error when a name is none of a station, or the measurements of a
   * source cannot be taken out
   */
  constructor(parts: ForgettingParts, job: ForgetJob) {
    this.parts = parts;
    this.job = job;
    const stations = job.what === 'stations' ? stationsOf(job.names) : new StationSet();
    this.forgotten = { isReport: reportsOf(job, parts), stations };
  }

  /** Forgets. @throws Error that says whether all but logged requests are as they were, and else what is left to do */
  async run(): Promise<ForgetSummary> {
    const { aggregator, folder, observations, stations } = this.parts;
    const { requests, awaited } =
      requestsOf(this.job) === undefined ? { requests: 0 } : await this.parts.forgetRequests(this.job);
    const names = readOptedOut(folder);
    const optedOut = this.optedOutAfter(names);
    const before = observations.optedOut;
    await aggregator.hold();
    try {
      observations.optedOut = stationsOf(optedOut);
      const rewrite = await observations.rewrite(this.forgotten, stations.knowledge.progress, this.tableBytes());
      await rewrite.copy(last => this.showRewriting(last), this.parts.checkStop);
      const imported = await this.replace(rewrite, optedOut);
      const { removed, changed } = rewrite;
      const { droppedThrough } = observations;
      return {
        reports: removed,
        changedReports: changed,
        imported,
        requests,
        ...(awaited !== undefined && { awaited }),
        stations: stations.count(),
        droppedThrough,
      };
    } catch (error) {
      if (this.stage === 'begun') {
        observations.optedOut = before;
        await this.attempt(() => this.restore(names));
      }
      throw new Error(this.describeFailure((error as Error).message.replace(/\.?$/, '.'), requests), { cause: error });
    } finally {
      // Between the two, the rewrite is what the next owner puts in force.
      if (this.stage !== 'published') {
        await this.attempt(() => observations.clearRest());
        aggregator.release();
      }
    }
  }

  private describeFailure(why: string, requests: number): string {
    if (this.stage === 'begun') return `Nothing was forgotten but ${requests} logged requests: ${why}`;
    if (this.stage === 'in force')
      return (
        `Forgotten, but what stood before could not all be removed: ${why} Restart the service, and forget once ` +
        `more.`
      );
    return (
      `Forgotten, but the observation log is not in force: ${why} Restart the service; until then it takes no ` +
      `reports.`
    );
  }

  /** Does what belongs to the end. A failure is told beside the one that may have come before. */
  private async attempt(action: () => void | Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.parts.onError(error as Error);
    }
  }

  /** Restores the files that were written before it failed; what is removed makes room for the other. */
  private restore(optedOut: readonly string[]): void {
    const { folder, stations } = this.parts;
    removeUnusedSources(folder, readSources(stations.knowledge.generation));
    if (this.job.what === 'stations') writeOptedOut(folder, optedOut);
  }

  /** Bytes of the tables that are learned anew. */
  private tableBytes(): number {
    const { folder, observations, stations } = this.parts;
    return observations.droppedThrough > 0 ? 0 : statSync(join(generationPath(folder, stations.live), DATA_FILE)).size;
  }

  /** The stations that are kept out from now on. */
  private optedOutAfter(names: string[]): string[] {
    const { job } = this;
    if (job.what !== 'stations') return names;
    const named = new Set(job.names.map(name => formatStation(parseStation(name)[0])));
    const others = names.filter(name => !named.has(name));
    return job.mayReturn ? others : [...others, ...named];
  }

  private showRewriting(last: number): void {
    this.parts.onProgress({
      phase: 'rewriting',
      rows: last,
      bytesDone: last,
      bytesTotal: this.parts.observations.lastSequence,
    });
  }

  /**
   * Puts the log, the tables and the sources without what is forgotten in force. @returns imported records that went
   */
  private async replace(rewrite: LogRewrite, optedOut: readonly string[]): Promise<number> {
    const { folder, boundary, observations, rewards, stations, onError, checkStop } = this.parts;
    const live = readSources(stations.knowledge.generation);
    const { sources, removed: imported } = await forgetInSources(folder, live, this.forgotten.stations, checkStop);
    const checkpoint = this.isCheckpoint();
    if (rewrite.removed + rewrite.changed + imported === 0 && !this.isInTables() && checkpoint !== 'outdated') {
      writeOptedOut(folder, optedOut);
      return 0;
    }
    const before = stations.live;
    const learned = observations.droppedThrough === 0 ? await this.learn(rewrite, sources) : undefined;
    const generation = learned?.generation;
    try {
      // What was appended meanwhile; little is left for the moment in which everybody waits.
      await rewrite.copy(() => {}, checkStop);
      await boundary.hold(async () => {
        await rewrite.copy(() => {}, checkStop);
        await observations.sources.copyTo(rewrite.renamed);
        await rewrite.complete();
        writeOptedOut(folder, optedOut);
        await this.putInForce(rewrite, generation, sources);
      });
    } finally {
      if (this.stage === 'begun' && generation !== undefined) dropGeneration(folder, generation);
    }
    if (learned !== undefined) await rewards.pay(learned.earning, rewrite.number);
    stations.warm().catch(onError);
    await removeAll([
      () => generation !== undefined && removeGeneration(folder, before),
      () => removeUnusedSources(folder, sources),
      () => observations.clearRest(),
      () => checkpoint !== 'none' && writeCheckpoint(folder, stations.knowledge.generation),
    ]);
    return imported;
  }

  /** Puts the tables in force, and then the log. */
  private async putInForce(
    rewrite: LogRewrite,
    generation: number | undefined,
    sources: readonly Source[],
  ): Promise<void> {
    const { observations, stations } = this.parts;
    try {
      await this.publish(rewrite, generation, sources);
      if (generation !== undefined) await stations.adopt(generation, undefined);
      await observations.settle(rewrite.number);
      this.stage = 'in force';
    } catch (error) {
      // What came now would stand in the log that goes.
      if (this.stage === 'published')
        observations.refuse(new Error('Something was forgotten, and the service must be restarted.'));
      throw error;
    }
  }

  /** Makes the tables on the disk the new ones. It may fail before that or after, so the disk is asked. */
  private async publish(
    rewrite: LogRewrite,
    generation: number | undefined,
    sources: readonly Source[],
  ): Promise<void> {
    const { folder, stations } = this.parts;
    this.stage = 'published';
    try {
      if (generation !== undefined) publishGeneration(folder, generation);
      else
        await stations.forget(this.forgotten.stations.keys, rewrite.number, rewrite.progress, tables =>
          writeSources(tables, sources),
        );
    } catch (error) {
      stations.knowledge.generation.root.resetReadTxn();
      const isLive =
        generation === undefined ? stations.knowledge.log === rewrite.number : currentGeneration(folder) === generation;
      if (!isLive) this.stage = 'begun';
      throw error;
    }
  }

  /** Learns again, beside the live tables. */
  private learn(rewrite: LogRewrite, sources: readonly Source[]): ReturnType<typeof buildKnowledge> {
    const { folder, stations, locator, onProgress, checkStop } = this.parts;
    const report = (rows: number, bytesTotal: number) =>
      onProgress({ phase: 'aggregating', rows, bytesDone: rows, bytesTotal });
    return buildKnowledge({
      folder,
      log: rewrite,
      live: stations.knowledge.generation,
      rewrites: rewrite.number,
      progress: rewrite.progress,
      forgotten: this.forgotten.stations,
      sources,
      locator,
      onProgress: report,
      checkStop,
    });
  }

  /** True if the live tables know one of the stations. */
  private isInTables(): boolean {
    const { generation } = this.parts.stations.knowledge;
    generation.root.resetReadTxn();
    return this.forgotten.stations.keys.some(
      key => generation.stations.doesExist(key) || generation.learned.doesExist(key),
    );
  }

  /**
   * Whether there is a checkpoint; one of the log before its last rewrite, which a kill has left, holds what was to be
   * forgotten.
   */
  private isCheckpoint(): 'none' | 'outdated' | 'valid' {
    const checkpoint = openCheckpoint(this.parts.folder);
    if (checkpoint === undefined) return 'none';
    const { log } = new KnowledgeTables(checkpoint);
    void checkpoint.root.close();
    return log === this.parts.observations.rewrites ? 'valid' : 'outdated';
  }
}

/** Removes all that can be removed. @throws Error naming what could not */
async function removeAll(removals: readonly (() => unknown)[]): Promise<void> {
  const failures: string[] = [];
  for (const remove of removals) {
    try {
      await remove();
    } catch (error) {
      failures.push((error as Error).message.replace(/\.?$/, '.'));
    }
  }
  if (failures.length > 0) throw new Error(failures.join(' '));
}

/**
 * Takes the logged requests out of a log that jobs name, in one pass.
 * @returns how many @throws Error when a part of it is damaged, or cannot be written
 */
export async function forgetRequests(log: RequestLog, jobs: readonly ForgetJob[]): Promise<number> {
  const tests = jobs.map(requestsOf).filter(test => test !== undefined);
  return tests.length === 0 ? 0 : log.forget((head, logId) => tests.some(test => test(head, logId)));
}

/** Logged requests that go; undefined where none do. */
function requestsOf(job: ForgetJob): Parameters<RequestLog['forget']>[0] | undefined {
  if (job.what === 'contributor') return ({ account }) => account === job.id;
  if (job.what === 'report') return (_, logId) => logId === job.logId;
  if (job.what === 'stations' || job.what === 'source') return undefined;
  return head => isOfDevice(head, job.device) && (job.account === undefined || job.account === head.account);
}

function reportsOf(job: ForgetJob, { accounts, observations }: ForgettingParts): IsForgotten {
  if (job.what === 'contributor') return ({ contributor }) => contributor === job.id;
  if (job.what === 'report') {
    const identities = new Set(job.identities);
    return (_, identity) => identities.has(identity);
  }
  if (job.what === 'stations') return () => false;
  if (job.what === 'source') {
    requireAllReports(observations);
    return (_, identity) => observations.sources.isAlone(job.source, Buffer.from(identity, 'hex'));
  }
  const tracks = new Set(tracksOf(job, accounts));
  return ({ track }) => tracks.has(track);
}

/** The pseudonyms of a device. Files that the operator imports may name devices too. */
function tracksOf({ device, account }: Extract<ForgetJob, { what: 'device' }>, accounts: AccountTable): number[] {
  const owners = account === undefined ? [0, ...accounts.list().map(({ id }) => id)] : [account];
  return owners.map(owner => trackOf(owner, device));
}

function requireAllReports({ droppedThrough }: ObservationLog): void {
  if (droppedThrough === 0) return;
  throw new Error(
    `Measurements can be taken out only while the log holds all reports, and those up to ${droppedThrough} ` +
      `were dropped (--keep-observations): the tables could not be learned again without them.`,
  );
}

/**
 * What of learned tables of features belongs to a job of forgetting. What came as reports follows the log, which was
 * written anew; this is for what the log does not hold: surveys, and reports that were dropped by age. @returns
 * undefined where only the log tells
 */
export function forgettableOf(job: ForgetJob, accounts: AccountTable): Forgettable | undefined {
  switch (job.what) {
    case 'stations':
      return { stations: job.names };
    case 'contributor':
      return { contributor: job.id };
    case 'device':
      return { tracks: tracksOf(job, accounts) };
    case 'report':
      return { identities: job.identities };
    case 'source':
      return undefined;
  }
}
