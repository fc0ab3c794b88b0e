// The rates of a capacity run, how often each is measured, and the length of a slice that follows from the length of the run.

/** Rates of the first run, in parts of a closed loop's. */
export const FIRST_PARTS = [0.15, 0.3, 0.45, 0.6, 0.75, 0.85, 0.95, 1.05, 1.15];
export const FIRST_ROUNDS = 3;
/** Closed loops before the first run. Only the last one counts, because the service compiles its hot functions in the others. */
export const WARM_UPS = 2;
/** Rates of the second run, in parts of the predicted knee: first those by which the predicted p99 is judged, then the search for the knee. */
export const UNSEEN_PARTS = [0.25, 0.5, 0.75];
export const SECOND_PARTS = [...UNSEEN_PARTS, 0.85, 0.95, 1.05, 1.15, 1.3];
export const SECOND_ROUNDS = 2;

/** Seconds of a run without load: starts, loading, fits. */
const OVERHEAD_SECONDS = 120;
/** Seconds of a slice beyond its measured part. */
const SLICE_OVERHEAD_SECONDS = 0.3;
const SLICE_SECONDS_MIN = 0.3;
const SLICE_SECONDS_MAX = 10;
const LEAST_ARRIVALS = 20;

/** Slices of load of a run of so many scenarios, about. */
export function slicesOf(scenarios: number): number {
  const first = WARM_UPS + FIRST_ROUNDS * FIRST_PARTS.length;
  const second = 1 + SECOND_ROUNDS * SECOND_PARTS.length;
  const stages = 2;
  const threads = 1 + FIRST_PARTS.length;
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
