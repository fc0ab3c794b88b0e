// Seeded numbers for drawn worlds, of tests and of benchmarks. A stream draws one number after the other; a hash gives
// each item of a world its numbers without the items before it. The benchmarks import the kits of the tests, never the
// other way round.

/** Numbers from 0 to below 1, the same for the same seed (mulberry32, by Tommy Ettinger). */
export function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Normal numbers of mean 0 and deviation 1 out of uniform ones (Box and Muller). */
export function normal(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The items in a random order, as a new array (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/**
 * A well-mixed 32-bit number of (seed, index, salt): the finaliser of MurmurHash3 over a multiplicative combination.
 * Returns 0..2^32-1.
 */
export function hash32(seed: number, index: number, salt: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xcc9e2d51) ^ Math.imul(salt + 1, 0x1b873593);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** As `hash32`, as a fraction 0 <= x < 1. */
export function hashFraction(seed: number, index: number, salt: number): number {
  return hash32(seed, index, salt) / 2 ** 32;
}
