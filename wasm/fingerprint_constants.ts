// How a scan is compared with the places of a fingerprint map. Both compilers read this file, so nothing here is annotated or computed at run time. What the
// numbers mean stands in src/indoor/fingerprints/fingerprint_map.ts.

/** What the logarithm of likelihood gains from a similarity of 0 to one of 1. */
export const SHARPNESS = 45.0;
/** What the likelihood by similarity is raised to, because that by levels says some of it again. */
export const SIMILARITY_POWER = 0.7;
/** What only the scan has, and what only the place has, against what both have. */
export const ONLY_SCAN = 1.75;
export const ONLY_PLACE = 0.85;
/** Decibels that the phone is taken to report too little or too much, and the logarithms of their priors: of a normal distribution of 8 dB. */
export const OFFSET_FAR_DB = 9.0;
export const OFFSET_NEAR_DB = 3.0;
export const PRIOR_FAR = -0.6328125;
export const PRIOR_NEAR = -0.0703125;
