// A histogram in shared memory, with the buckets of Prometheus. One thread adds to it and others read it, so its
// numbers are plain: a processor of 64 bits reads and writes an aligned float whole. A reader may see a value counted
// and not yet summed.

/** Numbers that a histogram of so many bounds takes. */
export const histogramLength = (bounds: readonly number[]): number => bounds.length + 2;

/** What a histogram holds. */
export interface HistogramFigures {
  /** How many values lie at or below each bound, and last how many there are. */
  atMost: number[];
  sum: number;
}

/** One histogram. */
export class SharedHistogram {
  private readonly bounds: readonly number[];
  private readonly numbers: Float64Array;
  private readonly from: number;

  /**
   * @param bounds ascending
   * @param numbers shared memory, zeros at the beginning
   * @param from index of the first of its `histogramLength(bounds)` numbers
   */
  constructor(bounds: readonly number[], numbers: Float64Array, from: number) {
    this.bounds = bounds;
    this.numbers = numbers;
    this.from = from;
  }

  /** Counts a value. */
  add(value: number): void {
    const { bounds, numbers, from } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) bucket++;
    numbers[from + bucket] += 1;
    numbers[from + bounds.length + 1] += value;
  }

  /** What was counted so far. */
  read(): HistogramFigures {
    const { bounds, numbers, from } = this;
    let sum = 0;
    const atMost = Array.from(numbers.subarray(from, from + bounds.length + 1), count => {
      sum += count;
      return sum;
    });
    return { atMost, sum: numbers[from + bounds.length + 1] };
  }
}
