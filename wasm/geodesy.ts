// The local metric frame.
//
// The ellipsoid around an origin is taken as a plane: one radian of latitude is M metres and one radian of longitude N
// cos(latitude) metres, where M and N are the WGS-84 radii of curvature at the origin, in the meridian and in the prime
// vertical. At 50 degrees of latitude and a distance of 10 km the error is about 0.2 %, which does not matter to any
// radio range. Towards the poles the meridians converge. The cosine is limited to that of 89.9 degrees, so that the
// inverse stays finite. Within 11 km of a pole directions are therefore wrong; distances northward are right.

import { ECCENTRICITY_SQUARED, EQUATOR_RADIUS_METRES, RADIANS_PER_DEGREE } from './earth_constants';
import { STATUS_NOT_FINITE, STATUS_OK } from './memory';

const SMALLEST_COSINE: f64 = 0.0017453283658983088; // cos(89.9 degrees)

let originLatitude: f64 = 0;
let originLongitude: f64 = 0;
let metresPerLatitude: f64 = 110574.0;
let metresPerLongitude: f64 = 111319.0;

/** Wraps a difference of two longitudes into -180..180 degrees. */
function wrap(degrees: f64): f64 {
  return degrees - 360 * Math.floor((degrees + 180) / 360);
}

function isLatitude(degrees: f64): bool {
  return Math.abs(degrees) <= 90;
}

function isLongitude(degrees: f64): bool {
  return Math.abs(degrees) <= 540;
}

/** Sets the frame's origin; degrees. */
export function setFrame(latitude: f64, longitude: f64): i32 {
  if (!isLatitude(latitude) || !isLongitude(longitude)) return STATUS_NOT_FINITE;
  const sine = Math.sin(latitude * RADIANS_PER_DEGREE);
  const cosine = Math.max(Math.cos(latitude * RADIANS_PER_DEGREE), SMALLEST_COSINE);
  const flattening = 1 - ECCENTRICITY_SQUARED * sine * sine;
  const normal = EQUATOR_RADIUS_METRES / Math.sqrt(flattening);
  originLatitude = latitude;
  originLongitude = longitude;
  metresPerLatitude = (RADIANS_PER_DEGREE * normal * (1 - ECCENTRICITY_SQUARED)) / flattening;
  metresPerLongitude = RADIANS_PER_DEGREE * normal * cosine;
  return STATUS_OK;
}

/** Metres east of the origin; NaN for what is no longitude in degrees. */
export function eastOf(longitude: f64): f64 {
  return isLongitude(longitude) ? wrap(longitude - originLongitude) * metresPerLongitude : NaN;
}

/** Metres north of the origin; NaN for what is no latitude in degrees. */
export function northOf(latitude: f64): f64 {
  return isLatitude(latitude) ? (latitude - originLatitude) * metresPerLatitude : NaN;
}

/** Latitude in degrees, -90..90, of a northing; the origin's if the northing is not finite. */
export function latitudeOf(north: f64): f64 {
  if (!Number.isFinite(north)) return originLatitude;
  return Math.min(Math.max(originLatitude + north / metresPerLatitude, -90), 90);
}

/** Longitude in degrees, -180..180, of an easting; the origin's if the easting is not finite. */
export function longitudeOf(east: f64): f64 {
  if (!Number.isFinite(east)) return originLongitude;
  return wrap(originLongitude + east / metresPerLongitude);
}
