// The estimate of a strategy: a position, its covariance in the plane, the tail of its errors, and the stations and
// evidence behind it.

import { KIND_BLUETOOTH, KIND_WIFI } from '../../radio/kind.ts';

/**
 * The shape of the errors beyond their median: radii for larger shares of the truths, as multiples of the 50 % radius.
 */
export interface Tail {
  /** Radius for 68 %, at least 1; of a Gaussian 1.28. */
  at68: number;
  /** Radius for 95 %, at least `at68`; of a Gaussian 2.08. */
  at95: number;
}

/** An estimated position. */
export interface Estimate {
  /** One of SOURCE_*. */
  source: number;
  /** Degrees. */
  latitude: number;
  /** Degrees. */
  longitude: number;
  /** Covariance in square metres: east-east, east-north, north-north. */
  cxx: number;
  cxy: number;
  cyy: number;
  tail: Tail;
  /** What is calibrated together, one of GROUP_* or a cell's (`groupOfCells`); GROUP_NONE for what is not measured. */
  group: number;
  /** Stations it rests on. */
  used: number;
  /**
   * How many errors it would take for the device to be elsewhere: about the number of independent stations that agree.
   * It decides between estimates that disagree and has no part in averaging.
   */
  evidence: number;
  /** Share of the evidence that is left by what contradicts it in its own scan, 0..1; all where there is none. */
  agreement?: number;
}

/**
 * Groups of estimates whose radii are calibrated together: by the kind of station, by how it was used, and by how well
 * it is known. Kinds of cells are 8..13. A group with an odd number is the better known part of the one before
 * (`levelsOf`): a map that grows is another one than it was.
 */
export const GROUP_NONE = 0;
export const GROUP_WIFI = KIND_WIFI * 4;
export const GROUP_BLUETOOTH = KIND_BLUETOOTH * 4;

/** Binary logarithm of the observations from which on access points, beacons and radio maps are well known. */
const WELL_KNOWN = 5;
const MAP_WELL_KNOWN = 7;

/**
 * Between the two points of a tail, and beyond up to 99 %, the radius grows as a power of -ln(1 - share). That is a
 * Weibull distribution; distances in a Gaussian are the case with a power of 1/2.
 */
const LOG_68 = logarithmOf(68);
const LOG_50 = logarithmOf(50);
const LOG_95 = logarithmOf(95);

/**
 * The group of estimates by access points or beacons.
 * @param group GROUP_WIFI or GROUP_BLUETOOTH
 * @param logSamples mean binary logarithm of the observations of the stations
 */
export function groupOfTransmitters(group: number, logSamples: number): number {
  return group + (logSamples >= WELL_KNOWN ? 1 : 0);
}

/**
 * The group of estimates by the statistics of cells. @param kind KIND_* of the cell that decides @param isLearned
 * otherwise it is imported
 */
export function groupOfCells(kind: number, isLearned: boolean): number {
  return kind * 4 + (isLearned ? 1 : 0);
}

/** The group of estimates by a cell's radio map. @param kind KIND_* of the cell */
export function groupOfMap(kind: number, observations: number): number {
  return kind * 4 + (observations >= 2 ** MAP_WELL_KNOWN ? 3 : 2);
}

/** KIND_* of a group's stations. */
export function kindOfGroup(group: number): number {
  return group >> 2;
}

/** Radius that holds half of a circular Gaussian, in standard deviations of one axis: sqrt(2 ln 2). */
export const R50_PER_SIGMA = Math.sqrt(2 * Math.LN2);

/** An estimate without a covariance of its own; without a group its radii are not calibrated. */
interface Circular extends Omit<Estimate, 'cxx' | 'cxy' | 'cyy' | 'group' | 'agreement'> {
  r50Metres: number;
  group?: number;
}

/** A circular estimate with half of its probability within `r50Metres`. Copying a rest would cost 0.2 microseconds. */
export function circularEstimate(circular: Circular): Estimate {
  const { source, latitude, longitude, r50Metres, tail, group = GROUP_NONE, used, evidence } = circular;
  const sigma = r50Metres / R50_PER_SIGMA;
  const variance = sigma * sigma;
  return { source, latitude, longitude, cxx: variance, cxy: 0, cyy: variance, tail, group, used, evidence };
}

/** Approximate 50 % radius in metres, from the mean of the variances. */
export function roughR50Metres(estimate: Estimate): number {
  return R50_PER_SIGMA * Math.sqrt((estimate.cxx + estimate.cyy) / 2);
}

/**
 * The factor from the 50 % radius to the radius for another share.
 * @param confidence percent, 50..99
 */
export function radiusFactor(confidence: number, { at68, at95 }: Tail): number {
  if (confidence === 50) return 1;
  const logarithm = logarithmOf(confidence);
  if (logarithm <= LOG_68) return at68 ** ((logarithm - LOG_50) / (LOG_68 - LOG_50));
  return at68 * (at95 / at68) ** ((logarithm - LOG_68) / (LOG_95 - LOG_68));
}

/**
 * The inverse: the share of the truths within a radius, 0..1.
 * @param factor the radius as a multiple of the 50 % radius, at least 0
 */
export function shareWithin(factor: number, { at68, at95 }: Tail): number {
  const isFar = factor > at68;
  const from = isFar ? at68 : 1;
  // A tail may be that of a ring: all truths at one distance.
  const power = isFar ? (LOG_95 - LOG_68) / Math.log(at95 / at68) : (LOG_68 - LOG_50) / Math.log(at68);
  const grown = factor === from ? 1 : (factor / from) ** power;
  return -Math.expm1(-Math.exp(isFar ? LOG_68 : LOG_50) * grown);
}

function logarithmOf(confidence: number): number {
  return Math.log(-Math.log(1 - confidence / 100));
}
