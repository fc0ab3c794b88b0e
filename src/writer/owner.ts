// The owner of a data folder writes everything, in one thread: the writer thread of `serve`, or that of a command that
// finds the folder free. This file opens and closes the tables and dispatches jobs to the other files of this folder.

import { AccountWriter } from '../accounts/account_writer.ts';
import { AccountCounters } from '../accounts/counters.ts';
import { Rewards } from '../accounts/rewards.ts';
import type { ClusterNode } from '../cluster/node.ts';
import { VERSION } from '../config/version.ts';
import { readOptedOut, stationsOf } from '../folder/opted_out.ts';
import { requireSoundTables } from '../folder/sound_tables.ts';
import { Tally } from '../intake/tally.ts';
import type { ForgetJob, ForgetSummary, Job, JobContext, ServiceStatus, SourceRemovalJob } from '../jobs/job.ts';
import { removalOf } from '../jobs/sources.ts';
import { groupedJob, type TableJob } from '../jobs/table_jobs.ts';
import { Aggregator } from '../learning/aggregator.ts';
import { ReportLocator } from '../learning/calibration/report_locator.ts';
import { type AgingFiles, readFileAges } from '../metrics/ages.ts';
import { AccountTable } from '../tables/accounts/accounts.ts';
import { ObservationLog } from '../tables/observations/observation_log.ts';
import { RequestLog } from '../tables/requests/request_log.ts';
import { readSources, removeUnusedSources } from '../tables/sources/sources.ts';
import { StationCache } from '../tables/stations/cache.ts';
import { removeLeftovers } from '../tables/stations/generation.ts';
import { StationWriter } from '../tables/stations/writer.ts';
import { BackupRun, type BackupSummary } from './backup_run.ts';
import { clusterJob, isOfCluster, joinCluster, type OwnerParts, runInCluster } from './cluster_jobs.ts';
import { CommitBoundary } from './commit_boundary.ts';
import { type Contributed, ContributionGate, ContributionWriter } from './contributions.ts';
import { createDemo, removeDemo } from './demo_jobs.ts';
import { FeatureRunner } from './feature_runner.ts';
import { Forgetting, forgetRequests, forgettableOf } from './forgetting.ts';
import { GuessLog, STORE_MILLISECONDS } from './guess_log.ts';
import { readUsage, runKeysJob, runTenantsJob } from './key_jobs.ts';
import { LivePlaces, LiveSecrets } from './live_parts.ts';
import { DRAIN_MILLISECONDS, LogDrain } from './log_drain.ts';
import type { Question } from './messages.ts';
import type { OwnerLimits, OwnerOptions } from './owner_options.ts';
import { answerQuestion } from './questions.ts';
import { Retention } from './retention.ts';
import { ACCOUNTS_VERSION, createSharedState, type SharedState } from './shared_memory.ts';
import { appendUnder, removeMeasurements, StationJobs } from './station_jobs.ts';

/** How often it is looked whether a month has begun. */
const QUOTA_MILLISECONDS = 1_000;

type OwnedTables = Pick<OwnerParts, 'accounts' | 'log' | 'observations' | 'stations' | 'places' | 'features'>;

/** Writes everything. */
export class Owner {
  private readonly options: OwnerOptions;
  /** Of a cluster, if this is one. */
  private node: ClusterNode | undefined;
  private guesses: GuessLog | undefined;
  private readonly accountWriter: AccountWriter;
  private readonly accounts: AccountTable;
  private readonly log: RequestLog;
  private readonly observations: ObservationLog;
  private readonly contributions: ContributionWriter;
  private readonly gate: ContributionGate;
  private readonly stations: StationWriter;
  private readonly aggregator: Aggregator;
  private readonly rewards: Rewards;
  /** Tests reports before they are learned; undefined = they are learned untested. */
  private readonly locator: ReportLocator | undefined;
  private readonly stationJobs: StationJobs;
  private readonly features: FeatureRunner;
  /** Stores what the HTTP threads have logged. */
  readonly logDrain: LogDrain;
  private readonly retention: Retention;
  private readonly places: LivePlaces;
  private readonly secrets: LiveSecrets;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly questions = new Set<Promise<unknown>>();
  private readonly jobs = new Set<Promise<unknown>>();
  /** Whatever changes accounts or the observation log passes here. */
  private readonly boundary = new CommitBoundary();
  private isClosing = false;
  private isFilling = false;

  /**
   * Opens all tables of the folder for writing.
   * @param serving memory of the process that serves; commands serve nobody
   * @throws Error when a table is damaged, foreign or of a newer version
   */
  static async open(options: OwnerOptions, serving?: SharedState): Promise<Owner> {
    removeLeftovers(options.folder);
    requireSoundTables(options.folder);
    const accounts = new AccountTable(options.folder, { sync: options.sync });
    const log = RequestLog.open(options.folder, options.logMegabytes, options.onError);
    const observations = new ObservationLog(options.folder, options.sync);
    const places = new LivePlaces(options.folder, serving?.layers);
    const cache = serving && new StationCache(serving.cache);
    const stations = await StationWriter.open(options.folder, cache);
    removeUnusedSources(options.folder, readSources(stations.knowledge.generation));
    await observations.settle(stations.knowledge.log);
    await observations.clearRest();
    observations.optedOut = stationsOf(readOptedOut(options.folder));
    const tables = { accounts, log, observations, stations, places };
    const shared = serving ?? createSharedState(1, 0);
    const features = await FeatureRunner.open({ ...options, revision: shared.revision });
    const owner = new Owner(options, shared, { ...tables, features });
    const { accountWriter, secrets, aggregator, contributions, boundary, logDrain } = owner;
    const own = { accountWriter, secrets, aggregator, contributions, boundary, features, logDrain };
    owner.guesses = cache && new GuessLog({ ...options, guesses: cache.guesses, log, retention: owner.retention });
    if (serving !== undefined)
      owner.node = await joinCluster({ ...tables, ...own, guesses: owner.guesses!, options, serving });
    // A node fills quotas up while it serves: its cluster may not answer yet.
    if (owner.node === undefined && !isOfCluster(tables)) await accountWriter.fillQuotas(Date.now());
    return owner;
  }

  private constructor(
    options: OwnerOptions,
    shared: SharedState,
    { accounts, log, observations, stations, places, features }: OwnedTables,
  ) {
    this.options = options;
    this.places = places;
    this.features = features;
    this.secrets = new LiveSecrets(options.folder, shared.secrets);
    this.accounts = accounts;
    this.log = log;
    log.keeping = options.logRequests ?? 'all';
    this.observations = observations;
    this.stations = stations;
    const counters = new AccountCounters(shared.counters);
    this.accountWriter = new AccountWriter(accounts, counters, new Int32Array(shared.control), ACCOUNTS_VERSION);
    this.gate = new ContributionGate(shared.pendingContributions);
    const { calibration, progress } = stations.knowledge;
    this.locator = (options.calibrates ?? (calibration.isBegun || progress === 0)) ? new ReportLocator() : undefined;
    const tally = new Tally(shared.tally);
    this.rewards = new Rewards({
      ...options,
      accounts,
      writer: this.accountWriter,
      pass: work => this.boundary.pass(work),
    });
    this.aggregator = new Aggregator(observations, stations, tally, this.rewards, options.onError, this.locator);
    this.contributions = new ContributionWriter({
      ...options,
      tally,
      log: observations,
      onAppended: () => this.aggregator.wake(),
      onFloors: () => this.features.wake(),
    });
    this.logDrain = new LogDrain(log, shared.logRings);
    this.retention = new Retention({
      ...options,
      requests: log,
      observations,
      progress: () => this.aggregator.progress,
    });
    const { aggregator, locator, rewards } = this;
    const parts = { ...options, stations, aggregator, observations, locator, rewards };
    this.stationJobs = new StationJobs({ ...parts, isClosing: () => this.isClosing });
  }

  /** Starts the background work of a service: warm the cache, drain the log rings, drop what is old, aggregate. */
  startServing(): void {
    this.stations.warm().catch(this.options.onError);
    this.aggregator.wake();
    this.timers.push(setInterval(() => void this.logDrain.drain().catch(this.options.onError), DRAIN_MILLISECONDS));
    this.timers.push(setInterval(() => void this.guesses?.store().catch(this.options.onError), STORE_MILLISECONDS));
    this.timers.push(setInterval(() => this.fillQuotas(), QUOTA_MILLISECONDS));
    this.retention.start();
    this.secrets.start(this.options.onError);
    this.features.start();
    this.node?.begin();
  }

  /** As a node of a cluster, takes over its tables. */
  takeOver({ onProgress }: JobContext): Promise<void> {
    return this.node!.takeOver(({ doneBytes: bytesDone, totalBytes: bytesTotal }) =>
      onProgress({ phase: 'copying', rows: Math.round(bytesDone / 1_048_576), bytesDone, bytesTotal }),
    );
  }

  /** Nobody copies accounts while they are filled up. What fails is tried again a second later. */
  private fillQuotas(): void {
    if (this.isFilling || this.node?.commons.accounts.isAttached === false) return;
    this.isFilling = true;
    const fill = () => this.accountWriter.fillQuotas(Date.now());
    this.track(this.boundary.pass(fill))
      .catch(this.options.onError)
      .finally(() => {
        this.isFilling = false;
      });
  }

  /** Changes settings from here on. */
  setLimits({ logMegabytes, logRequests, keepObservations, rewards }: OwnerLimits): void {
    this.log.setLimit(logMegabytes);
    this.log.keeping = logRequests ?? 'all';
    this.retention.keepObservations = keepObservations;
    if (rewards !== undefined) this.rewards.setTerms(rewards);
  }

  /** Appends reports to the observation log; see `ContributionWriter.contribute`. */
  contribute(account: number, reports: Uint8Array): Promise<Contributed> {
    return this.track(this.boundary.pass(() => this.contributions.contribute(account, reports)));
  }

  /** Answers a question of an HTTP thread. @throws Error when it cannot be answered */
  answer(question: Question): Promise<unknown> {
    const { accountWriter, boundary, contributions, gate, log, node, retention } = this;
    return this.track(answerQuestion({ accountWriter, boundary, contributions, gate, log, node, retention }, question));
  }

  private track<T>(work: Promise<T>, underWay = this.questions): Promise<T> {
    underWay.add(work);
    const done = () => underWay.delete(work);
    work.then(done, done);
    return work;
  }

  /**
   * Executes a job.
   * @returns a value for JSON
   * @throws Error whose message is for the operator
   */
  run(job: Job, context: JobContext): Promise<unknown> {
    const { accountWriter, boundary, node, stations, observations, options, checkStop } = this;
    const parts = { accountWriter, boundary, node, stations, observations, options, checkStop };
    return this.track(
      job.verb === 'cluster'
        ? clusterJob(parts, job.action)
        : runInCluster(parts, job, context, () => this.execute(job, context)),
      this.jobs,
    );
  }

  private async execute(job: Exclude<Job, { verb: 'cluster' }>, context: JobContext): Promise<unknown> {
    switch (job.verb) {
      case 'import':
        return this.changeTables(job, context);
      case 'sources':
        return this.removeSource(job, context);
      case 'keys':
        if (job.action === 'show' || job.tag !== undefined) await this.logDrain.drainAll();
        return this.boundary.pass(() => runKeysJob(this.accountWriter, this.log.usage, this.observations, job));
      case 'tenants':
        return this.boundary.pass(() => runTenantsJob(this.accounts, job));
      case 'usage':
        await this.logDrain.drainAll();
        return readUsage(this.accountWriter, this.log.usage, job);
      case 'forget':
        return this.forget(job, context);
      case 'secret':
        return this.secrets.rotate(job, Date.now());
      case 'demo-remove':
        return removeDemo(this.stations, this.accountWriter, this.aggregator);
      case 'aggregate':
        return this.aggregate(job.action, context.onProgress);
      case 'backup':
        return this.backUp(job.path, context);
      case 'status':
        return statusNow(this.options.files);
      case 'log':
        return (await this.logDrain.find(job.id)) ?? (await this.node?.commons.requests.find(job.id)) ?? null;
      default:
        return this.features.run(job.verb, job, context);
    }
  }

  private async aggregate(
    action: Parameters<StationJobs['aggregate']>[0],
    onProgress: JobContext['onProgress'],
  ): Promise<unknown> {
    const summary = await this.stationJobs.aggregate(action, onProgress);
    await this.features.learn(onProgress);
    return summary;
  }

  /** No report may be dropped meanwhile: the log is written anew. */
  private async forget(job: ForgetJob, context: JobContext): Promise<ForgetSummary> {
    const { accounts, aggregator, boundary, locator, log, node, observations, options, rewards, stations } = this;
    const parts = {
      ...context,
      ...options,
      accounts,
      aggregator,
      boundary,
      locator,
      observations,
      forgetRequests: async (named: ForgetJob) =>
        (await node?.commons.forgotten.forget(named)) ?? { requests: await forgetRequests(log, [named]) },
      rewards,
      stations,
    };
    const run = async (): Promise<ForgetSummary> => {
      await this.logDrain.drainAll();
      return new Forgetting({ ...parts, checkStop: this.checkStop }, job).run();
    };
    const summary = await this.features.pausedDuring(() => this.retention.during(run));
    await this.features.forget(forgettableOf(job, accounts), context);
    return summary;
  }

  /** Puts the demo town and key into a new data folder, unless its cluster has keys. @returns the key, shown once */
  async createDemo(): Promise<string | undefined> {
    return this.node?.isWithoutKeys === false ? undefined : createDemo(this.stations, this.accountWriter);
  }

  private readonly checkStop = (): void => {
    if (this.isClosing) throw new Error('The service is stopping');
  };

  private backUp(path: string, { onProgress }: JobContext): Promise<BackupSummary> {
    const { accounts, accountWriter, boundary, observations, stations, log: requests } = this;
    const parts = { folder: this.options.folder, accounts, accountWriter, boundary, observations, requests, stations };
    return this.retention.during(async () => {
      await Promise.all([this.logDrain.drain(), this.guesses?.store()]);
      return new BackupRun({ ...parts, checkStop: this.checkStop }, path, onProgress).run();
    });
  }

  /** Returns unspent credits, stores logged requests, and closes the tables. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const timer of this.timers) clearInterval(timer);
    // A node without its cluster loses what it has taken.
    const giveBack = () => this.boundary.pass(() => this.accountWriter.returnAll()).catch(this.options.onError);
    const store = () => giveBack().then(() => Promise.all([this.logDrain.drainAll(), this.guesses?.store()]));
    // A block that is still being debited would be lost. A job may take longer to stop than the process has: what may
    // be lost is stored first.
    await Promise.allSettled(this.questions);
    await store();
    await Promise.allSettled(this.jobs);
    await this.node?.close();
    await this.features.close();
    await this.retention.close();
    await this.aggregator.close();
    await store();
    await this.log.close();
    await this.observations.close();
    await this.stations.close();
    await this.accounts.close();
    this.secrets.close();
  }

  /** Only the tables tell of what kind a source is. */
  private async removeSource(job: SourceRemovalJob, context: JobContext): Promise<unknown> {
    const measured = this.observations.sources.list().find(({ name }) => name === job.name);
    if (measured !== undefined)
      return removeMeasurements(this.observations, measured.number, forget => this.forget(forget, context));
    return this.changeTables(await removalOf(this.options.folder, job.name), context);
  }

  private hasMeasurements(source: string): boolean {
    return this.observations.sources.list().some(({ name }) => name === source);
  }

  /** Changes tables from files, and adopts what is new. */
  private async changeTables(change: TableJob, context: JobContext): Promise<unknown> {
    const { runTableJob } = this.options;
    const { group, job } = groupedJob(change);
    switch (group) {
      case 'stations':
        return this.stationJobs.import(() => runTableJob(group, job, context));
      case 'measurements': {
        const append = appendUnder(job.source, this.observations, this.boundary, this.contributions);
        // What it brings beside others of its source cannot be told from them: such an import goes on to its end.
        const { cancelled, ...lasting } = context;
        if (job.source === undefined || this.hasMeasurements(job.source))
          return runTableJob(group, job, lasting, append);
        return runTableJob(group, job, context, append).catch(async error => {
          const name = job.source!;
          if (cancelled?.aborted && this.hasMeasurements(name))
            await this.removeSource({ verb: 'sources', action: 'remove', name }, context);
          throw error;
        });
      }
      case 'places':
        return runTableJob(group, job, context).then(summary => {
          this.places.adopt(job.kind);
          return summary;
        });
      default:
        return this.features.run(group, job, context);
    }
  }
}

/** What a running service says of itself: version, process, age, memory, and how old its files are. */
function statusNow(files: AgingFiles = {}): ServiceStatus {
  const { certificateEndMs: endMs, addressesBuiltMs: builtMs } = readFileAges(files);
  return {
    ...(endMs !== undefined && { certificateEnds: new Date(endMs).toISOString() }),
    ...(builtMs !== undefined && { geoipBuilt: new Date(builtMs).toISOString() }),
    version: VERSION,
    pid: process.pid,
    uptimeSeconds: Math.round(process.uptime()),
    residentBytes: process.memoryUsage.rss(),
  };
}
