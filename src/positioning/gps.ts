// The device's own fix. By the specification its accuracy is the 50 % radius. The radius widens with age, because the
// device may have moved on.

import { SOURCE_GPS } from '../radio/query/layout.ts';
import type { QueryReader } from '../radio/query/reader.ts';
import { circularEstimate, type Estimate, type Tail } from './estimates/estimate.ts';
import type { PositionRecorder } from './estimates/recorder.ts';

/** Radius of a fix without an accuracy: twice that of a poor open-sky fix. */
const R50_METRES_UNKNOWN = 20;
/** An accuracy of 0 means "better than a metre". */
const R50_METRES_FLOOR = 1;
/** How fast the median device moves away from its fix: half of all devices rest or walk about. */
const DRIFT_METRES_PER_SECOND = 1;
/**
 * There is no ground truth for fixes. Under open sky errors are Gaussian, in streets less so: this is the tail of a
 * Student t with six degrees of freedom.
 */
const TAIL: Tail = { at68: 1.33, at95: 2.57 };
/**
 * A fresh fix outweighs the stations of one kind, but not two kinds that agree. A few access points outweigh an old
 * fix.
 */
const FRESH_SECONDS = 60;
const FRESH_EVIDENCE = 4.5;
const OLD_EVIDENCE = 2;

/** The estimate from the query's fix, if it has one that is not too old. */
export function locateByGps({ fix }: QueryReader, recorder?: PositionRecorder): Estimate | undefined {
  if (fix === undefined) {
    recorder?.none('gps', 'notSent');
    return undefined;
  }
  const { latitude, longitude, accuracyMetres: sent, ageSeconds } = fix;
  const accuracy = sent >= 0 ? Math.max(sent, R50_METRES_FLOOR) : R50_METRES_UNKNOWN;
  const driftMetres = ageSeconds * DRIFT_METRES_PER_SECOND;
  const r50Metres = Math.hypot(accuracy, driftMetres);
  const evidence = ageSeconds <= FRESH_SECONDS ? FRESH_EVIDENCE : OLD_EVIDENCE;
  const estimate = circularEstimate({
    source: SOURCE_GPS,
    latitude,
    longitude,
    r50Metres,
    tail: TAIL,
    used: 0,
    evidence,
  });
  recorder?.note({ fix: accuracy ** 2, movement: driftMetres ** 2 });
  recorder?.estimate('gps', estimate);
  return estimate;
}
