// Locates a device. All stations it heard are looked up at once, each strategy makes an estimate, and the estimates are
// fused into one position. This runs in an HTTP thread or in a worker of its pool, with one instance a thread.

import type { CacheMemory } from '../core/cache_memory.ts';
import { Fusion } from '../core/fusion.ts';
import { type CoreExports, coreOfThread, instantiateCore } from '../core/instantiate.ts';
import { MovingParticles } from '../core/moving_particles.ts';
import { SelectedStations } from '../core/selected_stations.ts';
import { markNotFound, markRefused, writeFound, writeGuesses } from '../radio/query/answer.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryReader } from '../radio/query/reader.ts';
import { queryBytes } from '../radio/query/writer.ts';
import { StationCache } from '../tables/stations/cache.ts';
import type { Learned } from '../tables/stations/learned_record.ts';
import { StationReader } from '../tables/stations/reader.ts';
import type { CellPast } from './cells/followed/past.ts';
import { calibrate } from './estimates/calibrate.ts';
import { accuracyMetres, fuseEstimates, r50Metres, widenContradicted } from './estimates/fuse.ts';
import type { PositionRecorder } from './estimates/recorder.ts';
import { locateByFallbacks } from './fallbacks/fallbacks.ts';
import { estimateByAll, type IndoorEstimate } from './strategies.ts';
import { Guesser } from './transmitters/guesser.ts';
import { type KnownScan, Selection } from './transmitters/selection.ts';

/** An account that may be wrong about fewer devices has no place by access points or beacons. */
const DEVICES_MIN = 2;

/** Answers queries of one thread. */
export class Locator {
  private readonly stations: StationReader;
  private readonly query = new QueryReader(new QueryMemory(new ArrayBuffer(queryBytes(0))), 0);
  private readonly guesser: Guesser;
  private asking: Guesser | undefined;
  private kernels = kernelsOf(coreOfThread());

  /**
   * @param folder data folder
   * @param cache memory of the station cache
   */
  constructor(folder: string, cache: CacheMemory) {
    const view = new StationCache(cache);
    this.stations = new StationReader(folder, view);
    this.guesser = new Guesser(view.guesses);
  }

  /**
   * Looks up the stations of the query at `offset` of `memory`, which `locate` then answers.
   * @param recorder for an explanation
   * @returns false if the query is answered: its account may guess no more
   * @throws Error when the tables are damaged
   */
  lookUp(memory: QueryMemory, offset: number, recorder?: PositionRecorder): boolean {
    const { query, stations } = this;
    query.open(memory, offset);
    this.asking = this.guesser.begin(query, Date.now()) ? this.guesser : undefined;
    if (this.asking !== undefined && this.asking.allowance < DEVICES_MIN && query.firstCell > 0) {
      markRefused(memory, offset);
      return false;
    }
    stations.lookUp(query);
    recorder?.lookedUp(query, stations);
    recorder?.stage('lookup');
    return true;
  }

  /** The stations of the query, and the account that asks, if one does that may guess. */
  get heard(): KnownScan {
    return { query: this.query, stations: this.stations, guesser: this.asking };
  }

  /**
   * Writes the answer into the query that was looked up. After a trap of the core it tries once more with a fresh core.
   * @param indoors the estimate of a building, if there is one
   * @param past where the device was by cells, if it is tracked; where it is now is noted there
   * @param recorder for an explanation
   * @returns true if the answer rests on that estimate
   * @throws Error when the tables are damaged, or the core traps again
   */
  locate(indoors?: IndoorEstimate, past?: CellPast, recorder?: PositionRecorder): boolean {
    try {
      return this.answer(indoors, past, recorder);
    } catch (error) {
      if (!isTrap(error)) throw error;
      this.kernels = kernelsOf(instantiateCore());
      recorder?.restart();
      return this.answer(indoors, past, recorder);
    }
  }

  /** What is learned of a station. @param key cut to its length @throws Error when the record is damaged */
  learned(key: Buffer): Learned | undefined {
    return this.stations.learned(key);
  }

  /** Releases the read transaction. Call this before the thread waits. */
  release(): void {
    this.stations.release();
  }

  close(): Promise<void> {
    return this.stations.close();
  }

  private answer(
    indoors: IndoorEstimate | undefined,
    past: CellPast | undefined,
    recorder: PositionRecorder | undefined,
  ): boolean {
    const { query, stations } = this;
    const { selection, particles, fusion } = this.kernels;
    const followed = past && { past, particles };
    const guesser = this.asking;
    const heard = { query, stations, selection, guesser, recorder };
    let estimates = estimateByAll(heard, indoors, followed);
    while (guesser?.beginAgain()) {
      recorder?.restart();
      estimates = estimateByAll(heard, indoors, followed);
    }
    const factors = stations.radiusFactors();
    if (guesser !== undefined) writeGuesses(query.memory, query.offset, guesser.guesses);
    if (factors.size > 0) for (const estimate of estimates) calibrate(estimate, factors, recorder);
    recorder?.stage('calibration');
    const fallback = estimates.length === 0 ? locateByFallbacks(query, stations, recorder) : undefined;
    recorder?.stage('fallbacks');
    if (fallback !== undefined) estimates.push(fallback.estimate);
    if (estimates.length === 0) {
      markNotFound(query.memory, query.offset);
      return false;
    }
    const fused = fuseEstimates(fusion, estimates);
    const contradiction = widenContradicted(fused, estimates);
    if (contradiction > 0) recorder?.contradicted(fused.estimate, contradiction);
    const { estimate, sources, used } = fused;
    const { latitude, longitude, tail } = estimate;
    const radiusMetres = accuracyMetres(fusion, estimate);
    recorder?.answer({ sources, radiusMetres, estimate }, each => r50Metres(fusion, each));
    writeFound(query.memory, query.offset, {
      latitude,
      longitude,
      accuracyMetres: radiusMetres,
      at68: tail.at68,
      at95: tail.at95,
      sources,
      used,
      fallback: fallback?.bit ?? 0,
    });
    return indoors !== undefined && estimates.includes(indoors) && (sources & indoors.source) !== 0;
  }
}

/** What locates by the kernels of a core. */
function kernelsOf(core: CoreExports) {
  return {
    selection: new Selection(new SelectedStations(core)),
    particles: new MovingParticles(core),
    fusion: new Fusion(core),
  };
}

/** True for a trap of WebAssembly: an error that the engine threw, not this program. */
function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError';
}
