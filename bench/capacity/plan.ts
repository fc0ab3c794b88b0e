// The rates of a capacity run, how often each is measured, and the length of a slice that follows from the length of
// the run.

/** Rates of the first run, in parts of a closed loop's. */
export const FIRST_PARTS = [0.15, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9];
/** Rates of the second run, which the fit has not seen. */
export const UNSEEN_PARTS = [0.25, 0.5, 0.75];
/** A rate with which no service keeps pace, in the same parts. */
export const FLOOD_PART = 1.5;
/** Rounds of both runs: a burst of pauses spoils some of them, and the median is that of the others. */
export const ROUNDS = 7;
/**
 * Closed loops before each run. Only the last one counts, because the service compiles its hot functions in the others.
 */
export const WARM_UPS = 2;

/** Seconds of a run without load: starts, loading, fits, and waiting until contributions are learned. */
const OVERHEAD_SECONDS = 300;
/** Seconds of a slice beyond its measured part. */
const SLICE_OVERHEAD_SECONDS = 0.4;
const SLICE_SECONDS_MIN = 0.3;
const SLICE_SECONDS_MAX = 10;
const LEAST_ARRIVALS = 20;
/**
 * In shorter slices the p99 of one round is one of the few slowest answers, and differs from round to round by a factor
 * of two.
 */
const TELLING_SECONDS = 1;

/** Slices of load of a run of so many scenarios, about. */
export function slicesOf(scenarios: number): number {
  const first = WARM_UPS + ROUNDS * (FIRST_PARTS.length + 2);
  const second = WARM_UPS + ROUNDS * (UNSEEN_PARTS.length + 1);
  const stages = 2;
  const threads = 3 + FIRST_PARTS.length;
  return scenarios * (first + second + stages) + second + threads;
}

/** Seconds of a slice, so that a run takes so many minutes. */
export function sliceSecondsOf(minutes: number, scenarios: number): number {
  const seconds = (60 * minutes - OVERHEAD_SECONDS) / slicesOf(scenarios) - SLICE_OVERHEAD_SECONDS;
  return Math.min(Math.max(seconds, SLICE_SECONDS_MIN), SLICE_SECONDS_MAX);
}

/** Parts of a rate as whole rates, none so low that a slice has hardly any arrivals. */
export function ratesOf(parts: readonly number[], rate: number, sliceSeconds: number): number[] {
  const least = Math.ceil(LEAST_ARRIVALS / sliceSeconds);
  return [...new Set(parts.map(part => Math.max(least, Math.round(part * rate))))];
}

/** Minutes below which the p99 of a run of so many scenarios says little. */
export function tellingMinutes(scenarios: number): number {
  return Math.ceil((OVERHEAD_SECONDS + slicesOf(scenarios) * (TELLING_SECONDS + SLICE_OVERHEAD_SECONDS)) / 60);
}
