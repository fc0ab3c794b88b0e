// Bluetooth beacons, by address or as iBeacons. They are the operator's own and reach some tens of metres, so one known beacon is a position.

import { REQUEST_BLUETOOTH, REQUEST_BYTES, REQUEST_WIFI, SOURCE_BLUETOOTH } from '../../wasm/layout.ts';
import type { Core } from '../core/core.ts';
import type { StationReader } from '../tables/stations.ts';
import type { Estimate } from './estimate.ts';
import type { QueryMemory } from './query.ts';
import { locateByRadio, type RadioModel } from './radio_fix.ts';
import type { Selection } from './selection.ts';

/** Received level at one metre that beacons are commonly calibrated to. */
const REFERENCE_DBM = -59;

const BLUETOOTH: RadioModel = {
  source: SOURCE_BLUETOOTH,
  clusterMetres: 100,
  minimum: 1,
  levelSigmaDb: 6,
  offsetSigmaDb: 5,
  positionShare: 0.35,
  positionFloorMetres: 1,
  referenceDbm: () => REFERENCE_DBM,
  exponent: 2.2,
  reach: 1,
  covarianceFactor: 1,
};

/** Locates by the beacons, which follow the access points in the query. */
export function locateByBluetooth(
  memory: QueryMemory,
  offset: number,
  stations: StationReader,
  selection: Selection,
  core: Core,
): Estimate | undefined {
  const count = memory.u32[(offset + REQUEST_BLUETOOTH) >> 2];
  if (count === 0) return undefined;
  const first = memory.u32[(offset + REQUEST_WIFI) >> 2];
  const { i32 } = memory;
  // Equal keys are equal in their first two words for addresses; the last words tell iBeacons apart.
  const radioOf = (at: number) => (i32[at >> 2] ^ i32[(at + 16) >> 2]) * 4294967296 + (i32[(at + 4) >> 2] ^ i32[(at + 20) >> 2]);
  selection.select(memory, offset + REQUEST_BYTES, first, count, stations, radioOf);
  return locateByRadio(core, BLUETOOTH, selection, stations, () => 0, undefined);
}
