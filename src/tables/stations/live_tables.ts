// The live station tables, as one thread reads them. The cache's header names the live generation; a thread opens a new
// one when it begins its next read transaction.

import { CalibrationTables, type RadiusFactors } from '../calibration/calibration_tables.ts';
import type { StationCache } from './cache.ts';
import { type Generation, generationPath, openGeneration } from './generation.ts';

/** The generation that is open in this thread, and its read transaction. */
export class LiveTables {
  private readonly folder: string;
  private readonly cache: StationCache;
  private opened: Generation | undefined;
  private number = -1;
  private factors: RadiusFactors = new Map();
  private calibrationVersion = -1;
  private calibrationGeneration = -1;

  /**
   * Opens the live tables if the writer has named some. Must not be interrupted: ending a thread while it opens LMDB
   * would end the process.
   * @param folder data folder
   * @param cache this thread's view of the cache
   * @throws Error when the tables cannot be used
   */
  constructor(folder: string, cache: StationCache) {
    this.folder = folder;
    this.cache = cache;
    if (cache.generation !== 0) this.openLive();
  }

  /** Number of the generation that is open, -1 = none. */
  get generation(): number {
    return this.number;
  }

  /** Begins a fresh read transaction, in the tables that are live now. @throws Error when they cannot be used */
  begin(): Generation {
    const opened = this.openLive();
    opened.root.resetReadTxn();
    return opened;
  }

  /** The factors of radii. They are read again only when they have changed. @throws Error when one is damaged */
  radiusFactors(): RadiusFactors {
    const { generation, calibrationVersion } = this.cache;
    if (calibrationVersion === this.calibrationVersion && generation === this.calibrationGeneration)
      return this.factors;
    if (generation !== 0) this.factors = new CalibrationTables(this.begin().calibration).published();
    this.calibrationVersion = calibrationVersion;
    this.calibrationGeneration = generation;
    return this.factors;
  }

  /** Ends the read transaction, so that no old page is kept while the thread waits. */
  release(): void {
    this.opened?.root.resetReadTxn();
  }

  close(): Promise<void> {
    return this.opened?.root.close() ?? Promise.resolve();
  }

  /** Opens the live generation when it is another one than before. */
  private openLive(): Generation {
    while (this.cache.generation !== this.number) {
      const live = this.cache.generation;
      try {
        const tables = openGeneration(generationPath(this.folder, live));
        void this.opened?.root.close();
        this.opened = tables;
        this.number = live;
      } catch (error) {
        // An import may have replaced and removed it between the two lines above; then there is a newer one to open.
        if (this.cache.generation === live) throw error;
      }
    }
    return this.opened!;
  }
}
