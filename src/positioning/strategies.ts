// The strategies in their order. Each makes an estimate by itself, from the stations that were found for the query.

import type { Core } from '../core/core.ts';
import type { QueryReader } from '../radio/query/reader.ts';
import type { FoundStations } from '../tables/stations/packed_station.ts';
import { locateByCells } from './cells/cells.ts';
import type { Estimate } from './estimates/estimate.ts';
import { locateByGps } from './gps.ts';
import { locateByBluetooth } from './transmitters/bluetooth.ts';
import type { Selection } from './transmitters/selection.ts';
import { locateByWifi } from './transmitters/wifi.ts';

/**
 * The estimates of all strategies, in order of precedence. `fuseEstimates` decides which of them are answered.
 * @param indoors by the fingerprints of a building: it is made of the same beacons and access points, and knows more of them
 */
export function estimateByAll(
  query: QueryReader,
  stations: FoundStations,
  selection: Selection,
  core: Core,
  indoors?: Estimate,
): Estimate[] {
  const gps = locateByGps(query);
  const cell = locateByCells(query, stations, selection, core);
  const estimates: Estimate[] = [];
  if (gps !== undefined) estimates.push(gps);
  if (indoors !== undefined) estimates.push(indoors);
  else {
    const bluetooth = locateByBluetooth(query, stations, selection, core);
    if (bluetooth !== undefined) estimates.push(bluetooth);
    const wifi = locateByWifi(query, stations, selection, core, gps ?? cell);
    if (wifi !== undefined) estimates.push(wifi);
  }
  if (cell !== undefined) estimates.push(cell);
  return estimates;
}
