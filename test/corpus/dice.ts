// Chance for the drawn world and the drawn requests. Every part of the corpus rolls dice of its own, so that a change
// in one part leaves the others as they are.

import { normal, uniform } from '../kits/random.ts';

/** Seeded dice. */
export class Dice {
  private readonly random: () => number;
  private readonly bell: () => number;

  constructor(seed: number) {
    this.random = uniform(seed);
    this.bell = normal(this.random);
  }

  /** A number from `min` to `max`. */
  between(min: number, max: number): number {
    return min + this.random() * (max - min);
  }

  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number {
    return Math.floor(this.between(min, max + 1));
  }

  /** A normal number of mean 0. */
  normal(deviation: number): number {
    return this.bell() * deviation;
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.whole(0, values.length - 1)];
  }
}
