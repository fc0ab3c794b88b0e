// The numbers of the trilateration: what the model of a level says (posterior.ts) and when the search for the most likely position ends (trilaterate.ts).
// Both compilers read this file: the kernels fold the numbers in, and the twin in plain JavaScript that they are measured against takes the same ones.
// So nothing here may be annotated, and a whole number that stands for an f64 is written with its point.

// Of the model: level = reference - 10 * exponent * log10(metres).
export const NEAREST_METRES = 0.1; // distances below count as this
export const DB_PER_NEPER = 4.3429448190325175; // 10 / ln 10: a level falls by so many dB times the exponent where the distance grows by a factor of e
export const ABSENT_BELOW = -200.0; // dBm; anything lower, and NaN, is no measurement
export const ASSUMED_DBM = -80.0; // level assumed for a station heard without one
export const FARTHEST_METRES = 1e8;
export const FARTHEST_SQUARED = 1e16;
export const PLACE_SCATTER = 2.43; // variance of the logarithm of the distance to a station of uncertain place: s^2 / (d^2 + 2.43 s^2)
export const REGULAR = 2.0; // standard deviation of the weak Gaussian, in root mean square ranged distances
export const LARGEST_EXPONENT = 10.0; // beyond, a lone station says nothing anyway
/** nu of the Student t: by trial over 1, 2, 4 and 8 the best with a tenth of the stations moved by 300 m, and as good as 8 with none. */
export const FREEDOM = 4.0;

// Of the search.
export const ITERATIONS = 24;
export const SETTLED = 2e-3; // the search ends when a step promises to gain less: a twentieth of a standard deviation
export const DAMPING_FIRST = 0.1; // of the first step that is taken back, as a share of the normal matrix's trace
export const DAMPING_RISE = 5.0; // with each further one
export const DAMPING_FALL = 0.2; // with each step that is kept
export const DAMPING_LEAST = 0.02; // at most so much is left out with the next step that is kept
export const DISBELIEF = 0.3; // a robust weight below this casts doubt on the start: a residual of three standard deviations
export const CANDIDATES = 3; // places of stations that are looked at as another start
export const FEWEST_FOR_RESTARTS = 4; // among three stations there is no crowd
export const BETTER_BY = 1e-6; // minus log posterior: another end is taken when it is lower by more
export const EXPECTED_RESIDUALS = 2.0; // of the expected size, added so that a handful of lucky or unlucky ones decides nothing
export const SPENT_ON_POSITION = 2.0; // degrees of freedom
