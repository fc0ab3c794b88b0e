// Reads the device's own fix: what the position needs, and what only the reply and contributions need (altitude,
// heading, speed, satellites).

import { isNoPosition } from '../../radio/no_position.ts';
import { GPS_RANGES, RADIUS_METRES } from '../../radio/ranges.ts';
import { decimalIn, numberOf, roundedIn } from '../../radio/read_value.ts';
import type { GpsBody } from './schema.ts';

/** A fix that is recent enough. Undefined members were not sent, or were out of range. */
export interface GpsFix {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Radius of 50 %, metres, from 0. May exceed the specification's 255. */
  accuracyMetres: number | undefined;
  /** 0..600. */
  ageSeconds: number | undefined;
  /** Metres above sea, -1000..10000. */
  altitude: number | undefined;
  /** 0..100. */
  altitudeAccuracyMetres: number | undefined;
  /** Degrees from north, 0..360. */
  heading: number | undefined;
  /** m/s, 0..100. */
  speed: number | undefined;
  /** 0..20. */
  satellites: number | undefined;
}

/** Reads a fix. @returns undefined if it is none, older than 600 s, or from the future */
export function readGps(gps: GpsBody): GpsFix | undefined {
  const age = numberOf(gps.age);
  if (age < GPS_RANGES.age.min || age > GPS_RANGES.age.max) return undefined;
  const [latitude, longitude] = [numberOf(gps.latitude), numberOf(gps.longitude)];
  const accuracyMetres = decimalIn(gps.accuracy, RADIUS_METRES, Number.NaN);
  const satellites = roundedIn(gps.sat, GPS_RANGES.sat, Number.NaN);
  if (isNoPosition(latitude, longitude, accuracyMetres, satellites)) return undefined;
  return {
    latitude,
    longitude,
    accuracyMetres: sent(accuracyMetres),
    ageSeconds: sent(age),
    altitude: sent(decimalIn(gps.altitude, GPS_RANGES.altitude, Number.NaN)),
    altitudeAccuracyMetres: sent(decimalIn(gps.altitudeAccuracy, GPS_RANGES.altitudeAccuracy, Number.NaN)),
    heading: sent(decimalIn(gps.heading, GPS_RANGES.heading, Number.NaN)),
    speed: sent(decimalIn(gps.speed, GPS_RANGES.speed, Number.NaN)),
    satellites: sent(satellites),
  };
}

function sent(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number;
}
