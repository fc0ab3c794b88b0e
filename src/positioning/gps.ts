// The device's own fix: its accuracy is the 50 % radius by the specification, and it widens with age, since the device may have moved on.

import {
  HAS_GPS,
  REQUEST_FLAGS,
  REQUEST_GPS_ACCURACY,
  REQUEST_GPS_AGE,
  REQUEST_GPS_LATITUDE,
  REQUEST_GPS_LONGITUDE,
  SOURCE_GPS,
} from '../../wasm/layout.ts';
import { circularEstimate, type Estimate } from './estimate.ts';
import type { QueryMemory } from './query.ts';

/** Radius of a fix that came without accuracy: twice that of a poor open-sky fix. */
const R50_METRES_UNKNOWN = 20;
/** No receiver is better than this; an accuracy of 0 means "not known to the metre". */
const R50_METRES_FLOOR = 2;
/** Metres a device moves in a second, at the median of pedestrians and vehicles taken together. */
const DRIFT_METRES_PER_SECOND = 3;

/** The fix of the query, if it has one that is not too old. */
export function locateByGps(memory: QueryMemory, offset: number): Estimate | undefined {
  if ((memory.u32[(offset + REQUEST_FLAGS) >> 2] & HAS_GPS) === 0) return undefined;
  const sent = memory.f32[(offset + REQUEST_GPS_ACCURACY) >> 2];
  const accuracy = sent >= 0 ? Math.max(sent, R50_METRES_FLOOR) : R50_METRES_UNKNOWN;
  const drift = memory.f32[(offset + REQUEST_GPS_AGE) >> 2] * DRIFT_METRES_PER_SECOND;
  return circularEstimate(
    SOURCE_GPS,
    memory.f64[(offset + REQUEST_GPS_LATITUDE) >> 3],
    memory.f64[(offset + REQUEST_GPS_LONGITUDE) >> 3],
    Math.hypot(accuracy, drift),
    0,
  );
}
