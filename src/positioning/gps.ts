// The device's own fix: its accuracy is the 50 % radius by the specification, and it widens with age, since the device may have moved on.

import { SOURCE_GPS } from '../radio/query/layout.ts';
import type { QueryReader } from '../radio/query/reader.ts';
import { circularEstimate, type Estimate, type Tail } from './estimates/estimate.ts';

/** Radius of a fix that came without accuracy: twice that of a poor open-sky fix. */
const R50_METRES_UNKNOWN = 20;
/** An accuracy of 0 means "better than a metre". */
const R50_METRES_FLOOR = 1;
/** Metres by which the median device has moved a second after its fix: half of them rest or walk about. */
const DRIFT_METRES_PER_SECOND = 1;
/** Of fixes there are no truths: under open sky they are Gaussian, in streets less so. That of a Student t with six degrees of freedom. */
const TAIL: Tail = { at68: 1.33, at95: 2.57 };
/** A fresh fix says more than the stations of one kind, and less than two kinds that agree; an old one less than a few access points. */
const FRESH_SECONDS = 60;
const FRESH_EVIDENCE = 4.5;
const OLD_EVIDENCE = 2;

/** The fix of the query, if it has one that is not too old. */
export function locateByGps({ fix }: QueryReader): Estimate | undefined {
  if (fix === undefined) return undefined;
  const { latitude, longitude, accuracyMetres: sent, ageSeconds } = fix;
  const accuracy = sent >= 0 ? Math.max(sent, R50_METRES_FLOOR) : R50_METRES_UNKNOWN;
  const r50Metres = Math.hypot(accuracy, ageSeconds * DRIFT_METRES_PER_SECOND);
  const evidence = ageSeconds <= FRESH_SECONDS ? FRESH_EVIDENCE : OLD_EVIDENCE;
  return circularEstimate(SOURCE_GPS, latitude, longitude, r50Metres, TAIL, 0, evidence);
}
