// Damages a record in every way that is one cut or one bit, and looks at what its reader makes of that. No format has a
// checksum: a flipped bit of a number can give another good number, so a reader must refuse what is damaged or return
// values that stand in their documented ranges.

import { expect } from 'vitest';

/** What a reader says of a record that it refuses: an error message of its own, not an error of the language. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error && error.constructor === Error && /damaged|this version reads format/.test(error.message)
  );
}

/**
 * Reads every beginning of a record. Each must be refused.
 * @param read of a record with nothing behind it in memory that it could take for its own
 */
export function expectCutsRefused(record: Uint8Array, read: (bytes: Buffer) => unknown): void {
  expect(() => read(alone(record))).not.toThrow();
  const accepted: number[] = [];
  for (let length = 0; length < record.length; length++) {
    try {
      // Behind the cut stand the bytes that were cut off: a reader that looks beyond the record finds what it hopes
      // for.
      read(within(record, length));
      accepted.push(length);
    } catch (error) {
      expect(isRefusal(error), `cut after ${length} bytes: ${error}`).toBe(true);
    }
  }
  expect(accepted, `of ${record.length} cuts these were accepted`).toEqual([]);
}

/**
 * Flips each bit of a record. Each reading must be refused or sound.
 * @param problemWith names what is out of its documented range
 */
export function expectFlipsSound<T>(
  record: Uint8Array,
  read: (bytes: Buffer) => T,
  problemWith: (value: T) => string | undefined,
): void {
  const faults: string[] = [];
  for (let bit = 0; bit < record.length * 8; bit++) {
    const flipped = alone(record);
    flipped[bit >> 3] ^= 1 << (bit & 7);
    try {
      const problem = problemWith(read(flipped));
      if (problem !== undefined) faults.push(`bit ${bit & 7} of byte ${bit >> 3}: ${problem}`);
    } catch (error) {
      expect(isRefusal(error), `bit ${bit & 7} of byte ${bit >> 3}: ${error}`).toBe(true);
    }
  }
  expect(faults).toEqual([]);
}

/** A copy in memory of its own. */
function alone(record: Uint8Array): Buffer {
  return Buffer.from(new Uint8Array(record).buffer);
}

/** The first `length` bytes, as LMDB gives them: a view of a longer buffer. */
function within(record: Uint8Array, length: number): Buffer {
  return Buffer.from(new Uint8Array(record).buffer, 0, length);
}

/** Names the first member that fails its test. */
export function firstFault(tests: Record<string, boolean>): string | undefined {
  return Object.keys(tests).find(name => !tests[name]);
}
