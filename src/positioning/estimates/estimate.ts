// What a strategy believes: a position with its covariance in the plane, how heavy the tail of its errors is, and what it rests on.

/** The shape of the errors beyond their median: radii for larger shares of the truths, in radii of one half. */
export interface Tail {
  /** Radius for 68 %, at least 1; of a Gaussian 1.28. */
  at68: number;
  /** Radius for 95 %, at least `at68`; of a Gaussian 2.08. */
  at95: number;
}

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
  tail: Tail;
  /** Stations it rests on. */
  used: number;
  /** How much has to be wrong for it to be elsewhere: about the number of independent stations that agree. Decides between places, never within one. */
  evidence: number;
}

/** Radius that holds half of a circular Gaussian, in standard deviations of one axis: sqrt(2 ln 2). */
export const R50_PER_SIGMA = Math.sqrt(2 * Math.LN2);

/** A circular estimate of which half lies within `r50Metres`. */
export function circularEstimate(
  source: number,
  latitude: number,
  longitude: number,
  r50Metres: number,
  tail: Tail,
  used: number,
  evidence: number,
): Estimate {
  const sigma = r50Metres / R50_PER_SIGMA;
  const variance = sigma * sigma;
  return { source, latitude, longitude, cxx: variance, cxy: 0, cyy: variance, tail, used, evidence };
}

/** Radius in metres that holds half of an estimate of about this covariance. */
export function roughR50Metres(estimate: Estimate): number {
  return R50_PER_SIGMA * Math.sqrt((estimate.cxx + estimate.cyy) / 2);
}
