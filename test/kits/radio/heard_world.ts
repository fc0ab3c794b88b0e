// A world of cells that was heard, report by report, and learned from, as contributions are.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { distanceMetres } from '../../../src/geo/distance.ts';
import { screenReport } from '../../../src/intake/screen.ts';
import { Tally } from '../../../src/intake/tally.ts';
import { Aggregation } from '../../../src/learning/aggregate.ts';
import { Locator } from '../../../src/positioning/locate.ts';
import { queryBytesOf, readQuery } from '../../../src/protocol/requests/position_query.ts';
import { KIND_LTE } from '../../../src/radio/kind.ts';
import {
  LOCATE_FOUND,
  RESULT_ACCURACY,
  RESULT_LATITUDE,
  RESULT_LONGITUDE,
  RESULT_STATUS,
  RESULT_USED,
} from '../../../src/radio/query/layout.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryWriter } from '../../../src/radio/query/writer.ts';
import { writeCellKey } from '../../../src/radio/station_key.ts';
import { createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import { STATION_BYTES } from '../../../src/tables/stations/record_layout.ts';
import { encodeStation, type Station } from '../../../src/tables/stations/station.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import type { Place } from './world.ts';

/** A cell as heard; all are LTE of one network, area 1. */
export interface Heard {
  cell?: number;
  level?: number;
  code?: number;
  serving?: boolean;
  timing?: number;
}

export interface Located {
  latitude: number;
  longitude: number;
  accuracyMetres: number;
  used: number;
}

const NOON_MS = Date.parse('2026-01-05T12:00:00Z');

/** Tables that learn, with a locator in front; removed when the running test ends. */
export class HeardWorld {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sextant-heard-'));
  private readonly cacheMemory = createCacheMemory(4);
  private writer: StationWriter | undefined;
  private locator: Locator | undefined;
  private reports = 0;

  private readonly countryCode: number;

  private constructor(countryCode: number) {
    this.countryCode = countryCode;
  }

  /** @param countryCode MCC of the network, whose number is 1 */
  static async open(countryCode = 262): Promise<HeardWorld> {
    const world = new HeardWorld(countryCode);
    world.writer = await StationWriter.open(world.folder, new StationCache(world.cacheMemory));
    world.locator = new Locator(world.folder, world.cacheMemory);
    onTestFinished(() => world.close());
    return world;
  }

  /** Imports a cell. */
  async import(cell: number, station: Station): Promise<void> {
    const record = new Uint8Array(STATION_BYTES);
    encodeStation(new DataView(record.buffer), 0, station);
    await this.writer!.apply([{ key: this.keyOf(cell), record }]);
  }

  /** Contributes the same report `times` times, hours apart. @param contributor 0 = trusted */
  async hear([latitude, longitude]: Place, cells: readonly Heard[], times = 1, contributor = 0): Promise<void> {
    const { knowledge } = this.writer!;
    const aggregation = new Aggregation(knowledge);
    for (let i = 0; i < times; i++) {
      const draft = {
        timeMs: NOON_MS + this.reports * 3_600_000,
        latitude,
        longitude,
        accuracyMetres: 5,
        wifiAccessPoints: [],
        bluetoothBeacons: [],
        cellTowers: cells.map(cell => this.towerOf(cell)),
      };
      const origin = { contributor, isTrusted: contributor === 0, track: 0, receivedMs: draft.timeMs };
      const report = screenReport(draft, origin, new Tally());
      if (report === undefined) throw new Error('The report was refused.');
      aggregation.add(++this.reports, report);
    }
    await this.writer!.learn(aggregation.changes());
  }

  /** Where a device is that hears this. */
  locate(cells: readonly Heard[]): Located | undefined {
    const body = { cellTowers: cells.map(cell => this.towerOf(cell)) };
    const memory = new QueryMemory(new ArrayBuffer(queryBytesOf(body)));
    readQuery(body, NOON_MS, new QueryWriter(memory), 0);
    this.locator!.locate(memory, 0);
    this.locator!.release();
    if (memory.i32[RESULT_STATUS >> 2] !== LOCATE_FOUND) return undefined;
    return {
      latitude: memory.f64[RESULT_LATITUDE >> 3],
      longitude: memory.f64[RESULT_LONGITUDE >> 3],
      accuracyMetres: memory.f64[RESULT_ACCURACY >> 3],
      used: memory.u32[RESULT_USED >> 2],
    };
  }

  private async close(): Promise<void> {
    await this.locator?.close();
    await this.writer?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private keyOf(cell: number): Uint8Array {
    const key = new Uint8Array(12);
    writeCellKey(key, 0, KIND_LTE, this.countryCode, 1, 1, cell);
    return key;
  }

  private towerOf({ cell, level, code, serving, timing }: Heard) {
    return {
      radioType: 'lte',
      mobileCountryCode: this.countryCode,
      mobileNetworkCode: 1,
      ...(cell === undefined ? {} : { locationAreaCode: 1, cellId: cell }),
      ...(level === undefined ? {} : { signalStrength: level }),
      ...(code === undefined ? {} : { primaryScramblingCode: code }),
      ...(timing === undefined ? {} : { timingAdvance: timing }),
      ...(serving === undefined ? {} : { serving: serving ? 1 : 0 }),
    };
  }
}

/** Metres from an answer to a place; infinite without an answer. */
export function metresTo(located: Located | undefined, [latitude, longitude]: Place): number {
  return located === undefined ? Number.POSITIVE_INFINITY : distanceMetres(located.latitude, located.longitude, latitude, longitude);
}
