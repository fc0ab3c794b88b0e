// The knee: the arrival rate up to which a service keeps pace. Beyond it the queue grows for as long as the load lasts.
// So the service is flooded: more requests arrive than it can answer, it is never idle, and the answers a second are
// the knee. The rate at which latency takes off is less certain: it moves with each pause of the machine, and lies
// between two measured rates.

import { median } from '../statistics.ts';
import type { MeasuredKnee } from './report.ts';

/** A service that answers less than this share of the arrivals while they last does not keep pace. */
const KEPT_SHARE = 0.95;

/**
 * Whether a service fell behind. @param slice with the answers that came while the load lasted, in parts of the
 * arrivals
 */
export function isFlooded({ answeredShare }: { answeredShare: number }): boolean {
  return answeredShare < KEPT_SHARE;
}

/**
 * The knee in arrivals a second by several floods, of which those count that the service did not keep pace with. The
 * writer learns on after a flood: what it takes longer for than the flood lasted is above the knee, too.
 * @param floods answers a second, and processor time of the writer for a request in microseconds
 */
export function kneeOf(floods: readonly { answers: number; answeredShare: number; writer: number }[]): MeasuredKnee {
  const rounds = floods
    .filter(isFlooded)
    .map(({ answers, writer }) => Math.min(answers, 1e6 / Math.max(writer, Number.EPSILON)));
  return rounds.length === 0 ? { rounds } : { rounds, rate: median(rounds) };
}
