// Keeps the index of stations of a data folder, in the one thread that draws tiles. It is made by those who ask for
// tiles, a bounded piece of work for each, so nothing is done while nobody looks. Once the tables have changed it is
// made again beside the one that is in use, after a pause that leaves the making a fiftieth of the time.

import { currentGeneration, openLiveGeneration } from '../../tables/stations/generation.ts';
import { type IndexProgress, makeStationIndex, type StationGroup, type StationIndex } from './station_index.ts';

/** An index is not made again sooner, nor before this many times as long as its making took has passed. */
const PAUSE_MILLISECONDS = 1_000;
const PAUSE_FACTOR = 50;

/** An index, and what it was made of. */
export interface KeptIndex {
  index: StationIndex;
  /** Changes with the tables. */
  version: string;
  /** Milliseconds since 1970. */
  madeMs: number;
}

/** The index of one data folder. */
export class IndexKeeper {
  private readonly folder: string;
  private readonly groups: readonly StationGroup[] | undefined;
  private kept: KeptIndex | undefined;
  private making: { steps: ReturnType<typeof makeStationIndex>; version: string; workMs: number } | undefined;
  /** When the tables are looked at again, on the clock of `performance`. */
  private lookMs = 0;

  /** How far the first making has come. */
  progress: IndexProgress = { done: 0, total: 0 };

  /** @param folder data folder @param groups which are kept; all without */
  constructor(folder: string, groups?: readonly StationGroup[]) {
    this.folder = folder;
    this.groups = groups;
  }

  /** There is an index. */
  get isReady(): boolean {
    return this.kept !== undefined;
  }

  /**
   * Works for some milliseconds, a step at least, if there is something to do.
   * @returns the index; undefined while the first one is being made
   * @throws Error when a table cannot be used
   */
  work(milliseconds: number): KeptIndex | undefined {
    const begunMs = performance.now();
    if (this.making === undefined && begunMs >= this.lookMs) this.look(begunMs);
    try {
      for (let isOn = true; isOn && this.making !== undefined; isOn = performance.now() - begunMs < milliseconds)
        this.step(begunMs);
    } catch (error) {
      // The next one begins anew.
      this.making = undefined;
      throw error;
    }
    if (this.making !== undefined) this.making.workMs += performance.now() - begunMs;
    return this.kept;
  }

  private look(nowMs: number): void {
    this.lookMs = nowMs + PAUSE_MILLISECONDS;
    const version = versionOf(this.folder);
    if (version === this.kept?.version) return;
    this.making = { steps: makeStationIndex(this.folder, this.groups), version, workMs: 0 };
  }

  private step(begunMs: number): void {
    const { steps, version, workMs } = this.making!;
    const { value, done } = steps.next();
    if (!done) {
      this.progress = value;
      return;
    }
    const nowMs = performance.now();
    this.lookMs = nowMs + Math.max(PAUSE_MILLISECONDS, PAUSE_FACTOR * (workMs + nowMs - begunMs));
    this.kept = { index: value, version, madeMs: Date.now() };
    this.making = undefined;
  }
}

/** Names a state of the tables: the generation, and the last transaction in it. */
function versionOf(folder: string): string {
  const generation = openLiveGeneration(folder);
  if (generation === undefined) return 'none';
  const { lastTxnId } = generation.root.getStats() as { lastTxnId: number };
  void generation.root.close();
  return `${currentGeneration(folder)}-${lastTxnId}`;
}
