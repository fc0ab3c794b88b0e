// The knee of a sweep: the arrival rate up to which a service keeps pace. Beyond it the queue grows for as long as the load lasts, and every percentile takes off.
// The median shows this best: pauses of a virtual machine move the slow requests at every rate, but hardly the median. The knee is the rate at which the median
// latency reaches KNEE_FACTOR times its lowest value, with straight lines between the measured rates on a logarithmic scale of latency.

/** Median latency at the knee, in multiples of the lowest median of the sweep. */
export const KNEE_FACTOR = 5;
/** A server that answers less than this share of the arrivals, while they last or soon after, does not keep pace either. */
const ANSWERED_SHARE = 0.95;

/** What the finder needs to know of one measured rate. */
export interface SweptRate {
  /** Arrivals a second. */
  rate: number;
  /** Median latency, any unit. */
  p50: number;
  /** Answered share of the arrivals, 0..1. */
  answeredShare: number;
}

/** Whether the service did not keep pace at a rate. @param lowest lowest median of the sweep */
export function isOverKnee(point: SweptRate, lowest: number): boolean {
  return point.answeredShare < ANSWERED_SHARE || point.p50 > KNEE_FACTOR * lowest;
}

/** Lowest median of a sweep. @throws Error without rates */
export function lowestMedian(points: readonly SweptRate[]): number {
  if (points.length === 0) throw new Error('A sweep without rates has no lowest median.');
  return Math.min(...points.map(({ p50 }) => p50));
}

/**
 * The knee in arrivals a second. One slow rate with a good one above it was an accident of the machine and does not count.
 * @param points in any order
 * @returns undefined if the service kept pace at the highest rate, or at none
 */
export function findKnee(points: readonly SweptRate[]): number | undefined {
  const rising = [...points].sort((a, b) => a.rate - b.rate);
  const lowest = lowestMedian(rising);
  let over = rising.length;
  for (let at = 0; at < rising.length; at++) {
    if (isOverKnee(rising[at], lowest) && (at + 1 === rising.length || isOverKnee(rising[at + 1], lowest))) {
      over = at;
      break;
    }
  }
  if (over === 0 || over === rising.length) return undefined;
  const [below, above] = [rising[over - 1], rising[over]];
  const limit = Math.log(KNEE_FACTOR * lowest);
  const [from, to] = [Math.log(Math.max(below.p50, Number.MIN_VALUE)), Math.log(above.p50)];
  // A point can count as over because answers were missing, although those that came were quick.
  if (to <= limit || from >= limit) return (below.rate + above.rate) / 2;
  return below.rate + ((limit - from) / (to - from)) * (above.rate - below.rate);
}
