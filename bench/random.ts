// Seeded numbers. Everything a benchmark draws comes from here, so that a run can be repeated and every item of a world can be had without the
// items before it.

/** A well-mixed 32-bit number of (seed, index, salt): the finaliser of MurmurHash3 over a multiplicative combination. Returns 0..2^32-1. */
export function hash32(seed: number, index: number, salt: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xcc9e2d51) ^ Math.imul(salt + 1, 0x1b873593);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** As `hash32`, as a fraction 0 <= x < 1. */
export function hashFraction(seed: number, index: number, salt: number): number {
  return hash32(seed, index, salt) / 4294967296;
}

/** A stream of fractions 0 <= x < 1 (mulberry32). */
export function randomStream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let h = Math.imul(state ^ (state >>> 15), state | 1);
    h ^= h + Math.imul(h ^ (h >>> 7), h | 61);
    return ((h ^ (h >>> 14)) >>> 0) / 4294967296;
  };
}

/** One draw of a normal distribution with mean 0 and deviation 1 (Box and Muller). */
export function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
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
