// Locates by Bluetooth beacons, known by address or as iBeacons. One is enough if the operator vouches for it, by an
// import or a trusted key: then it is a beacon. What untrusted accounts alone have reported may be somebody's
// headphones, and needs another one beside it, as access points do. An address that is administered locally is made up
// by a device and belongs to no beacon. (--lone-beacons says otherwise.)

import { KIND_BLUETOOTH } from '../../radio/kind.ts';
import { isLocalMac } from '../../radio/mac.ts';
import { LONE_BEACONS_ALL, LONE_BEACONS_NONE, SOURCE_BLUETOOTH } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { macOfKey, radioNumber } from '../../radio/station_key.ts';
import type { FoundStations } from '../../tables/stations/packed_station.ts';
import { type Estimate, GROUP_BLUETOOTH } from '../estimates/estimate.ts';
import { locateByTransmitters, type RadioModel } from './fix.ts';
import type { Heard } from './selection.ts';

/** The level at one metre is the common calibration of beacons. */
export const BLUETOOTH: RadioModel = {
  number: 1,
  strategy: 'bluetooth',
  source: SOURCE_BLUETOOTH,
  group: GROUP_BLUETOOTH,
  reachMetres: 25,
  reachMetresMax: 100,
  reachMetresUntrusted: 50,
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
  offsetSigmaDb: 6,
  exponentSigma: 0.3,
  pivotMetres: 4,
};

/** A reading without a level is sorted by the median of weak readings. */
const BEACONS = { radioOf, unknownDbm: -85, isEnoughAlone };

/** Locates by the beacons, which follow the access points in the query; undefined if none is known. */
export function locateByBluetooth(heard: Heard): Estimate | undefined {
  const { query, selection, recorder } = heard;
  if (query.bluetooth === 0) {
    recorder?.none('bluetooth', 'notSent');
    return undefined;
  }
  selection.select(heard, query.wifi, query.bluetooth, BEACONS);
  return locateByTransmitters(heard, BLUETOOTH, query.bluetooth);
}

function radioOf(query: QueryReader, i: number): number {
  return radioNumber(query.memory.u8, query.memory.i32, query.at(i));
}

/** True for a beacon that may place a device by itself. */
function isEnoughAlone(query: QueryReader, i: number, stations: FoundStations): boolean {
  if (query.flags & LONE_BEACONS_NONE) return false;
  const at = query.at(i);
  if (query.kind(i) === KIND_BLUETOOTH && isLocalMac(macOfKey(query.memory.u8, at))) return false;
  return (query.flags & LONE_BEACONS_ALL) !== 0 || !stations.isUntrusted(i);
}
