// Cells in a data folder with their areas, as an import leaves them, and requests as clients send them.

import { onTestFinished } from 'vitest';
import { Locator } from '../../../src/positioning/locate.ts';
import { queryBytesOf, readQuery } from '../../../src/protocol/requests/position_query.ts';
import { checkStructure } from '../../../src/protocol/requests/schema.ts';
import { fallbackName } from '../../../src/radio/fallbacks.ts';
import { KIND_GSM, RADIO_TYPES, type RadioType } from '../../../src/radio/kind.ts';
import {
  LOCATE_FOUND,
  RESULT_ACCURACY,
  RESULT_FALLBACK,
  RESULT_LATITUDE,
  RESULT_LONGITUDE,
  RESULT_STATUS,
} from '../../../src/radio/query/layout.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryWriter } from '../../../src/radio/query/writer.ts';
import { writeCellKey } from '../../../src/radio/station_key.ts';
import { createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import { currentGeneration } from '../../../src/tables/stations/generation.ts';
import { loadStations } from '../../../src/tables/stations/load.ts';
import { type Station, stationAt } from '../../../src/tables/stations/station.ts';
import { temporaryFolder } from '../temporary_folder.ts';
import { sortedRecords } from './sorted_records.ts';

/** Latitude and longitude in degrees. */
export type Place = readonly [latitude: number, longitude: number];

/** A cell: `lte 262-1-5001-256001`. */
export type CellName = `${RadioType} ${number}-${number}-${number}-${number}`;

/** What was answered; undefined when nothing was found. */
export type Answered = { place: Place; accuracy: number; fallback: string | undefined } | undefined;

const KEY_BYTES = 12;

/** Imports cells and returns how requests are answered there. */
export async function worldOf(cells: Readonly<Record<CellName, Place>>): Promise<(body: object) => Answered> {
  const folder = temporaryFolder();
  const stations = new Map<string, Station>();
  for (const [name, [latitude, longitude]] of Object.entries(cells)) {
    const [radio, numbers] = name.split(' ') as [RadioType, string];
    const [mcc, mnc, area, cell] = numbers.split('-').map(Number);
    const key = Buffer.alloc(KEY_BYTES);
    writeCellKey(key, 0, KIND_GSM + RADIO_TYPES.indexOf(radio), mcc, mnc, area, cell);
    stations.set(key.toString('hex'), stationAt(latitude, longitude, 1000, 2000));
  }
  await loadStations(folder, sortedRecords(KEY_BYTES, stations), () => {});
  const memory = createCacheMemory(4);
  new StationCache(memory).startGeneration(currentGeneration(folder)!);
  const locator = new Locator(folder, memory);
  onTestFinished(() => locator.close());
  return body => {
    checkStructure(body);
    const query = new QueryMemory(new ArrayBuffer(queryBytesOf(body)));
    readQuery(body, Date.now(), new QueryWriter(query), 0);
    locator.locate(query, 0);
    locator.release();
    const { i32, u32, f64 } = query;
    if (i32[RESULT_STATUS >> 2] !== LOCATE_FOUND) return undefined;
    return {
      place: [f64[RESULT_LATITUDE >> 3], f64[RESULT_LONGITUDE >> 3]],
      accuracy: f64[RESULT_ACCURACY >> 3],
      fallback: fallbackName(u32[RESULT_FALLBACK >> 2]),
    };
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
