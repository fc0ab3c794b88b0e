// Follows a device outdoors from fix to fix, by a Kalman filter (outdoor_filter.ts). Fixes by satellites are never
// changed.
//
// A device that is located by the radio map of a cell is followed by the points of the maps themselves
// (src/positioning/cells/followed/), which know far more than their fix. The filter takes such a fix in, and does not
// change it.
//
// The filter only answers where it knows clearly more than the fix, and only within the radius that holds 95 % of the
// truths for this fix.
//
// Where a vehicle or a bicycle may be is weighed by the roads around (road_prior.ts). The track does not keep what they
// say, or they would say it twice.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { longitudeScale, wrapDegrees } from '../../geo/angle.ts';
import { IN_VEHICLE, isOnFoot, ON_BICYCLE, STILL } from '../activities.ts';
import type { CellPlaces } from './cell_places.ts';
import { filtered, type OutdoorFix, R50 } from './outdoor_filter.ts';
import { decodeOutdoorTrack, encodeOutdoorTrack, type OutdoorTrack } from './outdoor_track.ts';
import { alongRoads, roadReach } from './road_prior.ts';

/**
 * The roads around a point, degrees. @param isBicycle whether paths are roads as well
 * @returns pieces: four numbers each, metres east and north of the point, of one end and of the other
 */
export type RoadsAround = (
  latitude: number,
  longitude: number,
  reachMetres: number,
  isBicycle: boolean,
) => readonly number[];

/** A position beside that of the fix. */
interface Moved {
  latitude: number;
  longitude: number;
  /** From the fix. */
  eastMetres: number;
  northMetres: number;
  /** By what the radii of the fix are to be multiplied. */
  radiusFactor: number;
}

/** Where the device is by its track. */
export interface FollowedFix extends Moved {
  /** True if this is another position than that of the fix. */
  isFollowed: boolean;
  /** What the device carries to the next request. */
  state: Uint8Array<ArrayBuffer>;
}

/** An older track says nothing about where the device is. */
const TRACK_MS_MAX = 600_000;
/** How fast devices usually are that are followed by cells, along one axis, m/s. */
const CELL_SPEED = 18;
const CELL_SPEED_STILL = 0.5;
const CELL_SPEED_ON_FOOT = 2;
/**
 * The filter answers where its radius is this share of that of the fix; and by what walks and drives showed its radius
 * to be too small.
 */
const CLEARLY = 0.7;
const STRETCH = 1.85;

/**
 * Where the device was by the map of a cell, as its state says.
 * @returns undefined where it says nothing, or of another time than the last ten minutes
 */
export function cellsBefore(state: Uint8Array | undefined, timeMs: number): CellPlaces | undefined {
  const cells = state === undefined ? undefined : decodeOutdoorTrack(state)?.cells;
  const agoMs = cells === undefined ? 0 : timeMs - cells.timeMs;
  return agoMs > 0 && agoMs <= TRACK_MS_MAX ? cells : undefined;
}

/** How fast a device usually is, m/s along one axis. @param activity as in a fix */
export function usualSpeedOf(activity: number): number {
  if (activity === STILL) return CELL_SPEED_STILL;
  return isOnFoot(activity) ? CELL_SPEED_ON_FOOT : CELL_SPEED;
}

/**
 * Follows a device by one fix.
 * @param state what the device carries; anything else than an outdoor track counts as none
 * @param roads asked for vehicles and bicycles
 */
export function followOutdoors(state: Uint8Array | undefined, fix: OutdoorFix, roads: RoadsAround): FollowedFix {
  const track = filtered(trackBefore(state, fix), fix);
  const { east, north, covariance } = track;
  const factor = (STRETCH * R50 * Math.sqrt(covariance.pp)) / fix.accuracyMetres;
  const isFixed = fix.isGps || fix.isByPast;
  const isByTrack =
    !isFixed &&
    Math.hypot(east.position, north.position) > 0 &&
    factor < CLEARLY * STRETCH &&
    isNear(fix, east.position, north.position);
  const byTrack = isByTrack ? movedBy(fix, east.position, north.position, factor) : movedBy(fix, 0, 0, 1);
  const byRoads = isFixed ? undefined : onRoads(track, fix, byTrack, roads);
  return {
    ...(byRoads ?? byTrack),
    isFollowed: isByTrack || byRoads !== undefined,
    state: encodeOutdoorTrack({ ...track, cells: fix.cells }),
  };
}

/** Where a vehicle or a bicycle is by the roads. @param answer by its track */
function onRoads(
  { east, north, covariance }: OutdoorTrack,
  fix: OutdoorFix,
  answer: Moved,
  roads: RoadsAround,
): Moved | undefined {
  if (fix.activity !== IN_VEHICLE && fix.activity !== ON_BICYCLE) return undefined;
  const sigmaMetres = (fix.accuracyMetres * answer.radiusFactor) / R50;
  const reachMetres = roadReach(sigmaMetres);
  if (reachMetres === 0) return undefined;
  const pieces = roads(answer.latitude, answer.longitude, reachMetres, fix.activity === ON_BICYCLE);
  const speeds = { eastSpeed: east.velocity, northSpeed: north.velocity, speedSigma: Math.sqrt(covariance.vv) };
  const along = alongRoads({ sigmaMetres, ...speeds }, pieces);
  if (along === undefined) return undefined;
  const eastMetres = answer.eastMetres + along.eastMetres;
  const northMetres = answer.northMetres + along.northMetres;
  return isNear(fix, eastMetres, northMetres)
    ? movedBy(fix, eastMetres, northMetres, along.r50Metres / fix.accuracyMetres)
    : undefined;
}

/** True within the radius that holds 95 % of the truths for the fix. */
function isNear({ at95Metres }: OutdoorFix, eastMetres: number, northMetres: number): boolean {
  return Math.hypot(eastMetres, northMetres) <= at95Metres;
}

function movedBy(
  { latitude, longitude }: OutdoorFix,
  eastMetres: number,
  northMetres: number,
  radiusFactor: number,
): Moved {
  return {
    latitude: clamp(latitude + northMetres / METRES_PER_DEGREE),
    longitude: wrapDegrees(
      longitude + eastMetres / (METRES_PER_DEGREE * longitudeScale(latitude * RADIANS_PER_DEGREE)),
    ),
    eastMetres,
    northMetres,
    radiusFactor,
  };
}

function trackBefore(state: Uint8Array | undefined, { timeMs }: OutdoorFix): OutdoorTrack | undefined {
  const track = state === undefined ? undefined : decodeOutdoorTrack(state);
  const agoMs = track === undefined ? 0 : timeMs - track.timeMs;
  return agoMs > 0 && agoMs <= TRACK_MS_MAX ? track : undefined;
}

function clamp(latitude: number): number {
  return Math.max(-90, Math.min(90, latitude));
}
