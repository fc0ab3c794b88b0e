// Locates by Bluetooth beacons, known by address or as iBeacons. Beacons belong to the operator and reach some tens of metres, so one known beacon is enough.

import type { Core } from '../../core/core.ts';
import { SOURCE_BLUETOOTH } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { beaconNumber } from '../../radio/station_key.ts';
import type { FoundStations } from '../../tables/stations/packed_station.ts';
import { type Estimate, GROUP_BLUETOOTH } from '../estimates/estimate.ts';
import { locateByTransmitters } from './fix.ts';
import type { RadioModel } from './model.ts';
import type { Selection } from './selection.ts';

/** The level at one metre is the common calibration of beacons. */
export const BLUETOOTH: RadioModel = {
  number: 1,
  source: SOURCE_BLUETOOTH,
  group: GROUP_BLUETOOTH,
  groupMetres: 100,
  extentMetres: 160,
  minimum: 1,
  levelSigmaDb: 6,
  positionShare: 0.25,
  learnedShare: 0.8,
  positionFloorMetres: 1,
  samplingMetres: 10,
  hiddenShare: 1,
  referenceDbm: -59,
  referenceHighBandDbm: -59,
  exponent: 2.2,
  evidence: 2,
  prior: { offsetSigmaDb: 6, exponentSigma: 0.3, pivotMetres: 4 },
};

/** Level by which a reading without one is sorted: the median of weak readings. */
const LEVEL_DBM_UNKNOWN = -85;

/** Locates by the beacons, which follow the access points in the query; undefined if none is known. */
export function locateByBluetooth(query: QueryReader, stations: FoundStations, selection: Selection, core: Core): Estimate | undefined {
  if (query.bluetooth === 0) return undefined;
  selection.select(core, query, query.wifi, query.bluetooth, stations, beaconOf, LEVEL_DBM_UNKNOWN);
  return locateByTransmitters(core, BLUETOOTH, selection, undefined);
}

function beaconOf(query: QueryReader, i: number): number {
  return beaconNumber(query.memory.u8, query.memory.i32, query.at(i));
}
