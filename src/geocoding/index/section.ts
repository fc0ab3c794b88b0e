// Sections of an index: named bytes, as views of one file in shared memory; and the growing lists of numbers that
// become sections.

import type { ScratchFile, ScratchFiles } from '../../tables/environment/scratch_file.ts';

/** Receives the sections of an index. */
export interface SectionWriter {
  /** Writes a section; its bytes must not change afterwards. */
  section(name: string, bytes: Uint8Array): void;
  /** Writes a section part by part, each used before the next one is asked for; absent where all stay in memory. */
  sectionOfParts?(name: string, parts: Iterable<Uint8Array>): void;
}

/** Writes numbers as a section. */
export function writeNumbers(writer: SectionWriter, name: string, numbers: Iterable<Int32Array>): void {
  if (writer.sectionOfParts !== undefined) {
    writer.sectionOfParts(name, bytesOfParts(numbers));
    return;
  }
  const all = new NumberList(Int32Array);
  for (const part of numbers) all.append(part);
  writer.section(name, bytesOf(all.values()));
}

function* bytesOfParts(numbers: Iterable<Int32Array>): Generator<Uint8Array> {
  for (const part of numbers) yield bytesOf(part);
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
/** A longer list in memory grows by a quarter. */
const DOUBLED_MAX = 2 ** 22;
/** More numbers than these are copied by one call. */
const COPIED_MIN = 32;
/** Numbers that a list on disk holds in memory. */
const HELD_MAX = 2 ** 16;

/** A growing list of numbers, in memory or, for as many as there may be, on disk. */
export class NumberList<T extends NumberArray> {
  /** Numbers at the end of the list, which are in memory, and how many there are. */
  private array: T;
  private held = 0;
  private readonly kind: new (
    length: number,
  ) => T;
  private readonly scratch: ScratchFiles | undefined;
  private file: ScratchFile | undefined;

  /** @param scratch where a long list is kept until it is complete; by default it stays in memory */
  constructor(kind: new (length: number) => T, scratch?: ScratchFiles) {
    this.kind = kind;
    this.array = new kind(CAPACITY_AT_START);
    this.scratch = scratch;
  }

  /** Count of its numbers. */
  get length(): number {
    return this.held + (this.file === undefined ? 0 : this.file.bytes / this.array.BYTES_PER_ELEMENT);
  }

  push(...values: number[]): void {
    this.append(values);
  }

  append(values: ArrayLike<number>): void {
    if (this.scratch !== undefined && this.held >= HELD_MAX) this.spill(this.scratch);
    const end = this.held + values.length;
    if (end > this.array.length) {
      const { length } = this.array;
      const larger = new this.kind(Math.max(end, length < DOUBLED_MAX ? 2 * length : 1.25 * length));
      larger.set(this.array);
      this.array = larger;
    }
    // A typed array takes a few numbers of another array faster one by one.
    if (values.length > COPIED_MIN) this.array.set(values, this.held);
    else for (let i = 0; i < values.length; i++) this.array[this.held + i] = values[i];
    this.held = end;
  }

  private spill(scratch: ScratchFiles): void {
    this.file ??= scratch.open();
    this.file.append(new Uint8Array(this.array.buffer, 0, this.held * this.array.BYTES_PER_ELEMENT));
    this.held = 0;
  }

  /** Its numbers, some at a time; each part is valid until the next one. */
  *parts(): Generator<T> {
    if (this.file !== undefined) {
      const part = new this.kind(HELD_MAX);
      const bytes = new Uint8Array(part.buffer);
      for (let at = 0; at < this.file.bytes; at += bytes.length)
        yield part.subarray(0, this.file.read(bytes, at) / part.BYTES_PER_ELEMENT) as T;
    }
    yield this.array.subarray(0, this.held) as T;
  }

  /** Its numbers: a view of its memory, or read from disk. */
  values(): T {
    const held = this.array.subarray(0, this.held) as T;
    if (this.file === undefined) return held;
    const all = new this.kind(this.length);
    this.file.read(new Uint8Array(all.buffer, 0, this.file.bytes), 0);
    all.set(held, all.length - held.length);
    return all;
  }
}
