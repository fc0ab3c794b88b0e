// What was measured of one group of estimates in one region: by contributor, how often the error was which multiple of
// the radius that the estimate gave for each share of the truths. Multiples are counted in bins of equal ratio, and
// apart for a few sets of tracks, each track in one of them: tests of one track err alike, and what the sets differ by
// says how much. New tests count more than old ones, because a map that grows is another one than it was: each time
// that a contributor's tests have doubled, and when the counts are full, all of them are halved. So the newer half of
// the tests has three quarters of the weight.

/** Shares of the truths, percent, in the order of the radii everywhere in the calibration. */
export const SHARES = [50, 68, 95] as const;
/** Sets of tracks that are told apart. */
export const TRACK_SETS = 8;
/** Bins of multiples: four for each doubling, from 1/16 to 16. What lies beyond is in the outer bins. */
const BINS = 32;
const BINS_PER_OCTAVE = 4;
const BINS_BELOW_ONE = 16;
/** A test in a bin, so that halving keeps what is rare; and the tests at which a contributor's counts are halved. */
const UNITS = 16;
const FULL_TESTS = 1_024;
/** A contributor's tests at which the counts are halved for the first time, a power of two. */
const FIRST_HALVING = 64;
/** Contributors that are told apart; further ones have one vote together. */
const VOTERS = 15;
const OTHERS = 0xffff_ffff;
/** Contributor of trusted reports. */
export const TRUSTED = 0;

const COUNTS = SHARES.length * TRACK_SETS * BINS;
const HEADER_BYTES = 8;
const VOTER_BYTES = HEADER_BYTES + 2 * COUNTS;

/** The counts of one contributor. */
export interface Voter {
  /** Account; `TRUSTED`, or one number for all that found no place. */
  contributor: number;
  /** Tests counted so far, whatever they weigh now. */
  tests: number;
  /** By share, then by set of tracks, then by bin. */
  counts: Uint16Array;
}

/** The bin of a multiple above 0. */
function binOf(multiple: number): number {
  return Math.min(
    BINS - 1,
    Math.max(0, BINS_BELOW_ONE + Math.floor(Math.log2(Math.max(multiple, 1e-9)) * BINS_PER_OCTAVE)),
  );
}

/**
 * Counts a test.
 * @param set of tracks to which the track of the test belongs, 0 to `TRACK_SETS` - 1
 * @param multiples of the error and each radius
 */
export function countTest(voters: Voter[], contributor: number, set: number, multiples: readonly number[]): void {
  const voter = voterFor(voters, contributor);
  const { counts } = voter;
  voter.tests++;
  if (hasDoubled(voter.tests) || testsOf(counts) >= FULL_TESTS) for (let i = 0; i < counts.length; i++) counts[i] >>= 1;
  for (const [share, multiple] of multiples.entries())
    counts[(share * TRACK_SETS + set) * BINS + binOf(multiple)] += UNITS;
}

/** Weight of the tests in a contributor's counts. */
function testsOf(counts: Uint16Array): number {
  let units = 0;
  for (let i = 0; i < TRACK_SETS * BINS; i++) units += counts[i];
  return units / UNITS;
}

/** What the counts of a contributor say of the multiples for one share. One is used for all, one after the other. */
export class Multiples {
  /** Weight of the tests in each set of tracks, and of all. 1 is a test. */
  readonly perSet = new Float64Array(TRACK_SETS);
  tests = 0;
  private readonly bins = new Float64Array(BINS);
  private counts: Uint16Array = new Uint16Array(COUNTS);
  private first = 0;

  /** Takes the counts of a contributor. @param share index in `SHARES` */
  set({ counts }: Voter, share: number): void {
    this.counts = counts;
    this.first = share * TRACK_SETS * BINS;
    this.bins.fill(0);
    this.tests = 0;
    for (let set = 0; set < TRACK_SETS; set++) {
      let units = 0;
      for (let bin = 0; bin < BINS; bin++) {
        const count = counts[this.first + set * BINS + bin];
        this.bins[bin] += count;
        units += count;
      }
      this.perSet[set] = units / UNITS;
      this.tests += units / UNITS;
    }
  }

  /**
   * The place in the bins below which a share 0..1 of the tests lies, between the limits of its bin in proportion:
   * whole numbers are the lower limits.
   */
  placeOf(share: number): number {
    let left = this.tests * UNITS * share;
    let bin = 0;
    while (bin < BINS - 1 && this.bins[bin] < left) left -= this.bins[bin++];
    return bin + (this.bins[bin] === 0 ? 0 : left / this.bins[bin]);
  }

  /** The tests of a set of tracks that lie below a place in the bins. */
  testsBelow(set: number, place: number): number {
    const first = this.first + set * BINS;
    const whole = Math.floor(place);
    let units = 0;
    for (let bin = 0; bin < whole; bin++) units += this.counts[first + bin];
    if (whole < BINS) units += (place - whole) * this.counts[first + whole];
    return units / UNITS;
  }
}

/** Natural logarithm of the multiple at a place in the bins. */
export function logMultipleAt(place: number): number {
  return ((place - BINS_BELOW_ONE) / BINS_PER_OCTAVE) * Math.LN2;
}

/** True each time that a contributor's tests have doubled: then all of them are halved. */
function hasDoubled(tests: number): boolean {
  return tests >= FIRST_HALVING && Number.isInteger(Math.log2(tests));
}

/**
 * What was counted for a contributor. Contributors that find no place are counted together.
 * @param voters of one place; it may get one more
 */
function voterFor(voters: Voter[], contributor: number): Voter {
  const own = voters.find(each => each.contributor === contributor);
  if (own !== undefined) return own;
  // A place is kept for trusted reports.
  const isFull = contributor !== TRUSTED && voters.filter(each => each.contributor !== TRUSTED).length >= VOTERS;
  const others = isFull ? voters.find(each => each.contributor === OTHERS) : undefined;
  if (others !== undefined) return others;
  const voter = newVoter(isFull ? OTHERS : contributor);
  voters.push(voter);
  return voter;
}

function newVoter(contributor: number): Voter {
  return { contributor, tests: 0, counts: new Uint16Array(COUNTS) };
}

/** Encodes the counts of all contributors. */
export function encodeVoters(voters: readonly Voter[]): Buffer {
  const row = Buffer.alloc(voters.length * VOTER_BYTES);
  for (const [v, { contributor, tests, counts }] of voters.entries()) {
    const at = v * VOTER_BYTES;
    row.writeUInt32LE(contributor, at);
    row.writeUInt32LE(tests, at + 4);
    for (let i = 0; i < COUNTS; i++) row.writeUInt16LE(counts[i], at + HEADER_BYTES + 2 * i);
  }
  return row;
}

/** Decodes the counts of all contributors. @throws Error when the row is damaged */
export function decodeVoters(row: Buffer): Voter[] {
  if (row.length % VOTER_BYTES !== 0 || row.length > (VOTERS + 2) * VOTER_BYTES)
    throw new Error(
      `A row of the calibration has ${row.length} bytes: it is damaged, or version 0.3 wrote it. Learn again ` +
        `with "sextant aggregate --rebuild".`,
    );
  return Array.from({ length: row.length / VOTER_BYTES }, (_, v) => {
    const at = v * VOTER_BYTES;
    const counts = new Uint16Array(COUNTS);
    for (let i = 0; i < COUNTS; i++) counts[i] = row.readUInt16LE(at + HEADER_BYTES + 2 * i);
    return { contributor: row.readUInt32LE(at), tests: row.readUInt32LE(at + 4), counts };
  });
}
