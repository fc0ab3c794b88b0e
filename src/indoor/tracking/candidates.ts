// The places of a building at which a scan was most likely made, with their likelihoods: what the filter weighs
// particles by, and where it looks for a device that its track has lost.

/** Places of a map with the likelihood of a scan. */
export interface PlaceLikelihoods {
  count: number;
  /** Floor index of each place. */
  floors: ArrayLike<number>;
  /** Metres from the map's origin. */
  east: ArrayLike<number>;
  north: ArrayLike<number>;
  /** Natural logarithm, relative to the most likely place. */
  logLikelihood: ArrayLike<number>;
  /** How alike the scan and the place that is most like it are: 0..1. */
  similarity: number;
}

/** The most likely places, by their index in the map, the first the most likely; likelihoods of sum 1. */
export interface Candidates {
  count: number;
  places: Int32Array;
  likelihoods: Float64Array;
  /** Likelihood of a place that nobody has surveyed, on the same scale. */
  background: number;
}

/** More of them change nothing: measured with 32, 64 and 100. */
export const CANDIDATES_MAX = 32;
/** Successive scans agree in their errors, so one of them says less than it would alone. */
const POWER = 0.7;
/**
 * A device where nobody has surveyed hears what is not very like any place of the map: this much, and what a difference
 * from that is worth.
 */
const UNSURVEYED_SIMILARITY = 0.55;
const SHARPNESS = 28;
/** At least this, because no scan is sure. */
const BACKGROUND_MIN = 0.02;

/** To leave most places out at once, they are counted in steps of their logarithm. */
const STEPS_PER_UNIT = 32;
const COUNTS = new Uint32Array(16 * STEPS_PER_UNIT);

const PLACES = new Int32Array(CANDIDATES_MAX);
const LIKELIHOODS = new Float64Array(CANDIDATES_MAX);

/** The candidates of a match, at least one. Valid until the next call. */
export function candidatesOf({ count, logLikelihood, similarity }: PlaceLikelihoods): Candidates {
  let found = 0;
  let least = belowCandidates(count, logLikelihood);
  for (let place = 0; place < count; place++) {
    const value = logLikelihood[place];
    if (!(value > least)) continue;
    let at = found < CANDIDATES_MAX ? found++ : found - 1;
    for (; at > 0 && LIKELIHOODS[at - 1] < value; at--) {
      LIKELIHOODS[at] = LIKELIHOODS[at - 1];
      PLACES[at] = PLACES[at - 1];
    }
    LIKELIHOODS[at] = value;
    PLACES[at] = place;
    if (found === CANDIDATES_MAX) least = LIKELIHOODS[CANDIDATES_MAX - 1];
  }
  const best = LIKELIHOODS[0];
  let total = 0;
  for (let i = 0; i < found; i++) {
    LIKELIHOODS[i] = Math.exp(POWER * (LIKELIHOODS[i] - best));
    total += LIKELIHOODS[i];
  }
  for (let i = 0; i < found; i++) LIKELIHOODS[i] /= total;
  const background = Math.max(BACKGROUND_MIN, Math.exp(SHARPNESS * (UNSURVEYED_SIMILARITY - similarity)) / total);
  return { count: found, places: PLACES, likelihoods: LIKELIHOODS, background };
}

/** A logarithm that all candidates are above, and few other places. */
function belowCandidates(count: number, logLikelihood: ArrayLike<number>): number {
  const farthest = -COUNTS.length / STEPS_PER_UNIT;
  COUNTS.fill(0);
  for (let place = 0; place < count; place++) {
    const value = logLikelihood[place];
    if (value > farthest) COUNTS[(-value * STEPS_PER_UNIT) | 0]++;
  }
  let found = 0;
  for (let step = 0; step < COUNTS.length; step++) {
    found += COUNTS[step];
    if (found >= CANDIDATES_MAX) return -(step + 1) / STEPS_PER_UNIT;
  }
  return Number.NEGATIVE_INFINITY;
}
