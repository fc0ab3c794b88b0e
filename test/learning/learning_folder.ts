// A data folder that learns: its log, its station tables and the aggregation between them, and what stands in the
// tables as text that can be compared.

import type { EarningReport } from '../../src/accounts/account_writer.ts';
import { Tally } from '../../src/intake/tally.ts';
import { Aggregator } from '../../src/learning/aggregator.ts';
import { ReportLocator } from '../../src/learning/calibration/report_locator.ts';
import { rebuildKnowledge } from '../../src/learning/rebuild.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports, type Report } from '../../src/tables/observations/report.ts';
import type { StationCache } from '../../src/tables/stations/cache.ts';
import type { Generation } from '../../src/tables/stations/generation.ts';
import { StationWriter } from '../../src/tables/stations/writer.ts';

const TABLES = ['stations', 'learned', 'areas', 'tracks', 'stale', 'calibration'] as const;

export class LearningFolder {
  readonly folder: string;
  readonly log: ObservationLog;
  readonly writer: StationWriter;
  readonly aggregator: Aggregator;
  readonly tally = new Tally();
  private readonly locator: ReportLocator | undefined;
  readonly errors: Error[] = [];
  /** Reports by which accounts have earned. */
  readonly paid: EarningReport[] = [];

  /** @param calibrates reports are tested before they are learned @param cache of those who ask for stations */
  static async open(folder: string, calibrates = true, cache?: StationCache): Promise<LearningFolder> {
    const writer = await StationWriter.open(folder, cache);
    return new LearningFolder(
      folder,
      new ObservationLog(folder, 'commit'),
      writer,
      calibrates ? new ReportLocator() : undefined,
    );
  }

  private constructor(folder: string, log: ObservationLog, writer: StationWriter, locator: ReportLocator | undefined) {
    this.locator = locator;
    this.folder = folder;
    this.log = log;
    this.writer = writer;
    this.aggregator = new Aggregator(
      log,
      writer,
      this.tally,
      { pay: this.pay },
      error => this.errors.push(error),
      this.locator,
    );
  }

  private readonly pay = async (reports: readonly EarningReport[]): Promise<void> => void this.paid.push(...reports);

  get generation(): Generation {
    return this.writer.knowledge.generation;
  }

  /** Appends reports and wakes the aggregation, as the intake does. */
  async contribute(reports: readonly Report[]): Promise<void> {
    await this.log.append(packReports(reports), Date.now());
    this.aggregator.wake();
  }

  catchUp(): Promise<void> {
    return this.aggregator.catchUp(() => undefined);
  }

  /** Learns all again, beside the live tables, and makes that the live generation. */
  async rebuild(checkStop: () => void = () => undefined): Promise<number> {
    const options = {
      folder: this.folder,
      log: this.log,
      live: this.generation,
      locator: this.locator,
      rewards: { pay: this.pay },
      onProgress: () => undefined,
      checkStop,
    };
    const { generation, reports } = await rebuildKnowledge(options);
    await this.writer.adopt(generation, undefined);
    return reports;
  }

  /** Everything in the tables. */
  dump(): string {
    const { generation } = this;
    generation.root.resetReadTxn();
    const lines: string[] = [];
    for (const table of TABLES) {
      for (const { key, value } of generation[table].getRange())
        lines.push(`${table} ${key.toString('hex')} ${value.toString('hex')}`);
    }
    generation.root.resetReadTxn();
    return lines.join('\n');
  }

  /** The lines of some tables. */
  dumpOf(...tables: (typeof TABLES)[number][]): string[] {
    return this.dump()
      .split('\n')
      .filter(line => tables.some(table => line.startsWith(`${table} `)));
  }

  async close(): Promise<void> {
    await this.aggregator.close();
    await this.log.close();
    await this.writer.close();
  }
}
