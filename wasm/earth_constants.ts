// The size and shape of the Earth. Both compilers read this file, as they read memory.ts: nothing here is annotated or
// computed.

/** Mean radius (IUGG) of the sphere on which great circles are measured. */
export const EARTH_RADIUS_METRES = 6371008.8;
/** A degree on a great circle of that sphere. */
export const METRES_PER_DEGREE = 111195.0802335329;
/**
 * The same in whole metres. Imports, the demo town, guesses from cell ids and blurred exports were computed with this
 * value, which is kept so that their results stay the same.
 */
export const WHOLE_METRES_PER_DEGREE = 111195;
export const RADIANS_PER_DEGREE = 0.017453292519943295;

/** Semi-major axis of the WGS-84 ellipsoid. */
export const EQUATOR_RADIUS_METRES = 6378137.0;
/** First eccentricity of the WGS-84 ellipsoid, squared. */
export const ECCENTRICITY_SQUARED = 0.0066943799901413165;
