// What a strategy believes: a position with its covariance in the plane, and what it rests on.

/** A believed position. */
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
  /** Stations it rests on. */
  used: number;
  /** How much has to be wrong for it to be elsewhere: about the number of independent stations that agree. Decides between places, never within one. */
  evidence: number;
}

/** Radius that holds half of a circular Gaussian, in standard deviations of one axis: sqrt(2 ln 2). */
const R50_PER_SIGMA = Math.sqrt(2 * Math.LN2);

/** A circular estimate of which half lies within `r50Metres`. */
export function circularEstimate(
  source: number,
  latitude: number,
  longitude: number,
  r50Metres: number,
  used: number,
  evidence: number,
): Estimate {
  const sigma = r50Metres / R50_PER_SIGMA;
  const variance = sigma * sigma;
  return { source, latitude, longitude, cxx: variance, cxy: 0, cyy: variance, used, evidence };
}

/** Radius in metres that holds half of an estimate of about this covariance. */
export function roughR50Metres(estimate: Estimate): number {
  return R50_PER_SIGMA * Math.sqrt((estimate.cxx + estimate.cyy) / 2);
}
