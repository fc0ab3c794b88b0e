// Rows and keys of fixed size: named numbers, one after the other. What the name of a type does not say: numbers are
// little-endian; those of keys (`…Key`) are big-endian, so that LMDB orders rows by value.

/** How a number lies in a row. */
interface NumberType {
  bytes: number;
  write(to: Buffer, value: number, at: number): unknown;
  read(from: Buffer, at: number): number;
}

const WORD = 2 ** 32;

export const u8: NumberType = {
  bytes: 1,
  write: (to, value, at) => to.writeUInt8(value, at),
  read: (from, at) => from[at],
};
export const u32: NumberType = {
  bytes: 4,
  write: (to, value, at) => to.writeUInt32LE(value, at),
  read: (from, at) => from.readUInt32LE(at),
};
export const i32: NumberType = {
  bytes: 4,
  write: (to, value, at) => to.writeInt32LE(value, at),
  read: (from, at) => from.readInt32LE(at),
};
export const f32: NumberType = {
  bytes: 4,
  write: (to, value, at) => to.writeFloatLE(value, at),
  read: (from, at) => from.readFloatLE(at),
};
export const f64: NumberType = {
  bytes: 8,
  write: (to, value, at) => to.writeDoubleLE(value, at),
  read: (from, at) => from.readDoubleLE(at),
};
export const u16Key: NumberType = {
  bytes: 2,
  write: (to, value, at) => to.writeUInt16BE(value, at),
  read: (from, at) => from.readUInt16BE(at),
};
export const u32Key: NumberType = {
  bytes: 4,
  write: (to, value, at) => to.writeUInt32BE(value, at),
  read: (from, at) => from.readUInt32BE(at),
};
export const u48Key: NumberType = {
  bytes: 6,
  write: (to, value, at) => to.writeUIntBE(value, at, 6),
  read: (from, at) => from.readUIntBE(at, 6),
};
/** 0..2^53-1 in eight bytes. */
export const u64Key: NumberType = {
  bytes: 8,
  write: (to, value, at) => to.writeUInt32BE(value % WORD, to.writeUInt32BE(Math.floor(value / WORD), at)),
  read: (from, at) => from.readUInt32BE(at) * WORD + from.readUInt32BE(at + 4),
};

/** The layout of a row. */
export class Row<Name extends string> {
  /** Its length. */
  readonly bytes: number = 0;
  private readonly fields: readonly { name: Name; type: NumberType; at: number }[];

  /** @param types of its numbers, in their order */
  constructor(types: Readonly<Record<Name, NumberType>>) {
    const fields: { name: Name; type: NumberType; at: number }[] = [];
    for (const name of Object.keys(types) as Name[]) {
      fields.push({ name, type: types[name], at: this.bytes });
      this.bytes += types[name].bytes;
    }
    this.fields = fields;
  }

  encode(values: Readonly<Record<Name, number>>): Buffer {
    const row = Buffer.allocUnsafe(this.bytes);
    this.write(row, values, 0);
    return row;
  }

  /** Writes the row at byte `at` of others. */
  write(to: Buffer, values: Readonly<Record<Name, number>>, at: number): void {
    for (const field of this.fields) field.type.write(to, values[field.name], at + field.at);
  }

  /** Reads the row at byte `at` of others. @throws RangeError where they end before it */
  read(from: Buffer, at = 0): Record<Name, number> {
    const values = {} as Record<Name, number>;
    for (const field of this.fields) values[field.name] = field.type.read(from, at + field.at);
    return values;
  }

  /** Reads a row; undefined where there is none, or it has another length. */
  readWhole(row: Buffer | undefined): Record<Name, number> | undefined {
    return row?.length === this.bytes ? this.read(row) : undefined;
  }

  /** Reads a row. @param what it is, in the error message @throws Error when it has another length */
  decode(row: Buffer, what: string): Record<Name, number> {
    if (row.length === this.bytes) return this.read(row);
    throw new Error(`${what} is damaged: it has ${row.length} bytes instead of ${this.bytes}.`);
  }
}

/** A number of 32 bits as a key or as a value, big-endian. */
export function numberKey(number: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(number);
  return key;
}

/** A number 0..2^53-1 as a key of eight bytes, which LMDB orders by value. */
export function sequenceKey(sequence: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  u64Key.write(key, sequence, 0);
  return key;
}

/** The inverse of `sequenceKey`, also for a key that begins with one. */
export function readSequence(key: Buffer): number {
  return u64Key.read(key, 0);
}
