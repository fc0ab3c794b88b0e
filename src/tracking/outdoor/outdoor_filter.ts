// A Kalman filter over the fixes of a device outdoors, with position, velocity and bias along each axis.
//
// The errors of successive fixes by cells and access points are alike, because the same stations are heard with the
// same map: a fix that repeats says little new. So the filter holds the common error as a bias, which is forgotten in
// seconds, beside a smaller error of each fix alone. Fixes by satellites have no bias.
//
// A fix that contradicts the track moves it little, and the third in a row begins it anew: so a stale or foreign track
// is soon forgotten.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { longitudeScale, wrapDegrees } from '../../geo/angle.ts';
import type { TimedPosition } from '../../radio/query/reader.ts';
import { isOnFoot, STILL } from '../activities.ts';
import type { CellPlaces } from './cell_places.ts';
import type { AxisCovariance, AxisMeans, OutdoorTrack } from './outdoor_track.ts';

/** A position as it was found for one request. */
export interface OutdoorFix extends TimedPosition {
  /** Radius that holds 95 % of the truths, metres. */
  at95Metres: number;
  /** True if satellites say so. */
  isGps: boolean;
  /** Of a fix by satellites, m/s and degrees from north; NaN where unknown. */
  speed: number;
  headingDegrees: number;
  /** Index in the list of activities (activities.ts), -1 where none was sent. */
  activity: number;
  /** True if it rests on where the device was by cells already. */
  isByPast: boolean;
  /** Where the device is by the map of a cell now, or was last; undefined where no map has located it. */
  cells: CellPlaces | undefined;
}

/** How long a device keeps its velocity, and the spread of that along one axis, m/s. */
const VELOCITY_SECONDS = 100;
const VELOCITY_SIGMA = 8;
const VELOCITY_SIGMA_STILL = 0.3;
const VELOCITY_SIGMA_ON_FOOT = 2;
const VELOCITY_SIGMA_GPS = 1.5;
/** How long fixes err alike. */
const BIAS_SECONDS = 10;
/** Standard deviation of the bias as a share of that of the fix, and of the error of one fix as a share of the bias. */
const BIAS_SHARE = 0.5;
const OWN_SHARE = 0.8;
/**
 * Mahalanobis distances: from the first on a fix contradicts the track, from the second on it counts as a wilder one.
 */
const CONTRADICTION = 4;
const OUTLIER = 6;
const CONTRADICTIONS_MAX = 3;
/** Radius of a normal distribution in two dimensions that holds half of it, in standard deviations. */
export const R50 = 1.1774;

/** The track of a device after a fix. @param before undefined where the track begins */
export function filtered(before: OutdoorTrack | undefined, fix: OutdoorFix): OutdoorTrack {
  const predicted = before === undefined ? undefined : predict(before, fix);
  return (predicted === undefined ? undefined : update(predicted, fix)) ?? begin(fix);
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
    covariance: {
      pp: variance,
      pv: 0,
      pb: isGps ? 0 : -variance,
      vv: velocitySigma(fix) ** 2,
      vb: 0,
      bb: isGps ? 0 : variance,
    },
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
  const eastward =
    METRES_PER_DEGREE *
    longitudeScale(fix.latitude * RADIANS_PER_DEGREE) *
    wrapDegrees(fix.longitude - track.longitude);
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
  return isOnFoot(activity) ? VELOCITY_SIGMA_ON_FOOT : VELOCITY_SIGMA;
}

function varianceOf({ accuracyMetres, isGps }: OutdoorFix): number {
  return (((isGps ? 1 : BIAS_SHARE) * accuracyMetres) / R50) ** 2;
}
