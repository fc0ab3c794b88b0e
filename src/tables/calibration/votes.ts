// What was measured of one group of estimates in one region: by contributor, how often the error was which multiple of the radius that the estimate gave for
// each share of the truths. Multiples are counted in bins of equal ratio. New tests count more than old ones: when a contributor's counts are full, all of them
// are halved.

/** Shares of the truths, percent, in the order of the radii everywhere in the calibration. */
export const SHARES = [50, 68, 95] as const;
/** Bins of multiples: six for each doubling, from 1/32 to 32. What lies beyond is in the outer bins. */
const BINS = 60;
const BINS_PER_OCTAVE = 6;
const BINS_BELOW_ONE = 30;
/** A test in a bin, so that halving keeps what is rare; and the tests at which a contributor's counts are halved. */
const UNITS = 16;
const FULL_TESTS = 512;
/** Contributors that are told apart; further ones have one vote together. */
const VOTERS = 15;
const OTHERS = 0xffff_ffff;
/** Contributor of trusted reports. */
export const TRUSTED = 0;

const VOTER_BYTES = 4 + SHARES.length * BINS * 2;

/** The counts of one contributor. */
export interface Voter {
  /** Account; `TRUSTED`, or one number for all that found no place. */
  contributor: number;
  /** By share, then by bin. */
  counts: Uint16Array;
}

/** The bin of a multiple above 0. */
function binOf(multiple: number): number {
  return Math.min(BINS - 1, Math.max(0, BINS_BELOW_ONE + Math.floor(Math.log2(Math.max(multiple, 1e-9)) * BINS_PER_OCTAVE)));
}

/** The multiple at a place in the bins: whole numbers are the lower limits. */
function multipleAt(place: number): number {
  return 2 ** ((place - BINS_BELOW_ONE) / BINS_PER_OCTAVE);
}

/** Counts a test. @param multiples of the error and each radius */
export function countTest(voters: Voter[], contributor: number, multiples: readonly number[]): void {
  const { counts } = voterFor(voters, contributor);
  if (testsOf(counts) >= FULL_TESTS) for (let i = 0; i < counts.length; i++) counts[i] >>= 1;
  for (const [share, multiple] of multiples.entries()) counts[share * BINS + binOf(multiple)] += UNITS;
}

/** Tests in a contributor's counts. */
export function testsOf(counts: Uint16Array): number {
  let units = 0;
  for (let bin = 0; bin < BINS; bin++) units += counts[bin];
  return units / UNITS;
}

/** The multiple below which a share of the tests lies, between the limits of its bin in proportion. */
export function multipleOf(counts: Uint16Array, share: number): number {
  const first = share * BINS;
  let units = 0;
  for (let bin = 0; bin < BINS; bin++) units += counts[first + bin];
  let left = (units * SHARES[share]) / 100;
  let bin = 0;
  while (bin < BINS - 1 && counts[first + bin] < left) left -= counts[first + bin++];
  return multipleAt(bin + (counts[first + bin] === 0 ? 0 : left / counts[first + bin]));
}

function voterFor(voters: Voter[], contributor: number): Voter {
  const own = voters.find(each => each.contributor === contributor);
  if (own !== undefined) return own;
  // A place is kept for trusted reports.
  const isFull = contributor !== TRUSTED && voters.filter(each => each.contributor !== TRUSTED).length >= VOTERS;
  const others = isFull ? voters.find(each => each.contributor === OTHERS) : undefined;
  if (others !== undefined) return others;
  const voter = { contributor: isFull ? OTHERS : contributor, counts: new Uint16Array(SHARES.length * BINS) };
  voters.push(voter);
  return voter;
}

/** Encodes the counts of all contributors. */
export function encodeVoters(voters: readonly Voter[]): Buffer {
  const row = Buffer.alloc(voters.length * VOTER_BYTES);
  for (const [v, { contributor, counts }] of voters.entries()) {
    row.writeUInt32LE(contributor, v * VOTER_BYTES);
    for (const [i, count] of counts.entries()) row.writeUInt16LE(count, v * VOTER_BYTES + 4 + 2 * i);
  }
  return row;
}

/** Decodes the counts of all contributors. @throws Error when the row is damaged */
export function decodeVoters(row: Buffer): Voter[] {
  if (row.length % VOTER_BYTES !== 0 || row.length > (VOTERS + 2) * VOTER_BYTES)
    throw new Error(`A row of the calibration is damaged: it has ${row.length} bytes.`);
  return Array.from({ length: row.length / VOTER_BYTES }, (_, v) => ({
    contributor: row.readUInt32LE(v * VOTER_BYTES),
    counts: Uint16Array.from({ length: SHARES.length * BINS }, (_, i) => row.readUInt16LE(v * VOTER_BYTES + 4 + 2 * i)),
  }));
}
