// A growing list of whole numbers in a typed array, without a boxed value for each.

type NumberArray = Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

const CAPACITY_AT_START = 1024;

/** A growing list of 32-bit numbers. */
export class NumberList<T extends NumberArray> {
  /** Count of its numbers. */
  length = 0;
  private array: T;
  private readonly kind: new (
    length: number,
  ) => T;

  constructor(kind: new (length: number) => T) {
    this.kind = kind;
    this.array = new kind(CAPACITY_AT_START);
  }

  push(...values: number[]): void {
    this.append(values);
  }

  append(values: ArrayLike<number>): void {
    const end = this.length + values.length;
    if (end > this.array.length) {
      const larger = new this.kind(Math.max(end, 2 * this.array.length));
      larger.set(this.array);
      this.array = larger;
    }
    this.array.set(values, this.length);
    this.length = end;
  }

  /** Its numbers, as a view of its memory. */
  values(): T {
    return this.array.subarray(0, this.length) as T;
  }
}
