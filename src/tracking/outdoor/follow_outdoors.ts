// Follows a device outdoors from fix to fix, by a Kalman filter with position, velocity and bias along each axis.
//
// The errors of successive fixes by cells and access points are alike, because the same stations are heard with the same map: a fix that repeats says
// little new. So the filter holds the common error as a bias, which is forgotten in seconds, beside a smaller error of each fix alone. Fixes by satellites
// have no bias, and are never changed.
//
// A device that is located by the radio map of a cell is followed by the places of the map themselves (src/positioning/cells/past.ts), which know far more
// than their fix. The filter takes such a fix in, and does not change it.
//
// The filter only answers where it knows clearly more than the fix, and only within the radius that holds 95 % of the truths for this fix. A fix that
// contradicts the track moves it little, and the third in a row begins it anew: so a stale or foreign track is soon forgotten.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { around, type CellPlaces } from './cell_places.ts';
import { type AxisCovariance, type AxisMeans, decodeOutdoorTrack, encodeOutdoorTrack, type OutdoorTrack } from './outdoor_track.ts';

/** A position as it was found for one request. */
export interface OutdoorFix {
  /** Milliseconds since 1970. */
  timeMs: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Radii that hold half and 95 % of the truths, metres, above 0. */
  accuracyMetres: number;
  at95Metres: number;
  /** True if satellites say so. */
  isGps: boolean;
  /** Of a fix by satellites, m/s and degrees from north; NaN where unknown. */
  speed: number;
  headingDegrees: number;
  /** Index in the list of activities of the interface, which is in the order of the alphabet; -1 where none was sent. */
  activity: number;
  /** True if it rests on where the device was by cells already. */
  isByPast: boolean;
  /** Where the device is by the map of a cell now, or was last; undefined where no map has located it. */
  cells: CellPlaces | undefined;
}

/** Where the device is by its track. */
export interface FollowedFix {
  latitude: number;
  longitude: number;
  /** By what the radii of the fix are to be multiplied. */
  radiusFactor: number;
  /** True if this is another position than that of the fix. */
  isFollowed: boolean;
  /** What the device carries to the next request. */
  state: Uint8Array<ArrayBuffer>;
}

/** An older track says nothing about where the device is. */
const TRACK_MS_MAX = 600_000;
/** How long a device keeps its velocity, and the spread of that along one axis, m/s. */
const VELOCITY_SECONDS = 100;
const VELOCITY_SIGMA = 8;
const VELOCITY_SIGMA_STILL = 0.3;
const VELOCITY_SIGMA_ON_FOOT = 2;
const VELOCITY_SIGMA_GPS = 1.5;
/** The same for places by cells, in both directions together. */
const CELL_SPEED_SPREAD = 15;
const CELL_SPEED_SPREAD_STILL = 0.5;
const CELL_SPEED_SPREAD_ON_FOOT = 3;
/** How long fixes err alike. */
const BIAS_SECONDS = 10;
/** Standard deviation of the bias as a share of that of the fix, and of the error of one fix as a share of the bias. */
const BIAS_SHARE = 0.5;
const OWN_SHARE = 0.8;
/** Mahalanobis distances: from the first on a fix contradicts the track, from the second on it counts as a wilder one. */
const CONTRADICTION = 4;
const OUTLIER = 6;
const CONTRADICTIONS_MAX = 3;
/** The filter answers where its radius is this share of that of the fix; and by what walks and drives showed its radius to be too small. */
const CLEARLY = 0.7;
const STRETCH = 1.85;
/** Radius of a normal distribution in two dimensions that holds half of it, in standard deviations. */
const R50 = 1.1774;
const LONGITUDE_SCALE_MIN = 0.01;

const ON_FOOT = [2, 3, 7]; // ON_FOOT, RUNNING, WALKING
const STILL = 4;

/**
 * Where the device was by the map of a cell, as its state says.
 * @returns undefined where it says nothing, or of another time than the last ten minutes
 */
export function cellsBefore(state: Uint8Array | undefined, timeMs: number): CellPlaces | undefined {
  const cells = state === undefined ? undefined : decodeOutdoorTrack(state)?.cells;
  const agoMs = cells === undefined ? 0 : timeMs - cells.timeMs;
  return agoMs > 0 && agoMs <= TRACK_MS_MAX ? cells : undefined;
}

/** m/s by which the speed of a device may change between two fixes by cells. @param activity as in a fix */
export function speedSpreadOf(activity: number): number {
  if (activity === STILL) return CELL_SPEED_SPREAD_STILL;
  return ON_FOOT.includes(activity) ? CELL_SPEED_SPREAD_ON_FOOT : CELL_SPEED_SPREAD;
}

/** Follows a device by one fix. @param state what the device carries; anything else than an outdoor track counts as none */
export function followOutdoors(state: Uint8Array | undefined, fix: OutdoorFix): FollowedFix {
  const before = trackBefore(state, fix);
  const predicted = before === undefined ? undefined : predict(before, fix);
  const track = (predicted === undefined ? undefined : update(predicted, fix)) ?? begin(fix);
  const { east, north, covariance } = track;
  const factor = (STRETCH * R50 * Math.sqrt(covariance.pp)) / fix.accuracyMetres;
  const away = Math.hypot(east.position, north.position);
  const isFollowed = !fix.isGps && !fix.isByPast && away > 0 && factor < CLEARLY * STRETCH && away <= fix.at95Metres;
  return {
    latitude: isFollowed ? clamp(fix.latitude + north.position / METRES_PER_DEGREE) : fix.latitude,
    longitude: isFollowed ? around(fix.longitude + east.position / (METRES_PER_DEGREE * scaleAt(fix.latitude))) : fix.longitude,
    radiusFactor: isFollowed ? factor : 1,
    isFollowed,
    state: encodeOutdoorTrack({ ...track, cells: fix.cells }),
  };
}

function trackBefore(state: Uint8Array | undefined, { timeMs }: OutdoorFix): OutdoorTrack | undefined {
  const track = state === undefined ? undefined : decodeOutdoorTrack(state);
  const agoMs = track === undefined ? 0 : timeMs - track.timeMs;
  return agoMs > 0 && agoMs <= TRACK_MS_MAX ? track : undefined;
}

/** A track that knows nothing but the fix: what the position lacks, the bias has. */
function begin(fix: OutdoorFix): OutdoorTrack {
  const { timeMs, latitude, longitude, isGps } = fix;
  const variance = varianceOf(fix);
  const { east, north } = velocityOf(fix);
  return {
    timeMs,
    latitude,
    longitude,
    east: { position: 0, velocity: east, bias: 0 },
    north: { position: 0, velocity: north, bias: 0 },
    covariance: { pp: variance, pv: 0, pb: isGps ? 0 : -variance, vv: velocitySigma(fix) ** 2, vb: 0, bb: isGps ? 0 : variance },
    contradictions: 0,
    cells: undefined,
  };
}

/** The track at the time of a fix, relative to this fix. */
function predict(track: OutdoorTrack, fix: OutdoorFix): OutdoorTrack {
  const seconds = (fix.timeMs - track.timeMs) / 1000;
  const kept = fix.activity === STILL ? 0 : Math.exp(-seconds / VELOCITY_SECONDS);
  const lasting = VELOCITY_SECONDS * (1 - Math.exp(-seconds / VELOCITY_SECONDS)) * (fix.activity === STILL ? 0 : 1);
  const biased = Math.exp(-seconds / BIAS_SECONDS);
  const eastward = METRES_PER_DEGREE * scaleAt(fix.latitude) * around(fix.longitude - track.longitude);
  const northward = METRES_PER_DEGREE * (fix.latitude - track.latitude);
  const moved = (means: AxisMeans, shift: number): AxisMeans => ({
    position: means.position + lasting * means.velocity - shift,
    velocity: kept * means.velocity,
    bias: biased * means.bias,
  });
  const { pp, pv, pb, vv, vb, bb } = track.covariance;
  const fresh = velocitySigma(fix) ** 2 * (1 - kept * kept);
  const bias = fix.isGps ? 0 : varianceOf(fix);
  return {
    ...track,
    timeMs: fix.timeMs,
    latitude: fix.latitude,
    longitude: fix.longitude,
    east: moved(track.east, eastward),
    north: moved(track.north, northward),
    covariance: {
      pp: pp + 2 * lasting * pv + lasting * lasting * vv + (fresh * seconds * seconds) / 3,
      pv: kept * (pv + lasting * vv) + (fresh * seconds) / 2,
      pb: biased * (pb + lasting * vb),
      vv: kept * kept * vv + fresh,
      vb: kept * biased * vb,
      bb: biased * biased * bb + bias * (1 - biased * biased),
    },
  };
}

/** The track after the fix at its origin. @returns undefined if the fix contradicts it once too often */
function update(track: OutdoorTrack, fix: OutdoorFix): OutdoorTrack | undefined {
  const { east, north, covariance: p } = track;
  const seen = fix.isGps ? 0 : 1;
  const own = varianceOf(fix) * (fix.isGps ? 1 : OWN_SHARE * OWN_SHARE);
  const gainP = p.pp + seen * p.pb;
  const gainV = p.pv + seen * p.vb;
  const gainB = p.pb + seen * p.bb;
  const expected = gainP + seen * gainB + own;
  const eastward = -east.position - seen * east.bias;
  const northward = -north.position - seen * north.bias;
  const misfit = (eastward * eastward + northward * northward) / expected;
  if (!(expected > 0 && Number.isFinite(misfit))) return undefined;
  const contradictions = misfit > CONTRADICTION * CONTRADICTION ? track.contradictions + 1 : 0;
  if (contradictions >= CONTRADICTIONS_MAX) return undefined;
  const total = expected * Math.max(1, misfit / (OUTLIER * OUTLIER));
  const corrected = (means: AxisMeans, difference: number): AxisMeans => ({
    position: means.position + (gainP / total) * difference,
    velocity: means.velocity + (gainV / total) * difference,
    bias: means.bias + (gainB / total) * difference,
  });
  const next: OutdoorTrack = {
    ...track,
    east: corrected(east, eastward),
    north: corrected(north, northward),
    covariance: shrunk(p, gainP, gainV, gainB, total),
    contradictions,
  };
  return fix.speed >= 0 && fix.headingDegrees >= 0 ? withVelocity(next, fix) : next;
}

function shrunk(p: AxisCovariance, gainP: number, gainV: number, gainB: number, total: number): AxisCovariance {
  return {
    pp: Math.max(0, p.pp - (gainP * gainP) / total),
    pv: p.pv - (gainP * gainV) / total,
    pb: p.pb - (gainP * gainB) / total,
    vv: Math.max(0, p.vv - (gainV * gainV) / total),
    vb: p.vb - (gainV * gainB) / total,
    bb: Math.max(0, p.bb - (gainB * gainB) / total),
  };
}

/** The track with the velocity that satellites measured. */
function withVelocity(track: OutdoorTrack, fix: OutdoorFix): OutdoorTrack {
  const velocity = velocityOf(fix);
  return {
    ...track,
    east: { ...track.east, velocity: velocity.east },
    north: { ...track.north, velocity: velocity.north },
    covariance: { ...track.covariance, pv: 0, vb: 0, vv: VELOCITY_SIGMA_GPS ** 2 },
  };
}

function velocityOf({ speed, headingDegrees }: OutdoorFix): { east: number; north: number } {
  if (!(speed >= 0 && headingDegrees >= 0)) return { east: 0, north: 0 };
  const heading = headingDegrees * RADIANS_PER_DEGREE;
  return { east: speed * Math.sin(heading), north: speed * Math.cos(heading) };
}

function velocitySigma({ activity, speed, headingDegrees }: OutdoorFix): number {
  if (speed >= 0 && headingDegrees >= 0) return VELOCITY_SIGMA_GPS;
  if (activity === STILL) return VELOCITY_SIGMA_STILL;
  return ON_FOOT.includes(activity) ? VELOCITY_SIGMA_ON_FOOT : VELOCITY_SIGMA;
}

function varianceOf({ accuracyMetres, isGps }: OutdoorFix): number {
  return (((isGps ? 1 : BIAS_SHARE) * accuracyMetres) / R50) ** 2;
}

/** Length of a degree of longitude in degrees of latitude. */
function scaleAt(latitude: number): number {
  return Math.max(LONGITUDE_SCALE_MIN, Math.cos(latitude * RADIANS_PER_DEGREE));
}

function clamp(latitude: number): number {
  return Math.max(-90, Math.min(90, latitude));
}
