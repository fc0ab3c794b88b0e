// The constants of trilateration: the model of a level (posterior.ts) and the end of the search for the most likely
// position (trilaterate.ts). Both compilers read this file: the kernels fold the numbers in, and the benchmarks' twin
// in plain JavaScript uses the same ones. So nothing here may be annotated, and a whole number that stands for an f64
// is written with a decimal point.

// The model: level = reference - 10 * exponent * log10(metres).
export const NEAREST_METRES = 0.1; // shorter distances count as this
// 10 / ln 10: a level falls by this many dB times the exponent if the distance grows by a factor of e
export const DB_PER_NEPER = 4.3429448190325175;
export const ABSENT_BELOW = -200.0; // dBm; lower values and NaN are no measurement
export const ASSUMED_DBM = -80.0; // level assumed for a station heard without one
export const FARTHEST_METRES = 1e8;
export const FARTHEST_SQUARED = 1e16;
// variance of the logarithm of the distance to a station with an uncertain position: s^2 / (d^2 + 2.43 s^2)
export const POSITION_SCATTER = 2.43;
export const REGULAR = 2.0; // standard deviation of the weak Gaussian, in root mean square ranged distances
export const LARGEST_EXPONENT = 10.0; // beyond, a lone station says nothing anyway
/**
 * nu of the Student t: of 1, 2, 4 and 8 the best with a tenth of the stations moved by 300 m, and as good as 8 with
 * none moved.
 */
export const FREEDOM = 4.0;

// The search.
export const ITERATIONS = 24;
// the search ends when the expected gain of a step is less: a twentieth of a standard deviation
export const SETTLED = 2e-3;
export const DAMPING_FIRST = 0.1; // after the first step that is undone, as a share of the normal matrix's trace
export const DAMPING_RISE = 5.0; // factor for each further one
export const DAMPING_FALL = 0.2; // factor for each step that is kept
export const DAMPING_LEAST = 0.02; // damping up to this ends with the next step that is kept
// a station with a lower robust weight is an outlier: a residual of three standard deviations
export const OUTLIER_WEIGHT = 0.3;
// a station with a robust weight below this has moved, and no position by transmitters rests on it
export const INLIER_WEIGHT = 0.12;
export const CANDIDATES = 3; // stations whose positions are considered as another start
export const FEWEST_FOR_RESTARTS = 4; // three stations have no majority
export const BETTER_BY = 1e-6; // minus log posterior: another result is taken if it is lower by more
// residuals of the expected size, added so that a few lucky or unlucky ones decide nothing
export const PRIOR_RESIDUALS = 2.0;
export const POSITION_FREEDOM = 2.0; // degrees of freedom
