// A world of cells that was heard, report by report, and learned from, as contributions are.

import { onTestFinished } from 'vitest';
import { screenReport } from '../../../src/intake/screen.ts';
import { Tally } from '../../../src/intake/tally.ts';
import { Aggregation } from '../../../src/learning/aggregate.ts';
import type { CellPast } from '../../../src/positioning/cells/followed/past.ts';
import { KIND_LTE } from '../../../src/radio/kind.ts';
import type { Station } from '../../../src/tables/stations/station.ts';
import type { Position } from './ground.ts';
import { type Answer, StationFolder } from './station_folder.ts';
import { cellKey, putting } from './stations.ts';

/** A cell as heard; all are LTE of one network, area 1 unless another is named. */
export interface Heard {
  cell?: number;
  level?: number;
  code?: number;
  serving?: boolean;
  timing?: number;
  /** Area code; null for a cell sent without one. */
  area?: number | null;
}

const NOON_MS = Date.parse('2026-01-05T12:00:00Z');

/** Tables that learn, with a locator in front; removed when the running test ends. */
export class HeardWorld {
  private readonly folder: StationFolder;
  private readonly countryCode: number;
  private reports = 0;

  private constructor(folder: StationFolder, countryCode: number) {
    this.folder = folder;
    this.countryCode = countryCode;
  }

  /** @param countryCode MCC of the network, whose number is 1 */
  static async open(countryCode = 262): Promise<HeardWorld> {
    const folder = await StationFolder.open();
    onTestFinished(() => folder.close());
    return new HeardWorld(folder, countryCode);
  }

  /** Imports a cell. */
  async import(cell: number, station: Station): Promise<void> {
    await this.folder.writer.apply([putting(cellKey(KIND_LTE, this.countryCode, 1, 1, cell), station)]);
  }

  /** Contributes the same report `times` times, hours apart. @param contributor 0 = trusted */
  async hear([latitude, longitude]: Position, cells: readonly Heard[], times = 1, contributor = 0): Promise<void> {
    const { writer } = this.folder;
    const aggregation = new Aggregation(writer.knowledge);
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
      aggregation.add(++this.reports, report, report.timeMs);
    }
    await writer.learn(aggregation.changes());
  }

  /** Where a device is that hears this. @param past where it was */
  locate(cells: readonly Heard[], past?: CellPast): Answer | undefined {
    return this.folder.answer({ cellTowers: cells.map(cell => this.towerOf(cell)) }, NOON_MS, past);
  }

  private towerOf({ cell, level, code, serving, timing, area = 1 }: Heard) {
    return {
      radioType: 'lte',
      mobileCountryCode: this.countryCode,
      mobileNetworkCode: 1,
      ...(cell === undefined ? {} : { locationAreaCode: area, cellId: cell }),
      ...(level === undefined ? {} : { signalStrength: level }),
      ...(code === undefined ? {} : { primaryScramblingCode: code }),
      ...(timing === undefined ? {} : { timingAdvance: timing }),
      ...(serving === undefined ? {} : { serving: serving ? 1 : 0 }),
    };
  }
}
