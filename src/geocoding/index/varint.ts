// Numbers of one to ten bytes, in the encoding of Protocol Buffers: seven bits a byte, lowest first, with the top bit
// set on all but the last byte. Signed numbers are zigzag-encoded so that small ones stay short: 0, -1, 1, -2 become 0,
// 1, 2, 3.
//
// Numbers here are JavaScript's, whole up to 2^53. Seven bytes hold 49 bits, for which plain arithmetic is exact.
// Longer ones, which only negative numbers without zigzag need, go through BigInt.

/** Malformed bytes. The reader of a file catches it and names the file. */
export class BadDataError extends Error {}

/** Reads from bytes and never beyond their end. */
export class ByteReader {
  bytes: Buffer;
  at: number;
  end: number;

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** An unsigned number, 0..2^53 - 1. @throws BadDataError at the end and for other numbers */
  unsigned(): number {
    // Most numbers are one byte.
    if (this.at < this.end && this.bytes[this.at] < 128) return this.bytes[this.at++];
    const value = this.int64();
    if (value < 0) throw new BadDataError(`The number ${value} must not be negative.`);
    return value;
  }

  /** A zigzag-encoded number. @throws BadDataError like `unsigned` */
  signed(): number {
    const folded = this.unsigned();
    if (folded < 2 ** 31) return (folded >>> 1) ^ -(folded & 1);
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }

  /** A signed number without zigzag; negative ones take ten bytes. @throws BadDataError at the end and beyond 2^53 */
  int64(): number {
    const start = this.at;
    let value = 0;
    // Four bytes fit into a 32-bit integer.
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    for (let scale = 2 ** 28; scale < 2 ** 49; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    this.at = start;
    return this.longInt64();
  }

  byte(): number {
    if (this.at >= this.end) throw new BadDataError('Data end inside of a number.');
    return this.bytes[this.at++];
  }

  /** Skips `length` bytes. @returns where they begin @throws BadDataError if there are fewer */
  skip(length: number): number {
    if (length > this.end - this.at) throw new BadDataError('Data end inside of a field.');
    const start = this.at;
    this.at += length;
    return start;
  }

  /** A string: its length, then its UTF-8 bytes. @throws BadDataError if it is incomplete */
  text(): string {
    const length = this.unsigned();
    const start = this.skip(length);
    return this.bytes.toString('utf8', start, this.at);
  }

  /**
   * Skips a string. @param text to compare with, ASCII @returns true if they are equal @throws BadDataError like `text`
   */
  isText(text: string): boolean {
    const length = this.unsigned();
    const start = this.skip(length);
    if (length !== text.length) return false;
    for (let i = 0; i < length; i++) if (this.bytes[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  private longInt64(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return wholeOf(BigInt.asIntN(64, value));
    }
    throw new BadDataError('A number is longer than ten bytes.');
  }
}

/** Writes to a growing buffer. */
export class ByteWriter {
  bytes: Uint8Array = new Uint8Array(1024);
  length = 0;

  /** @param value 0..2^53 - 1 */
  unsigned(value: number): void {
    this.reserve(8);
    let left = value;
    while (left >= 128) {
      this.bytes[this.length++] = (left % 128) | 128;
      left = Math.floor(left / 128);
    }
    this.bytes[this.length++] = left;
  }

  /** @param value whole, -2^52..2^52 */
  signed(value: number): void {
    this.unsigned(value < 0 ? -value * 2 - 1 : value * 2);
  }

  put(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes a string: its length, then its UTF-8 bytes. */
  text(value: string): void {
    // A UTF-16 unit is at most three bytes of UTF-8.
    this.reserve(value.length * 3 + 8);
    const bytes = Buffer.byteLength(value);
    this.unsigned(bytes);
    this.length += encoder.encodeInto(value, this.bytes.subarray(this.length)).written;
  }

  /** What was written, as a view that is valid until the next write or `clear`. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  /** Copies what was written and starts again. */
  take(): Buffer {
    const taken = Buffer.from(this.view());
    this.clear();
    return taken;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + bytes));
    grown.set(this.view());
    this.bytes = grown;
  }
}

const encoder = new TextEncoder();

function wholeOf(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new BadDataError(`The number ${value} is too large.`);
  return number;
}
