// Reads one FlatBuffers table from bytes that may be damaged. It follows an offset only when it stays within the bytes,
// so any bytes give a value or an Error. The library's own reader trusts the bytes and makes up numbers beyond their
// end.
//
// Each type of record has a schema, which documents the format: in docs/records, or in its folder (*.fbs) where its
// reader is written by hand. The accessors are not generated from it, because flatc's accessors for TypeScript trust
// the bytes and come without a verifier. A test reads and writes every field by the schema alone and so keeps both
// sides equal.
//
// Source: flatbuffers.dev/internals. The first word is the offset of the table. The table's first word is the distance
// back to its list of fields, which holds its own length, the table's length, and for each slot the field's offset in
// the table, 0 = absent. Little-endian.

/** Longer texts are decoded by the runtime; for shorter ones the call would take longer than the text. */
const SHORT_TEXT = 24;
const UTF8 = new TextDecoder();

/** One table. */
export class CheckedTable {
  private readonly bytes: Uint8Array;
  private readonly what: string;
  private readonly view: DataView;
  private readonly table: number;
  private readonly fields: number;
  private readonly fieldsEnd: number;
  private readonly tableBytes: number;

  /**
   * @param what name of the record, for error messages
   * @throws Error, as every member does, when the bytes end before what is read
   */
  constructor(bytes: Uint8Array, what: string) {
    this.bytes = bytes;
    this.what = what;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // Records are padded to whole words, so a cut shorter than the padding shows as well.
    if (bytes.length % 4 !== 0) throw this.damaged(`it ends after ${bytes.length} bytes`);
    this.table = this.view.getUint32(this.within(0, 4), true);
    this.fields = this.within(this.table - this.view.getInt32(this.within(this.table, 4), true), 4);
    this.fieldsEnd = this.fields + this.view.getUint16(this.fields, true);
    this.within(this.fields, this.fieldsEnd - this.fields);
    this.tableBytes = this.view.getUint16(this.fields + 2, true);
    this.within(this.table, this.tableBytes);
    if (this.fieldsEnd - this.fields < 4 || this.tableBytes < 4) throw this.damaged('its list of fields is none');
  }

  /** The field is there. */
  has(slot: number): boolean {
    return this.offset(slot) !== 0;
  }

  /** A double; NaN when absent. */
  float(slot: number): number {
    return this.has(slot) ? this.view.getFloat64(this.at(slot, 8), true) : Number.NaN;
  }

  /** A uint; 0 when absent. */
  unsigned(slot: number): number {
    return this.has(slot) ? this.view.getUint32(this.at(slot, 4), true) : 0;
  }

  /** An int; 0 when absent. */
  signed(slot: number): number {
    return this.has(slot) ? this.view.getInt32(this.at(slot, 4), true) : 0;
  }

  /** A ubyte; 0 when absent. */
  byte(slot: number): number {
    return this.has(slot) ? this.bytes[this.at(slot, 1)] : 0;
  }

  /** A bool; false when absent. */
  flag(slot: number): boolean {
    const byte = this.byte(slot);
    if (byte > 1) throw this.damaged(`field ${slot} is ${byte}, neither true nor false`);
    return byte === 1;
  }

  /** A string; empty when absent. */
  text(slot: number): string {
    return this.has(slot) ? this.textAt(this.at(slot, 4)) : '';
  }

  /** A vector of strings; empty when absent. */
  texts(slot: number): string[] {
    const vector = this.vector(slot, 4);
    const texts: string[] = [];
    for (let at = vector.start; at < vector.end; at += 4) texts.push(this.textAt(at));
    return texts;
  }

  /** A vector of uints; empty when absent. */
  unsigneds(slot: number): number[] {
    const vector = this.vector(slot, 4);
    const numbers: number[] = [];
    for (let at = vector.start; at < vector.end; at += 4) numbers.push(this.view.getUint32(at, true));
    return numbers;
  }

  /** A vector of structs, as a view of the bytes; empty when absent. */
  structs(slot: number, structBytes: number): Uint8Array {
    const { start, end } = this.vector(slot, structBytes);
    return this.bytes.subarray(start, end);
  }

  /** Where the elements of a vector stand. */
  private vector(slot: number, elementBytes: number): { start: number; end: number } {
    if (!this.has(slot)) return { start: 0, end: 0 };
    const reference = this.at(slot, 4);
    const vector = this.within(reference + this.view.getUint32(reference, true), 4);
    const length = this.view.getUint32(vector, true) * elementBytes;
    const start = this.within(vector + 4, length);
    return { start, end: start + length };
  }

  /** The string whose reference stands there, which is within the bytes. */
  private textAt(reference: number): string {
    const string = this.within(reference + this.view.getUint32(reference, true), 4);
    const length = this.view.getUint32(string, true);
    // A zero stands behind every string.
    if (this.bytes[this.within(string + 4, length + 1) + length] !== 0) throw this.damaged('a text does not end');
    return decodeText(this.bytes, string + 4, length);
  }

  /** An error that says what is wrong with the record. */
  damaged(reason: string): Error {
    return new Error(`${this.what} is damaged: ${reason}.`);
  }

  private at(slot: number, length: number): number {
    const offset = this.offset(slot);
    if (offset < 4 || offset + length > this.tableBytes)
      throw this.damaged(`field ${slot} stands outside of its table`);
    return this.table + offset;
  }

  /** Where a field stands in the table, 0 when it is absent. */
  private offset(slot: number): number {
    const at = this.fields + 4 + 2 * slot;
    return at + 2 <= this.fieldsEnd ? this.view.getUint16(at, true) : 0;
  }

  private within(start: number, length: number): number {
    const isWithin = start >= 0 && length >= 0 && start + length <= this.bytes.length;
    if (!isWithin) throw this.damaged(`it ends after ${this.bytes.length} bytes`);
    return start;
  }
}

function decodeText(bytes: Uint8Array, start: number, length: number): string {
  if (length > SHORT_TEXT) return UTF8.decode(bytes.subarray(start, start + length));
  let text = '';
  for (let i = start; i < start + length; i++) {
    if (bytes[i] > 127) return UTF8.decode(bytes.subarray(start, start + length));
    text += String.fromCharCode(bytes[i]);
  }
  return text;
}
