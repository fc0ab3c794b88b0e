// The owner of a data folder: everything that writes, in one place and one thread. `serve` runs it in the writer thread, a command that finds the
// folder free runs it in its own process; both execute the same jobs.

import { AccountCounters } from '../accounts/counters.ts';
import { Granter } from '../accounts/granter.ts';
import { hashKey, newKey } from '../accounts/key.ts';
import { describeAccount } from '../accounts/settings.ts';
import type { Durability, Retention } from '../config.ts';
import { demoChanges } from '../folder/demo_town.ts';
import { Tally } from '../intake/tally.ts';
import {
  isPlacesImport,
  type Job,
  type JobContext,
  type KeysJob,
  type ObservationImportJob,
  type PlacesImportJob,
  type StationImportJob,
} from '../jobs/job.ts';
import { Aggregator } from '../learning/aggregator.ts';
import { rebuildKnowledge, writeCheckpoint } from '../learning/rebuild.ts';
import { type AccountChanges, AccountTable } from '../tables/accounts/accounts.ts';
import { ObservationLog } from '../tables/observations/observation_log.ts';
import type { LoggedRequest } from '../tables/requests/record.ts';
import { RequestLog } from '../tables/requests/request_log.ts';
import { LogConsumer } from '../tables/requests/ring.ts';
import { StationCache } from '../tables/stations/cache.ts';
import { removeGeneration, removeLeftovers } from '../tables/stations/generation.ts';
import { StationWriter } from '../tables/stations/writer.ts';
import type { ObservationImport, ObservationSummary } from '../transfer/import_observations.ts';
import type { ImportSummary } from '../transfer/import_stations.ts';
import { type Contributed, Intake, IntakeGate } from './intake.ts';
import { LivePlaces } from './live_places.ts';
import type { Question, Questions } from './messages.ts';
import { ACCOUNTS_VERSION, type SharedState } from './shared.ts';

export interface OwnerOptions {
  /** Absolute path of the data folder, which this process owns. */
  folder: string;
  /** When a write counts as done. */
  sync: Durability;
  logMegabytes: number;
  /** How long raw observations are kept while serving. */
  keepObservations: Retention;
  /** Credits that a prepaid contributor earns for each new report, 0..1000. */
  contributionCredits: number;
  /** Told of failures that fail no request: the request log's. */
  onError: (error: Error) => void;
  /** Runs an import of stations and resolves to what it has done: in a thread of its own while serving. */
  runImport: (job: StationImportJob, context: JobContext) => Promise<ImportSummary>;
  /** The same for measurements. `append` takes packed reports into the observation log and resolves when they are acknowledged. */
  runObservationImport: (
    job: ObservationImportJob,
    context: JobContext,
    append: ObservationImport['append'],
  ) => Promise<ObservationSummary>;
  /** The same for places, which are the live ones on the disk when it resolves. */
  runPlacesImport: (job: PlacesImportJob, context: JobContext) => Promise<unknown>;
}

/** What an `aggregate` job tells. */
export interface AggregateSummary {
  /** Number of the last report that has taken effect. */
  progress: number;
  /** Reports of devices that cannot have come there so fast, refused since this process began. */
  jumps: number;
  /** Reports replayed by a rebuild. */
  replayed: number;
  /** Stations in the tables. */
  stations: number;
}

/** How often log rings are emptied: often, so that compressing never takes a processor from the HTTP threads for more than a moment. */
const DRAIN_MILLISECONDS = 50;
/** How often old requests and observations are dropped. */
const PRUNE_MILLISECONDS = 15 * 60_000;
const ACCOUNTS_PAGE = 1_000;
/** Name of the key that a new data folder is given. */
const DEMO_NAME = 'demo';

/** Writes everything. */
export class Owner {
  private readonly options: OwnerOptions;
  private readonly granter: Granter;
  private readonly accounts: AccountTable;
  private readonly log: RequestLog;
  private readonly observations: ObservationLog;
  private readonly intake: Intake;
  private readonly gate: IntakeGate;
  private readonly stations: StationWriter;
  private readonly aggregator: Aggregator;
  private readonly rings: LogConsumer[];
  private readonly places: LivePlaces;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly underWay = new Set<Promise<unknown>>();
  private draining: Promise<void> | undefined;
  private isClosing = false;

  /**
   * Opens all tables of the folder for writing.
   * @param shared the serving process's memory; commands that serve nobody pass one without log rings
   * @throws Error with a sentence when a table is damaged, foreign or of a newer version
   */
  static async open(options: OwnerOptions, shared: SharedState, serving: boolean): Promise<Owner> {
    removeLeftovers(options.folder);
    const accounts = new AccountTable(options.folder, { sync: options.sync });
    const log = RequestLog.open(options.folder, options.logMegabytes, options.onError);
    const observations = new ObservationLog(options.folder, options.sync);
    const places = new LivePlaces(options.folder, serving ? shared.layers : undefined);
    const stations = await StationWriter.open(options.folder, serving ? new StationCache(shared.cache) : undefined);
    return new Owner(options, shared, accounts, log, observations, stations, places);
  }

  private constructor(
    options: OwnerOptions,
    shared: SharedState,
    accounts: AccountTable,
    log: RequestLog,
    observations: ObservationLog,
    stations: StationWriter,
    places: LivePlaces,
  ) {
    this.options = options;
    this.places = places;
    this.accounts = accounts;
    this.log = log;
    this.observations = observations;
    this.stations = stations;
    this.granter = new Granter(accounts, new AccountCounters(shared.counters), new Int32Array(shared.control), ACCOUNTS_VERSION);
    this.gate = new IntakeGate(shared.intake);
    this.aggregator = new Aggregator(observations, stations, new Tally(shared.tally), options.onError);
    this.intake = new Intake({ ...options, log: observations, granter: this.granter, onAppended: () => this.aggregator.wake() });
    this.rings = shared.logRings.map(ring => new LogConsumer(ring));
  }

  /** Starts what runs by itself while serving: warming the cache, emptying the log rings, dropping old requests and observations, aggregation. */
  startServing(): void {
    this.stations.warm().catch(this.options.onError);
    this.aggregator.wake();
    this.timers.push(setInterval(() => this.drainLogs(), DRAIN_MILLISECONDS));
    this.timers.push(setInterval(() => this.dropOld(), PRUNE_MILLISECONDS));
    this.dropOld();
  }

  private dropOld(): void {
    void this.log.prune(Date.now());
    const { keepObservations, onError } = this.options;
    this.track(this.observations.prune(keepObservations, this.aggregator.progress, Date.now())).catch(onError);
  }

  /** Appends reports to the observation log; see `Intake.contribute`. */
  contribute(account: number, reports: Uint8Array): Promise<Contributed> {
    return this.track(this.intake.contribute(account, reports));
  }

  /** Answers a question of an HTTP thread. @throws Error when it cannot be done */
  answer(question: Question): Promise<unknown> {
    return this.track(this.find(question));
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.underWay.add(work);
    const done = () => this.underWay.delete(work);
    work.then(done, done);
    return work;
  }

  private find({ name, ask }: Question): Promise<unknown> {
    switch (name) {
      case 'topUp': {
        const { account, credits } = ask as Questions['topUp']['ask'];
        return this.granter.topUp(account, credits);
      }
      case 'device': {
        const { account, month, device, limit } = ask as Questions['device']['ask'];
        return this.granter.registerDevice(account, month, device, limit);
      }
      case 'logBlock':
        return this.log.allocateBlock();
      case 'contribute': {
        const { account, reports } = ask as Questions['contribute']['ask'];
        return this.intake.contribute(account, reports).finally(() => this.gate.release(reports.byteLength));
      }
    }
  }

  /** Stores what the HTTP threads have logged so far. One run at a time; a call during one waits for that one. */
  drainLogs(): Promise<void> {
    this.draining ??= (async () => {
      for (const ring of this.rings) {
        for (let records = ring.drain(); records !== undefined; records = ring.drain()) await this.log.append(records);
      }
    })().finally(() => {
      this.draining = undefined;
    });
    return this.draining;
  }

  /**
   * Executes a job.
   * @returns a value that JSON can carry
   * @throws Error with one sentence for the operator
   */
  run(job: Job, context: JobContext): Promise<unknown> {
    return this.track(this.execute(job, context));
  }

  private async execute(job: Job, context: JobContext): Promise<unknown> {
    switch (job.verb) {
      case 'import':
        if (isPlacesImport(job)) return this.importPlaces(job, context);
        return job.kind === 'observations' ? this.importObservations(job, context) : this.importStations(job, context);
      case 'keys':
        return this.keys(job);
      case 'demo-remove':
        return this.removeDemo();
      case 'aggregate':
        return this.aggregate(job.action, context);
      case 'log':
        return (await this.logged(job.id)) ?? (await this.loggedLater(job.id)) ?? null;
    }
  }

  private async logged(id: number): Promise<LoggedRequest | undefined> {
    // A drain that is under way may be past the ring that the request was just put into.
    await this.draining;
    await this.drainLogs();
    return this.log.get(id, Date.now());
  }

  /** A reply leaves a moment before its record: who asks at once is answered a moment later. */
  private async loggedLater(id: number): Promise<LoggedRequest | undefined> {
    await new Promise(resolve => setTimeout(resolve, 4 * DRAIN_MILLISECONDS));
    return this.logged(id);
  }

  /** The town and the key of a new data folder. @returns the key, shown once */
  async createDemo(): Promise<string> {
    await this.stations.apply(demoChanges('put'));
    return (await this.createKey({ name: DEMO_NAME, loopbackOnly: true })).key;
  }

  /** Gives back what was debited and not spent, stores what was logged, closes the tables. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const timer of this.timers) clearInterval(timer);
    // A block that is still being debited would be given back too early, and lost; a job would meet closed tables.
    await Promise.allSettled(this.underWay);
    await this.aggregator.close();
    await this.granter.returnAll();
    await this.drainLogs();
    await this.log.close();
    await this.observations.close();
    await this.stations.close();
    await this.accounts.close();
    this.places.close();
  }

  private importObservations(job: ObservationImportJob, context: JobContext): Promise<ObservationSummary> {
    return this.options.runObservationImport(job, context, reports => this.intake.contribute(0, reports));
  }

  private async importStations(job: StationImportJob, context: JobContext): Promise<Omit<ImportSummary, 'changedKeys'>> {
    await this.aggregator.hold();
    try {
      const before = this.stations.live;
      const summary = await this.options.runImport(job, context);
      await this.stations.adopt(summary.generation, summary.changedKeys);
      if (summary.generation !== before) removeGeneration(this.options.folder, before);
      this.stations.warm().catch(this.options.onError);
      const { changedKeys: _, ...shown } = summary;
      return shown;
    } finally {
      this.aggregator.release();
    }
  }

  private async importPlaces(job: PlacesImportJob, context: JobContext): Promise<unknown> {
    const summary = await this.options.runPlacesImport(job, context);
    this.places.adopt(job.kind);
    return summary;
  }

  private async aggregate(action: 'all' | 'rebuild' | 'checkpoint', context: JobContext): Promise<AggregateSummary> {
    const report = (rows: number, bytesTotal: number) => context.onProgress({ phase: 'aggregating', rows, bytesDone: rows, bytesTotal });
    if (action === 'all') await this.aggregator.catchUp(report);
    let reports = 0;
    if (action !== 'all') await this.aggregator.hold();
    try {
      if (action === 'checkpoint') await writeCheckpoint(this.options.folder, this.stations.knowledge.generation);
      if (action === 'rebuild') reports = await this.rebuild(report);
    } finally {
      if (action !== 'all') this.aggregator.release();
    }
    return { progress: this.aggregator.progress, jumps: this.aggregator.counts.jumps, replayed: reports, stations: this.stations.count() };
  }

  private async rebuild(onProgress: (reports: number, total: number) => void): Promise<number> {
    const before = this.stations.live;
    const { generation, reports } = await rebuildKnowledge({
      folder: this.options.folder,
      log: this.observations,
      live: this.stations.knowledge.generation,
      onProgress,
      checkStop: () => {
        if (this.isClosing) throw new Error('The service is stopping; the tables are as they were.');
      },
    });
    await this.stations.adopt(generation, undefined);
    removeGeneration(this.options.folder, before);
    this.stations.warm().catch(this.options.onError);
    return reports;
  }

  /**
   * Waits until everything in the observation log has taken effect.
   * @param onProgress told how many reports of how many are done
   */
  aggregateAll(onProgress: (done: number, total: number) => void): Promise<void> {
    return this.track(this.aggregator.catchUp(onProgress));
  }

  private async keys(job: KeysJob): Promise<unknown> {
    switch (job.action) {
      case 'create':
        return this.createKey(job.settings);
      case 'list':
        return this.granter.list(0, Number.POSITIVE_INFINITY).map(describeAccount);
      case 'show': {
        const account = this.granter.get(job.id);
        if (account === undefined) throw new Error(`There is no key with id ${job.id}.`);
        return describeAccount(account);
      }
      case 'update':
        return describeAccount(await this.granter.update(job.id, job.settings));
      case 'revoke':
        return describeAccount(await this.granter.revoke(job.id));
      case 'credit':
        return describeAccount(await this.granter.credit(job.id, job.credits));
    }
  }

  private async createKey(settings: AccountChanges): Promise<{ key: string }> {
    const key = newKey();
    const set = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
    const account = await this.granter.create({ ...set, keyHash: hashKey(key), createdMs: Date.now() });
    return { ...describeAccount(account), key };
  }

  private async removeDemo(): Promise<{ stations: number; keys: number }> {
    const changes = demoChanges('delete');
    await this.stations.apply(changes);
    let keys = 0;
    for (let after = 0; ; ) {
      const page = this.granter.list(after, ACCOUNTS_PAGE);
      for (const account of page) {
        if (account.loopbackOnly !== true || account.revoked) continue;
        await this.granter.revoke(account.id);
        keys++;
      }
      if (page.length < ACCOUNTS_PAGE) return { stations: changes.length, keys };
      after = page[page.length - 1].id;
    }
  }
}
