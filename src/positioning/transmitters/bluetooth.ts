// Bluetooth beacons, by address or as iBeacons. They are the operator's own and reach some tens of metres, so one known beacon is a position.

import type { Core } from '../../core/core.ts';
import { KIND_BLUETOOTH } from '../../radio/kind.ts';
import { REQUEST_BLUETOOTH, REQUEST_BYTES, REQUEST_WIFI, SOURCE_BLUETOOTH } from '../../radio/query/layout.ts';
import type { QueryMemory } from '../../radio/query/writer.ts';
import { macOfKey } from '../../radio/station_key.ts';
import type { StationReader } from '../../tables/stations/reader.ts';
import type { Estimate } from '../estimates/estimate.ts';
import type { RadioFix } from './fix.ts';
import type { RadioModel } from './model.ts';

/** The level at a metre is what beacons are commonly calibrated to. */
const BLUETOOTH: RadioModel = {
  source: SOURCE_BLUETOOTH,
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

/** Level that sorts a reading sent without one: the median of weak readings. */
const LEVEL_DBM_UNKNOWN = -85;

/** Locates by the beacons, which follow the access points in the query. */
export function locateByBluetooth(
  memory: QueryMemory,
  offset: number,
  stations: StationReader,
  radioFix: RadioFix,
  core: Core,
): Estimate | undefined {
  const count = memory.u32[(offset + REQUEST_BLUETOOTH) >> 2];
  if (count === 0) return undefined;
  radioFix.selection.select(
    memory,
    offset + REQUEST_BYTES,
    memory.u32[(offset + REQUEST_WIFI) >> 2],
    count,
    stations,
    beaconOf,
    LEVEL_DBM_UNKNOWN,
  );
  return radioFix.locate(core, BLUETOOTH, stations, undefined);
}

/** The address, below 2^48; of an iBeacon 20 bits out of its UUID, major and minor, above 2^52. */
function beaconOf({ u8, i32 }: QueryMemory, at: number): number {
  if (u8[at] === KIND_BLUETOOTH) return macOfKey(u8, at);
  const word = at >> 2;
  const mixed =
    Math.imul(i32[word] ^ Math.imul(i32[word + 1], 0x9e3779b1) ^ Math.imul(i32[word + 2], 0x85ebca6b), 0xc2b2ae35) ^
    i32[word + 3] ^
    u8[at + 16];
  const number = ((u8[at + 17] * 256 + u8[at + 18]) * 256 + u8[at + 19]) * 256 + u8[at + 20];
  return ((mixed >>> 12) + 0x100000) * 4294967296 + number;
}
