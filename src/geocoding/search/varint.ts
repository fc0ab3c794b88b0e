// Lists of whole numbers as bytes: ascending ones as differences, seven bits a byte, the lowest first.

/** Appends bytes to a buffer that grows. */
export class ByteWriter {
  private bytes = Buffer.alloc(1_024);
  private end = 0;

  /** @param value 0..2^32-1 */
  varint(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.end++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.end++] = rest;
  }

  /** Positive and negative alike. @param value -2^31..2^31-1 */
  signed(value: number): void {
    this.varint(((value << 1) ^ (value >> 31)) >>> 0);
  }

  /** A text of ASCII characters, its length first. */
  text(text: string): void {
    this.varint(text.length);
    this.reserve(text.length);
    this.end += this.bytes.write(text, this.end, 'latin1');
  }

  /** Copies what was written and begins again. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.end));
    this.end = 0;
    return taken;
  }

  private reserve(count: number): void {
    if (this.end + count <= this.bytes.length) return;
    const larger = Buffer.alloc(2 * this.bytes.length + count);
    this.bytes.copy(larger);
    this.bytes = larger;
  }
}

/** Reads what `ByteWriter` wrote. Beyond the end it reads zeros. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  varint(): number {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = this.bytes[this.at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte >= 0x80);
    return value >>> 0;
  }

  signed(): number {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** True when the text that follows is this one; it is passed over. */
  isText(text: string): boolean {
    const length = this.varint();
    const start = this.at;
    this.at += length;
    if (length !== text.length) return false;
    for (let i = 0; i < length; i++) if (this.bytes[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }
}

/** Ascending numbers as bytes. */
export function encodeAscending(writer: ByteWriter, numbers: Uint32Array): Buffer {
  let last = 0;
  for (const number of numbers) {
    writer.varint(number - last);
    last = number;
  }
  return writer.take();
}

/** Calls back with the numbers that were written, at most so many. */
export function forEachAscending(bytes: Uint8Array, limit: number, visit: (number: number) => void): void {
  const reader = new ByteReader(bytes);
  let last = 0;
  for (let left = limit; left > 0 && !reader.isAtEnd; left--) {
    last += reader.varint();
    visit(last);
  }
}
