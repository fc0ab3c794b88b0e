// Locates by WiFi. Two access points must be submitted, and two known ones must agree. With fewer, the access points
// have no influence on the answer, so nobody can ask where a single one stands. Networks of one radio (the same last
// five octets) count as one.

import { SOURCE_WIFI } from '../../radio/query/layout.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import { radioOfKey } from '../../radio/station_key.ts';
import { type Estimate, GROUP_WIFI } from '../estimates/estimate.ts';
import { locateByTransmitters, type RadioModel } from './fix.ts';
import type { Heard } from './selection.ts';

const MINIMUM_RADIOS = 2;

/**
 * Levels: free space (ITU-R P.525) from a 20 dBm transmitter would give -20 dBm at a metre; bodies, cases and walls
 * take 18 dB of that on average.
 */
export const WIFI: RadioModel = {
  number: 0,
  strategy: 'wifi',
  source: SOURCE_WIFI,
  group: GROUP_WIFI,
  reachMetres: 100,
  reachMetresMax: 500,
  reachMetresUntrusted: 200,
  minimum: MINIMUM_RADIOS,
  levelSigmaDb: 6,
  positionShare: 0.25,
  learnedShare: 0.8,
  positionFloorMetres: 4,
  samplingMetres: 80,
  hiddenShare: 1 / 3,
  referenceDbm: -38,
  referenceHighBandDbm: -45,
  exponent: 3.1,
  evidence: 1,
  offsetSigmaDb: 10,
  exponentSigma: 0.5,
  pivotMetres: 20,
};

/** A reading without a level is sorted by the median of weak readings. */
const ACCESS_POINTS = { radioOf, unknownDbm: -85, isEnoughAlone: () => false };

/** Locates by the access points, the first observations of the query. */
export function locateByWifi(heard: Heard): Estimate | undefined {
  const { query, selection, recorder } = heard;
  if (query.wifi < MINIMUM_RADIOS || query.submittedRadios < MINIMUM_RADIOS) {
    recorder?.none('wifi', query.wifi === 0 ? 'notSent' : 'tooFew');
    return undefined;
  }
  selection.select(heard, 0, query.wifi, ACCESS_POINTS);
  return locateByTransmitters(heard, WIFI, query.submittedRadios);
}

function radioOf(query: QueryReader, i: number): number {
  return radioOfKey(query.memory.u8, query.at(i));
}
