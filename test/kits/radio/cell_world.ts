// Cells in a data folder with their areas, as an import leaves them, and requests as clients send them.

import { onTestFinished } from 'vitest';
import { fallbackName } from '../../../src/radio/fallbacks.ts';
import { KIND_GSM, RADIO_TYPES, type RadioType } from '../../../src/radio/kind.ts';
import { loadStations } from '../../../src/tables/stations/load.ts';
import { type Station, stationAt } from '../../../src/tables/stations/station.ts';
import type { Position } from './ground.ts';
import { sortedRecords } from './sorted_records.ts';
import { StationFolder } from './station_folder.ts';
import { cellKey } from './stations.ts';

/** A cell: `lte 262-1-5001-256001`. */
export type CellName = `${RadioType} ${number}-${number}-${number}-${number}`;

/** What was answered; undefined when nothing was found. */
export type Answered = { position: Position; accuracy: number; fallback: string | undefined } | undefined;

/** Imports cells and returns how requests are answered there. */
export async function worldOf(cells: Readonly<Record<CellName, Position>>): Promise<(body: object) => Answered> {
  const stations = new Map<string, Station>();
  for (const [name, [latitude, longitude]] of Object.entries(cells)) {
    const [radio, numbers] = name.split(' ') as [RadioType, string];
    const [mcc, mnc, area, cell] = numbers.split('-').map(Number);
    stations.set(
      cellKey(KIND_GSM + RADIO_TYPES.indexOf(radio), mcc, mnc, area, cell).toString('hex'),
      stationAt(latitude, longitude, 1000, 2000),
    );
  }
  const folder = await StationFolder.open(path => loadStations(path, sortedRecords(12, stations), () => {}));
  onTestFinished(() => folder.close());
  return body => {
    const answer = folder.answer(body);
    if (answer === undefined) return undefined;
    const { latitude, longitude, accuracyMetres, fallback } = answer;
    return { position: [latitude, longitude], accuracy: accuracyMetres, fallback: fallbackName(fallback) };
  };
}

/** An entry of `cellTowers`. */
export function entry(name: CellName, more: object = {}): object {
  const [radioType, numbers] = name.split(' ');
  const [mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId] = numbers.split('-').map(Number);
  return { radioType, mobileCountryCode, mobileNetworkCode, locationAreaCode, cellId, ...more };
}

/** A request for one cell with some fallbacks. */
export function asking(name: CellName, ...flags: string[]): object {
  return { cellTowers: [entry(name)], fallbacks: Object.fromEntries(flags.map(flag => [flag, 1])) };
}
