// Counters of intake: how many reports and observations came, how many were accepted, and which rule refused the
// others. All threads that screen reports add into one shared memory, and whoever shows figures reads it. Each counter
// is exact, but a reader may see a report counted before its observations.

import { INTAKE_RULES, type RuleName } from './rules.ts';

const REPORTS = 0;
const ACCEPTED = 1;
const DUPLICATES = 2;
const OBSERVATIONS = 3;
const ACCEPTED_OBSERVATIONS = 4;
/** One for each rule, in the order of the list. */
const RULES = 5;

/** Bytes of a tally's memory. */
export const TALLY_BYTES = (RULES + INTAKE_RULES.length) * 8;

const SLOT_OF_RULE: ReadonlyMap<RuleName, number> = new Map(INTAKE_RULES.map(({ name }, i) => [name, RULES + i]));

/** The figures of a tally. */
interface TallyJson {
  /** Reports screened: accepted and refused. */
  reports: number;
  accepted: number;
  refused: number;
  /** Accepted reports that the observation log held already. */
  duplicates: number;
  /** Entries of all reports screened. */
  observations: number;
  /** An iBeacon with an address is two. */
  acceptedObservations: number;
  /** Only rules that refused something, in the order of the list; reports or observations, as the rule refuses them. */
  refusedByRule: Partial<Record<RuleName, number>>;
}

/** Counters of intake. */
export class Tally {
  private readonly counters: BigUint64Array;

  /** @param memory TALLY_BYTES of zeroes, shared where several threads count together */
  constructor(memory: ArrayBufferLike = new ArrayBuffer(TALLY_BYTES)) {
    this.counters = new BigUint64Array(memory, 0, TALLY_BYTES / 8);
  }

  /** Counts a report that is about to be screened, and its entries. */
  countReport(observations: number): void {
    this.add(REPORTS, 1);
    this.add(OBSERVATIONS, observations);
  }

  /** Counts a report as accepted, with its remaining observations. */
  accept(observations: number): void {
    this.add(ACCEPTED, 1);
    this.add(ACCEPTED_OBSERVATIONS, observations);
  }

  /** Counts reports or observations that a rule refused. */
  refuse(rule: RuleName, count = 1): void {
    this.add(SLOT_OF_RULE.get(rule)!, count);
  }

  /** Counts accepted reports that were known already. */
  countDuplicates(reports: number): void {
    this.add(DUPLICATES, reports);
  }

  /** Adds all counters of another tally. */
  addAll(other: Tally): void {
    for (const slot of this.counters.keys()) this.add(slot, other.read(slot));
  }

  /** The figures so far. */
  toJSON(): TallyJson {
    const refusedByRule: Partial<Record<RuleName, number>> = {};
    for (const [rule, slot] of SLOT_OF_RULE) {
      const count = this.read(slot);
      if (count > 0) refusedByRule[rule] = count;
    }
    // Accepted reports are read before all reports, so that the difference is never negative.
    const accepted = this.read(ACCEPTED);
    const acceptedObservations = this.read(ACCEPTED_OBSERVATIONS);
    const reports = this.read(REPORTS);
    return {
      reports,
      accepted,
      refused: reports - accepted,
      duplicates: this.read(DUPLICATES),
      observations: this.read(OBSERVATIONS),
      acceptedObservations,
      refusedByRule,
    };
  }

  private add(slot: number, count: number): void {
    Atomics.add(this.counters, slot, BigInt(count));
  }

  private read(slot: number): number {
    return Number(Atomics.load(this.counters, slot));
  }
}
