// Reads a FlatBuffers schema, and reads and writes tables by what it says and with the library's own accessors: what
// any other program would do that knows the schema and nothing of ours. Of the language it knows what our schemas use:
// one table, structs of numbers, attributes `id`, `required` and `always`.

import { Builder, ByteBuffer } from 'flatbuffers';

/** Bytes of the types that a field can have in a table; a string and a vector are an offset. */
const SIZES: Record<string, number> = {
  bool: 1,
  byte: 1,
  ubyte: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  double: 8,
  string: 4,
};

/** A field of the table. */
export interface Field {
  name: string;
  slot: number;
  /** Of the field, or of the elements of its vector. */
  type: string;
  isVector: boolean;
  /** What an absent number or flag reads as; `null` when it is absent then, as strings and vectors always are. */
  fallback: number | boolean | null;
  /** A reader refuses a record without it: `required` or `always`. */
  mustBe: boolean;
}

/** A struct: its members in their order, with the offsets that alignment gives them. */
export interface Struct {
  bytes: number;
  alignment: number;
  offsets: Record<string, number>;
}

/** What a schema says. */
export interface Schema {
  /** By slot. */
  fields: Field[];
  structs: Record<string, Struct>;
}

/**
 * Values of a table by the names of their fields. Fields that are absent, or have their default, are left out. A vector
 * of structs is its bytes.
 */
export type Values = Record<string, unknown>;

/** @throws Error when the schema says something that this reader does not know, or its slots are not 0, 1, 2 ... */
export function readSchema(text: string): Schema {
  const code = text.replaceAll(/\/\/.*$/gm, '');
  const fields: Field[] = [];
  const structs: Record<string, Struct> = {};
  const rest = code
    .replaceAll(/attribute "always";/g, '')
    .replaceAll(/struct (\w+) \{([^}]*)\}/g, (_, name, body) => {
      structs[name] = readStruct(statementsOf(body));
      return '';
    })
    .replace(/table (\w+) \{([^}]*)\}\s*root_type \1;/, (_, _name, body) => {
      fields.push(...statementsOf(body).map(readField));
      return '';
    });
  if (rest.trim() !== '') throw new Error(`The schema says what this reader does not know: ${rest.trim()}`);
  fields.sort((a, b) => a.slot - b.slot);
  const wrong = fields.find(({ slot }, i) => slot !== i);
  if (wrong !== undefined)
    throw new Error(`The field ${wrong.name} has the id ${wrong.slot}, which is taken or leaves a gap.`);
  return { fields, structs };
}

function statementsOf(body: string): string[] {
  return body
    .split(';')
    .map(statement => statement.trim())
    .filter(statement => statement !== '');
}

function readStruct(members: string[]): Struct {
  const offsets: Record<string, number> = {};
  let alignment = 1;
  let bytes = 0;
  for (const member of members) {
    const [, name, array, count, single] = /^(\w+):(?:\[(\w+):(\d+)\]|(\w+))$/.exec(member)!;
    const size = SIZES[array ?? single];
    offsets[name] = Math.ceil(bytes / size) * size;
    bytes = offsets[name] + size * Number(count ?? 1);
    alignment = Math.max(alignment, size);
  }
  return { bytes: Math.ceil(bytes / alignment) * alignment, alignment, offsets };
}

function readField(statement: string): Field {
  const match = /^(\w+):(\[?)(\w+)\]?( = null)? \(id: (\d+)(, required|, always)?\)$/.exec(statement);
  if (match === null) throw new Error(`The schema has a field that this reader does not know: ${statement}`);
  const [, name, bracket, type, isNull, id, mark] = match;
  const isOffset = bracket !== '' || type === 'string';
  const fallback = isOffset || isNull !== undefined ? null : type === 'bool' ? false : 0;
  return { name, slot: Number(id), type, isVector: bracket !== '', fallback, mustBe: mark !== undefined };
}

/**
 * Reads a table. @throws Error when a field does not lie at a multiple of its size, or the table has fields that the
 * schema does not know
 */
export function readTable(schema: Schema, bytes: Uint8Array): Values {
  const buffer = new ByteBuffer(bytes);
  const table = buffer.readInt32(0);
  const known = 4 + 2 * schema.fields.length;
  const has = buffer.readUint16(table - buffer.readInt32(table));
  if (has > known) throw new Error(`The table has ${(has - 4) / 2} slots, and the schema ${schema.fields.length}.`);
  const values: Values = {};
  for (const field of schema.fields) {
    const offset = buffer.__offset(table, 4 + 2 * field.slot);
    if (offset === 0) continue;
    const at = aligned(field, table + offset, field.isVector ? 4 : SIZES[field.type]);
    const value = field.isVector ? readVector(schema, field, buffer, at) : readValue(field.type, buffer, at);
    if (value !== field.fallback) values[field.name] = value;
  }
  return values;
}

function readVector(schema: Schema, field: Field, buffer: ByteBuffer, at: number): unknown {
  const struct = schema.structs[field.type];
  const size = struct?.bytes ?? SIZES[field.type];
  const length = buffer.__vector_len(at);
  const start = aligned(field, buffer.__vector(at), struct?.alignment ?? size);
  if (struct !== undefined || size === 1) return Uint8Array.from(buffer.bytes().subarray(start, start + length * size));
  return Array.from({ length }, (_, i) => readValue(field.type, buffer, start + i * size));
}

function readValue(type: string, buffer: ByteBuffer, at: number): unknown {
  switch (type) {
    case 'bool':
      return buffer.readUint8(at) !== 0;
    case 'ubyte':
      return buffer.readUint8(at);
    case 'int':
      return buffer.readInt32(at);
    case 'uint':
      return buffer.readUint32(at);
    case 'double':
      return buffer.readFloat64(at);
    case 'string':
      return buffer.__string(at);
    default:
      throw new Error(`No field has the type ${type}.`);
  }
}

function aligned(field: Field, at: number, size: number): number {
  if (at % size !== 0)
    throw new Error(`The field ${field.name} stands at byte ${at}, which is no multiple of ${size}.`);
  return at;
}

/** Writes a table that has these values and no others; a value that is its field's default is written too. */
export function writeTable(schema: Schema, values: Values): Uint8Array {
  const builder = new Builder(64);
  builder.forceDefaults(true);
  const present = schema.fields.filter(({ name }) => values[name] !== undefined);
  const offsets = new Map(present.map(field => [field.name, writeOffset(schema, field, builder, values[field.name])]));
  builder.startObject(schema.fields.length);
  for (const { name, slot, type } of present) {
    const offset = offsets.get(name);
    if (offset !== undefined) builder.addFieldOffset(slot, offset, 0);
    else if (SIZES[type] === 8) builder.addFieldFloat64(slot, values[name] as number, 0);
    else if (SIZES[type] === 4) builder.addFieldInt32(slot, values[name] as number, 0);
    else builder.addFieldInt8(slot, Number(values[name]), 0);
  }
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/** @returns where the field's string or vector stands; undefined when it has none */
function writeOffset(schema: Schema, { type, isVector }: Field, builder: Builder, value: unknown): number | undefined {
  if (!isVector) return type === 'string' ? builder.createString(value as string) : undefined;
  const struct = schema.structs[type];
  if (struct !== undefined || SIZES[type] === 1) {
    const bytes = value as Uint8Array;
    const { bytes: size, alignment } = struct ?? { bytes: 1, alignment: 1 };
    builder.startVector(size, bytes.length / size, alignment);
    for (const byte of bytes.toReversed()) builder.writeInt8(byte);
    return builder.endVector();
  }
  const words = type === 'string' ? (value as string[]).map(text => builder.createString(text)) : (value as number[]);
  builder.startVector(4, words.length, 4);
  for (const word of words.toReversed()) {
    if (type === 'string') builder.addOffset(word);
    else builder.addInt32(word);
  }
  return builder.endVector();
}
