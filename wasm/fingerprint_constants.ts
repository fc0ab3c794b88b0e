// How a scan is compared with the places of a fingerprint map. Both compilers read this file, so nothing here is
// annotated or computed at run time. What the numbers mean stands in src/indoor/fingerprints/fingerprint_map.ts.

/** What only the scan has, and what only the place has, against what both have. */
export const ONLY_SCAN = 1.75;
export const ONLY_PLACE = 0.85;
/** What only the scan has, where buildings are compared, and the power of the similarity beside what the levels say. */
export const ONLY_SCAN_BETWEEN = 0.2;
export const POWER_BETWEEN = 10.0;
/**
 * Decibels that the phone is taken to report too little or too much, and how likely that is: a normal distribution of 8
 * dB.
 */
export const OFFSET_FAR_DB = 9.0;
export const OFFSET_NEAR_DB = 3.0;
export const WEIGHT_FAR = 0.5310959910353452;
export const WEIGHT_NEAR = 0.9321024923595276;
