// The strategies in their order. Each makes an estimate by itself, from the stations that were found for the query.

import { distanceMetres } from '../geo/distance.ts';
import { type FollowedDevice, locateByCells } from './cells/cells.ts';
import { type Estimate, roughR50Metres } from './estimates/estimate.ts';
import { locateByGps } from './gps.ts';
import { locateByBluetooth } from './transmitters/bluetooth.ts';
import type { Heard } from './transmitters/selection.ts';
import { locateByWifi } from './transmitters/wifi.ts';

/**
 * An estimate by the map of a building, which is made of the same beacons and access points as those by stations, and
 * knows more of them.
 */
export interface IndoorEstimate extends Estimate {
  /**
   * The scan is like those that were made there: otherwise the device may be beside the building, and most like what is
   * nearest in it.
   */
  isAlike: boolean;
}

/**
 * The estimates of all strategies, in order of precedence. `fuseEstimates` decides which of them are answered.
 * @param indoors takes the place of the estimates by beacons and access points, or is left out
 * @param followed where the device was by cells, if it is tracked
 */
export function estimateByAll(heard: Heard, indoors?: IndoorEstimate, followed?: FollowedDevice): Estimate[] {
  const { query, recorder } = heard;
  const gps = locateByGps(query, recorder);
  recorder?.stage('gps');
  const cell = locateByCells(heard, followed);
  recorder?.stage('cells');
  const estimates: Estimate[] = [];
  if (gps !== undefined) estimates.push(gps);
  if (indoors?.isAlike === true) estimates.push(indoors);
  else {
    const bluetooth = locateByBluetooth(heard);
    recorder?.stage('bluetooth');
    const wifi = locateByWifi(heard);
    recorder?.stage('wifi');
    if (indoors !== undefined && isWithin(indoors, bluetooth) && isWithin(indoors, wifi)) estimates.push(indoors);
    else {
      if (bluetooth !== undefined) estimates.push(bluetooth);
      if (wifi !== undefined) estimates.push(wifi);
    }
  }
  if (indoors !== undefined) recorder?.comparedInBuilding(query, estimates.includes(indoors) ? indoors : undefined);
  if (cell !== undefined) estimates.push(cell);
  return gps !== undefined && isUnset(gps) && estimates.length > 1 ? estimates.filter(each => each !== gps) : estimates;
}

/** True at 0, 0, in the open sea: a device that has no fix says so. */
function isUnset({ latitude, longitude }: Estimate): boolean {
  return latitude === 0 && longitude === 0;
}

/**
 * True if an estimate is so near another one that it is not worse by more than its own radius, wherever the device is,
 * or if there is no other one.
 */
function isWithin(indoors: IndoorEstimate, other: Estimate | undefined): boolean {
  if (other === undefined) return true;
  const metres = distanceMetres(indoors.latitude, indoors.longitude, other.latitude, other.longitude);
  return metres <= roughR50Metres(indoors);
}
