// Sections of an index: named bytes, as views of one file in shared memory; and the growing lists of numbers that
// become sections.

/** Receives the sections of an index. */
export interface SectionWriter {
  /** Writes a section; its bytes must not change afterwards. */
  section(name: string, bytes: Uint8Array): void;
}

/** The words of a section; none if there is no such section. */
export function wordsOf(sections: ReadonlyMap<string, Uint8Array>, name: string): Int32Array {
  const bytes = sections.get(name);
  return bytes === undefined
    ? new Int32Array(0)
    : new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

/** Words as the bytes of a section. */
export function bytesOf(words: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

type NumberArray = Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

const CAPACITY_AT_START = 1024;

/** A growing list of numbers. */
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
