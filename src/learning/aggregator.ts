// Runs the aggregation in the writer thread: reports in the observation log become knowledge in the station tables, in
// slices so short that charges in the same thread wait only milliseconds. It starts when a report was appended and
// stops at the end of the log. Work that writes stations in another thread holds it meanwhile.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EarningReport } from '../accounts/account_writer.ts';
import type { Rewards } from '../accounts/rewards.ts';
import type { Tally } from '../intake/tally.ts';
import { observationsIn } from '../radio/query/stored.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import type { KnowledgeChanges, KnowledgeTables } from '../tables/stations/knowledge.ts';
import type { StationWriter } from '../tables/stations/writer.ts';
import { type AggregateCounts, Aggregation } from './aggregate.ts';
import { factorsOfVotes } from './calibration/factors_of_votes.ts';
import type { ReportLocator } from './calibration/report_locator.ts';
import { Trials } from './calibration/trials.ts';
import { rebase } from './life_cycle.ts';
import { publishStation, refreshAreas } from './publish.ts';

/**
 * Duration of a slice without its commit, on any machine and with any stations: charges in the same thread wait this
 * long. Shorter slices would meet the same stations again and again, and commit more often.
 */
const SLICE_MILLISECONDS = 25;
/**
 * Bounds of a slice, in sightings: a commit costs a millisecond, and a garbage collection must not stretch the next
 * slice.
 */
const SLICE_SIGHTINGS_MIN = 100;
const SLICE_SIGHTINGS_MAX = 5_000;
/** Reports read from the log at once. */
const READ_REPORTS = 50;
/** Learned stations looked at, and joined with imported ones, in one slice: some ten milliseconds. */
const REBASE_LIMITS = { keys: 5_000, stations: 500 };
/** Least time between two refreshes of the areas: each costs a pass over a network. */
const AREAS_MILLISECONDS = 30_000;

/** Pause after deriving what follows from tests, in times of what that took: so it takes 2 % of the time at most. */
const CALIBRATION_PAUSE = 50;

/** Turns the log into knowledge. */
export class Aggregator {
  /** Totals since the start. */
  readonly counts: AggregateCounts = new Aggregation({
    learned: none,
    importedRecord: none,
    areasOfCell: () => [],
    track: none,
  }).counts;
  private readonly log: ObservationLog;
  private readonly stations: StationWriter;
  private readonly tally: Tally;
  private readonly onError: (error: Error) => void;
  private readonly rewards: Pick<Rewards, 'pay'>;
  private readonly locator: ReportLocator | undefined;
  private holders = 0;
  private released = Promise.withResolvers<void>();
  private running: Promise<unknown> | undefined;
  /** Something was appended since the run began. */
  private isWoken = false;
  /** Sightings of the next slice. */
  private sliceSightings = 500;
  private areasMs = 0;
  private areasTimer: NodeJS.Timeout | undefined;
  /** Tests have voted since what follows from them was derived, or may have before the start. */
  private isCalibrationStale = true;
  /** When they may be derived again. */
  private calibrationMs = 0;
  private calibrationTimer: NodeJS.Timeout | undefined;

  /**
   * @param tally counts what the last rule of intake refuses, since a device's reports meet only here
   * @param rewards pays for reports right before they take effect
   * @param onError called when a slice could not be written; the next append tries again
   * @param locator tests reports before they are learned; undefined = they are learned untested
   */
  constructor(
    log: ObservationLog,
    stations: StationWriter,
    tally: Tally,
    rewards: Pick<Rewards, 'pay'>,
    onError: (error: Error) => void,
    locator?: ReportLocator,
  ) {
    this.log = log;
    this.stations = stations;
    this.tally = tally;
    this.rewards = rewards;
    this.onError = onError;
    this.locator = locator;
  }

  /** Number of the last report that took effect. */
  get progress(): number {
    return this.stations.knowledge.progress;
  }

  /** Starts a run unless one is under way or held. A run under way looks once more at the end of the log. */
  wake(): void {
    this.isWoken = true;
    if (this.running !== undefined || this.holders > 0) return;
    this.begin(async () => {
      if (!(await this.learnAll(() => undefined))) return;
      await this.calibrateSometimes();
      await this.refreshAreasThrottled();
    }).catch(this.onError);
  }

  /**
   * Waits until everything in the log has taken effect and nobody holds the aggregation.
   * @param onProgress called with the reports done and their total
   * @throws Error when a slice cannot be written
   */
  async catchUp(onProgress: (done: number, total: number) => void): Promise<void> {
    const first = this.progress;
    const report = () => onProgress(this.progress - first, this.log.lastSequence - first);
    for (let isDone = false; !isDone; ) {
      while (this.running !== undefined || this.holders > 0) await (this.running ?? this.released.promise);
      await this.begin(async () => {
        isDone = (await this.learnAll(report)) && (await this.refreshAreas());
        if (isDone) await this.calibrate();
      });
    }
  }

  /** Runs one piece of work, which ends early when it is held. */
  private begin(work: () => Promise<void>): Promise<void> {
    this.isWoken = false;
    const ended = () => {
      this.running = undefined;
      if (this.isWoken) this.wake();
    };
    const done = nextTurn().then(work);
    // Whoever waits for the end ignores the outcome.
    this.running = done.then(ended, ended);
    return done;
  }

  /** Stops after the slice under way, until `release`; may be nested. */
  async hold(): Promise<void> {
    this.holders++;
    await this.running;
  }

  /** Ends one `hold`. */
  release(): void {
    this.holders--;
    if (this.holders > 0) return;
    this.released.resolve();
    this.released = Promise.withResolvers<void>();
    this.wake();
  }

  /** Stops for good. */
  async close(): Promise<void> {
    clearTimeout(this.areasTimer);
    clearTimeout(this.calibrationTimer);
    await this.hold();
  }

  /** Learns from everything in the log. @returns false when it was held before the end */
  private async learnAll(onSlice: () => void): Promise<boolean> {
    await this.rebaseAll();
    while (this.holders === 0) {
      const startMs = performance.now();
      const slice = takeSlice(this.log, this.stations.knowledge, this.sliceSightings, this.locator);
      if (slice === undefined) return true;
      this.adaptSlice(slice.counts.sightings, performance.now() - startMs);
      await this.rewards.pay(slice.earning, this.stations.knowledge.log);
      await this.stations.learn(slice.changes);
      if (slice.changes.calibration !== undefined && slice.changes.calibration.votes.size > 0)
        this.isCalibrationStale = true;
      addCounts(this.counts, slice.counts);
      if (slice.counts.jumps > 0) this.tally.refuse('impossible jump', slice.counts.jumps);
      onSlice();
      await nextTurn();
    }
    return false;
  }

  /**
   * Sets the length of the next slice by the time that this one has kept the thread, at most doubling or halving it.
   */
  private adaptSlice(sightings: number, milliseconds: number): void {
    if (sightings < this.sliceSightings / 2) return;
    const change = Math.min(2, Math.max(0.5, SLICE_MILLISECONDS / milliseconds));
    this.sliceSightings = Math.round(
      Math.min(SLICE_SIGHTINGS_MAX, Math.max(SLICE_SIGHTINGS_MIN, this.sliceSightings * change)),
    );
  }

  /** Joins what is learned with stations imported since. */
  private async rebaseAll(): Promise<void> {
    if (!this.stations.knowledge.isRebaseDue) return;
    let after: Buffer | undefined;
    for (;;) {
      if (this.holders > 0) return;
      const { knowledge } = this.stations;
      knowledge.generation.root.resetReadTxn();
      const { unjoined, last } = knowledge.unjoinedAfter(after, REBASE_LIMITS);
      const changes = unjoined.map(({ key, learned, imported }) => {
        rebase(learned, key[0], imported);
        return { key, learned, record: publishStation(learned, key[0]) };
      });
      const isLast = last === undefined;
      if (changes.length > 0 || isLast)
        await this.stations.learn({ learned: changes, tracks: new Map(), progress: knowledge.progress }, isLast);
      if (isLast) return;
      after = last;
      await nextTurn();
    }
  }

  private async refreshAreasThrottled(): Promise<void> {
    const wait = this.areasMs + AREAS_MILLISECONDS - performance.now();
    if (wait <= 0) {
      await this.refreshAreas();
      return;
    }
    this.areasTimer ??= setTimeout(() => {
      this.areasTimer = undefined;
      this.wake();
    }, wait).unref();
  }

  /** Refreshes the areas of all networks whose cells have changed. @returns false when it was held before the end */
  private async refreshAreas(): Promise<boolean> {
    const { knowledge } = this.stations;
    this.areasMs = performance.now();
    for (let stale = knowledge.staleNetwork(); stale !== undefined; stale = knowledge.staleNetwork()) {
      await refreshAreas(knowledge.generation, stale, nextTurn);
      if (this.holders > 0) return false;
    }
    return true;
  }

  /** Derives what follows from tests if they have voted since, but not so often that it takes much time. */
  private async calibrateSometimes(): Promise<void> {
    if (!this.isCalibrationStale) return;
    const wait = this.calibrationMs - performance.now();
    if (wait <= 0) {
      await this.calibrate();
      return;
    }
    this.calibrationTimer ??= setTimeout(() => {
      this.calibrationTimer = undefined;
      this.wake();
    }, wait).unref();
  }

  private async calibrate(): Promise<void> {
    const startMs = performance.now();
    this.isCalibrationStale = false;
    await this.stations.calibrate(factorsOfVotes);
    const endMs = performance.now();
    this.calibrationMs = endMs + CALIBRATION_PAUSE * (endMs - startMs);
  }
}

/** What a slice of the log says. */
interface Slice {
  changes: KnowledgeChanges;
  counts: AggregateCounts;
  /** Reports by which accounts earn, in the order of the log. */
  earning: readonly EarningReport[];
}

/**
 * Aggregates the next reports of the log without writing anything.
 * @param sightings approximate number
 * @param locator tests them; undefined = they are learned untested
 * @returns what they change; undefined at the end of the log
 */
export function takeSlice(
  log: Pick<ObservationLog, 'read'>,
  knowledge: KnowledgeTables,
  sightings: number,
  locator: ReportLocator | undefined,
): Slice | undefined {
  const { root } = knowledge.generation;
  root.resetReadTxn();
  const aggregation = new Aggregation(knowledge, locator && new Trials(knowledge, locator));
  let next = knowledge.progress + 1;
  let taken = 0;
  while (taken < sightings) {
    const reports = log.read(next, READ_REPORTS);
    for (const { sequence, receivedMs, report } of reports) {
      aggregation.add(sequence, report, receivedMs);
      taken += Math.max(1, observationsIn(report.observations.length));
      next = sequence + 1;
      if (taken >= sightings) break;
    }
    if (reports.length < READ_REPORTS) break;
  }
  const changes = taken === 0 ? undefined : aggregation.changes();
  root.resetReadTxn();
  return changes && { changes, counts: aggregation.counts, earning: aggregation.earning };
}

function addCounts(total: AggregateCounts, more: AggregateCounts): void {
  total.reports += more.reports;
  total.jumps += more.jumps;
  total.sightings += more.sightings;
  for (const action of Object.keys(more.actions) as (keyof AggregateCounts['actions'])[])
    total.actions[action] += more.actions[action];
}

function none(): undefined {
  return undefined;
}
