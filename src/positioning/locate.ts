// Where is the device? One lookup of everything it saw, the strategies in their order, and one position out of what they believe. Runs in an HTTP
// thread or in a worker of its pool; one instance a thread.

import { type Core, createCore } from '../core/core.ts';
import {
  LOCATE_FOUND,
  LOCATE_NOT_FOUND,
  REQUEST_BLUETOOTH,
  REQUEST_BYTES,
  REQUEST_CELLS,
  REQUEST_WIFI,
  RESULT_ACCURACY,
  RESULT_AT_68,
  RESULT_AT_95,
  RESULT_FALLBACK,
  RESULT_KNOWN,
  RESULT_LATITUDE,
  RESULT_LONGITUDE,
  RESULT_SOURCES,
  RESULT_STATUS,
  RESULT_USED,
  SOURCE_WIFI,
} from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/writer.ts';
import { StationCache } from '../tables/stations/cache.ts';
import { prepareHomeCountries } from '../tables/stations/home_country.ts';
import { StationReader } from '../tables/stations/reader.ts';
import { locateByCells } from './cells/cells.ts';
import type { Estimate } from './estimates/estimate.ts';
import { accuracyMetres, fuseEstimates } from './estimates/fuse.ts';
import { locateByFallbacks } from './fallbacks/fallbacks.ts';
import { locateByGps } from './gps.ts';
import { locateByBluetooth } from './transmitters/bluetooth.ts';
import { RadioFix } from './transmitters/fix.ts';
import { locateByWifi } from './transmitters/wifi.ts';

/** Answers queries of one thread. */
export class Locator {
  private readonly stations: StationReader;
  private readonly radioFix = new RadioFix();
  private core: Core;

  /**
   * @param folder data folder
   * @param cache memory of the station cache
   */
  constructor(folder: string, cache: SharedArrayBuffer) {
    this.stations = new StationReader(folder, new StationCache(cache));
    this.core = createCore();
    prepareHomeCountries();
  }

  /**
   * Answers the query at `offset` of `memory` into its own struct. A trap of the core is answered by a fresh core, once.
   * @throws Error when the tables are damaged, or the core traps again
   */
  locate(memory: QueryMemory, offset: number): void {
    const { u8, u32, i32 } = memory;
    const observations = u32[(offset + REQUEST_WIFI) >> 2] + u32[(offset + REQUEST_BLUETOOTH) >> 2] + u32[(offset + REQUEST_CELLS) >> 2];
    this.stations.lookUp(u8, i32, offset + REQUEST_BYTES, observations);
    try {
      this.answer(memory, offset, observations);
    } catch (error) {
      if (!isTrap(error)) throw error;
      this.core = createCore();
      this.answer(memory, offset, observations);
    }
  }

  /** To be called before the thread waits: lets go of the read transaction. */
  release(): void {
    this.stations.release();
  }

  close(): Promise<void> {
    return this.stations.close();
  }

  private answer(memory: QueryMemory, offset: number, observations: number): void {
    const estimates = this.believe(memory, offset);
    memory.u32[(offset + RESULT_KNOWN) >> 2] = this.countKnown(memory, offset, observations, estimates);
    memory.u32[(offset + RESULT_FALLBACK) >> 2] = 0;
    const fallback = estimates.length === 0 ? locateByFallbacks(memory, offset, this.stations) : undefined;
    if (fallback !== undefined) {
      estimates.push(fallback.estimate);
      memory.u32[(offset + RESULT_FALLBACK) >> 2] = fallback.bit;
    }
    if (estimates.length === 0) {
      memory.i32[(offset + RESULT_STATUS) >> 2] = LOCATE_NOT_FOUND;
      return;
    }
    const { estimate, sources, used } = fuseEstimates(this.core, estimates);
    memory.f64[(offset + RESULT_LATITUDE) >> 3] = estimate.latitude;
    memory.f64[(offset + RESULT_LONGITUDE) >> 3] = estimate.longitude;
    memory.f64[(offset + RESULT_ACCURACY) >> 3] = accuracyMetres(this.core, estimate);
    memory.f32[(offset + RESULT_AT_68) >> 2] = estimate.tail.at68;
    memory.f32[(offset + RESULT_AT_95) >> 2] = estimate.tail.at95;
    memory.u32[(offset + RESULT_SOURCES) >> 2] = sources;
    memory.u32[(offset + RESULT_USED) >> 2] = used;
    memory.i32[(offset + RESULT_STATUS) >> 2] = LOCATE_FOUND;
  }

  /** Known stations of the query. Access points that gave no position are none: a single known one must not show. */
  private countKnown(memory: QueryMemory, offset: number, observations: number, estimates: readonly Estimate[]): number {
    const located = estimates.some(({ source }) => source === SOURCE_WIFI);
    let known = 0;
    for (let i = located ? 0 : memory.u32[(offset + REQUEST_WIFI) >> 2]; i < observations; i++) if (this.stations.isKnown(i)) known++;
    return known;
  }

  /** The strategies, in their order. Which of them is answered is a matter of `fuseEstimates`. */
  private believe(memory: QueryMemory, offset: number): Estimate[] {
    const { stations, radioFix, core } = this;
    const gps = locateByGps(memory, offset);
    const cell = locateByCells(memory, offset, stations, radioFix.selection, core);
    const estimates: Estimate[] = [];
    if (gps !== undefined) estimates.push(gps);
    const bluetooth = locateByBluetooth(memory, offset, stations, radioFix, core);
    if (bluetooth !== undefined) estimates.push(bluetooth);
    const wifi = locateByWifi(memory, offset, stations, radioFix, core, gps ?? cell);
    if (wifi !== undefined) estimates.push(wifi);
    if (cell !== undefined) estimates.push(cell);
    return estimates;
  }
}

/** True for a trap of WebAssembly: an error of the engine, not of ours. */
function isTrap(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError';
}
