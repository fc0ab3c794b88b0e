// What tests found of one kind of station in one country and month: how many there were, how many truths lay inside the
// radius that an answer would have had, and the errors, counted in bins of equal ratio.

/** Bins of errors: four for each doubling, from 1 m. */
const ERROR_BINS = 80;
const BINS_PER_OCTAVE = 4;
const MEASURED_BYTES = 4 * (4 + ERROR_BINS);

/** The counts. */
export interface Measured {
  tests: number;
  /** Truths inside the radii for 50, 68 and 95 %. */
  inside: number[];
  errors: number[];
}

/** Nothing was found yet. */
export function newMeasured(): Measured {
  return { tests: 0, inside: [0, 0, 0], errors: new Array<number>(ERROR_BINS).fill(0) };
}

/** Counts a test. @param radii in metres, for 50, 68 and 95 % */
export function countError(measured: Measured, errorMetres: number, radii: readonly number[]): void {
  measured.tests++;
  for (const [share, radius] of radii.entries()) if (errorMetres <= radius) measured.inside[share]++;
  measured.errors[
    Math.min(ERROR_BINS - 1, Math.max(0, Math.floor(Math.log2(Math.max(errorMetres, 1)) * BINS_PER_OCTAVE)))
  ]++;
}

/** Adds what was found elsewhere. */
export function addMeasured(to: Measured, { tests, inside, errors }: Measured): void {
  to.tests += tests;
  for (const [share, count] of inside.entries()) to.inside[share] += count;
  for (const [bin, count] of errors.entries()) to.errors[bin] += count;
}

/**
 * The error in metres below which a share 0..1 of the tests lies, between the limits of its bin in proportion. NaN
 * without tests.
 */
export function errorQuantile({ tests, errors }: Measured, share: number): number {
  if (tests === 0) return Number.NaN;
  let left = tests * share;
  let bin = 0;
  while (bin < ERROR_BINS - 1 && errors[bin] < left) left -= errors[bin++];
  return 2 ** ((bin + left / Math.max(1, errors[bin])) / BINS_PER_OCTAVE);
}

/** Encodes the counts. */
export function encodeMeasured({ tests, inside, errors }: Measured): Buffer {
  const row = Buffer.alloc(MEASURED_BYTES);
  for (const [i, count] of [tests, ...inside, ...errors].entries()) row.writeUInt32LE(count, 4 * i);
  return row;
}

/** Decodes the counts. @throws Error when they are damaged */
export function decodeMeasured(row: Buffer): Measured {
  if (row.length !== MEASURED_BYTES)
    throw new Error(`A row of measured errors is damaged: it has ${row.length} bytes instead of ${MEASURED_BYTES}.`);
  const counts = Array.from({ length: MEASURED_BYTES / 4 }, (_, i) => row.readUInt32LE(4 * i));
  const measured = { tests: counts[0], inside: counts.slice(1, 4), errors: counts.slice(4) };
  if (measured.inside.some(count => count > measured.tests))
    throw new Error('A row of measured errors is damaged: more truths lie inside than there were.');
  return measured;
}
