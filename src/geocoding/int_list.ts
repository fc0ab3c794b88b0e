// Whole numbers one after another, four bytes each: shapes of a country while they are read.

const FIRST_LENGTH = 1024;
const GROWTH = 1.5;

/** Grows as it is filled. */
export class IntList {
  length = 0;
  private values = new Int32Array(FIRST_LENGTH);

  push(value: number): void {
    this.reserve(1);
    this.values[this.length++] = value;
  }

  pushAll(values: Int32Array): void {
    this.reserve(values.length);
    this.values.set(values, this.length);
    this.length += values.length;
  }

  /** A view of what was pushed, until more is. */
  view(): Int32Array {
    return this.values.subarray(0, this.length);
  }

  /** As bytes for a section. */
  bytes(): Uint8Array {
    return new Uint8Array(this.values.buffer, 0, this.length * 4);
  }

  private reserve(count: number): void {
    if (this.length + count <= this.values.length) return;
    const longer = new Int32Array(Math.ceil(Math.max(this.length + count, this.values.length * GROWTH)));
    longer.set(this.view());
    this.values = longer;
  }
}
