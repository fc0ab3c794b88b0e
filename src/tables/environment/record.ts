// The description of a record: its fields, with their numbers, what they hold, and what they mean. The type of the
// record, its writer, its reader and its schema in docs/records come from it.
//
// A record is one FlatBuffers table, so an absent field takes no room and a later version can append fields. The reader
// trusts no byte (checked_table.ts) and refuses a value out of its range.
//
// Reports and places, which are read by the million, have code that names each field: a report is read in 0.25
// microseconds by that, and in 0.45 by a description (one core of a shared Xeon, Node 24). So have records of which a
// member is made of two fields.

import { Builder } from 'flatbuffers';
import { CheckedTable } from './checked_table.ts';

/** Most records take less. */
const USUAL_BYTES = 256;

/** What a field holds. Texts and vectors stand outside of the table, which has their offset. */
export interface FieldType<T> {
  /** Its type in the language of schemas. */
  schema: string;
  /** The struct that its vector is made of, as a schema defines it. */
  struct?: string;
  /** What it may hold, in the words of a schema. Only who writes one asks: numbers with commas take 11 ms to begin. */
  range?(): string;
  /** Gives a value the form in which the table has it. @returns undefined for what is left out, as an empty list is */
  store(builder: Builder, value: T): number | undefined;
  /** Puts that into the table. */
  add(builder: Builder, id: number, stored: number): void;
  /** Reads a field that is there. @param name of its member @throws Error when it is damaged */
  read(table: CheckedTable, id: number, name: string): T;
}

/** A field. */
export interface Field<T, Presence extends 'must' | 'may' | 'or' = 'must' | 'may' | 'or'> {
  /** Number of its slot in the table. Never reuse one. */
  id: number;
  type: FieldType<T>;
  /** A record without it is refused; the member may be absent; the member then has a value that says so. */
  presence: Presence;
  /** With `or`: that value. */
  absent?: T;
  /** What it means. */
  text: string;
}

/** Fields by the names of their members. */
type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;
type Optional<F extends Fields> = { [M in keyof F]: F[M] extends Field<unknown, 'may'> ? M : never }[keyof F];

/** The record with these fields. */
export type RecordOf<F extends Fields> = {
  -readonly [M in Exclude<keyof F, Optional<F>>]: ValueOf<F[M]>;
} & { -readonly [M in Optional<F>]?: ValueOf<F[M]> };

/** A field that every record has. */
export function must<T>(id: number, type: FieldType<T>, text: string): Field<T, 'must'> {
  return { id, type, presence: 'must', text };
}

/** A field that may be absent, and its member with it. */
export function may<T>(id: number, type: FieldType<T>, text: string): Field<T, 'may'> {
  return { id, type, presence: 'may', text };
}

/** A field that is absent where the member has a certain value. */
export function or<T, A>(id: number, type: FieldType<T>, absent: A, text: string): Field<T | A, 'or'> {
  return { id, type: type as FieldType<T | A>, presence: 'or', absent, text };
}

/** Writes and reads one kind of record. */
export interface RecordCodec<F extends Fields> {
  /** `The record of a …`. */
  readonly what: string;
  /** As they were described. */
  readonly fields: F;
  encode(record: RecordOf<F>): Uint8Array;
  /**
   * Decodes a record into one that does not refer to the bytes.
   * @throws Error when the bytes are none, or a value is out of its range
   */
  decode(bytes: Uint8Array): RecordOf<F>;
}

/**
 * Describes a kind of record.
 * @param name of what is recorded, for error messages
 * @param first numbers of the fields that the table has first, where that is not their order
 */
export function record<F extends Fields>(name: string, fields: F, first: readonly number[] = []): RecordCodec<F> {
  const what = `The record of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
  const byId = Object.entries(fields)
    .map(([member, field]) => ({ member, ...field }))
    .sort((a, b) => a.id - b.id);
  const place = ({ id }: Field<unknown>) => (first.includes(id) ? first.indexOf(id) - first.length : id);
  const inOrder = byId.toSorted((a, b) => place(a) - place(b));
  // A number that is no longer used has a slot as well.
  const slots = byId.at(-1)!.id + 1;
  return { what, fields, encode, decode };

  function encode(values: Readonly<Record<string, unknown>>): Uint8Array {
    const builder = new Builder(USUAL_BYTES);
    // What is false or zero must stay apart from what is absent.
    builder.forceDefaults(true);
    const stored: (number | undefined)[] = new Array(slots);
    for (const { id, member, type, absent } of byId) {
      const value = values[member];
      if (value !== absent) stored[id] = type.store(builder, value);
    }
    builder.startObject(slots);
    for (const { id, type } of inOrder) {
      const value = stored[id];
      if (value !== undefined) type.add(builder, id, value);
    }
    builder.finish(builder.endObject());
    return builder.asUint8Array();
  }

  function decode(bytes: Uint8Array): RecordOf<F> {
    const table = new CheckedTable(bytes, what);
    const values: Record<string, unknown> = {};
    for (const { member, id, type, presence, absent } of byId) {
      if (table.has(id)) values[member] = type.read(table, id, member);
      else if (presence === 'must') throw table.damaged(`it lacks its ${member}`);
      else if (presence === 'or') values[member] = absent;
    }
    return values as RecordOf<F>;
  }
}

// The types of fields.

const INLINE = { store: (_: Builder, value: number) => value };
const OUTSIDE = { add: (builder: Builder, id: number, at: number) => builder.addFieldOffset(id, at, 0) };
const DAY_MS = 86_400_000;
/** The last day of four digits. */
const LATEST_DAY = 2_932_896;

/** A whole number, 0 to 2^32-1 at most. */
export function uint(least: number, most: number): FieldType<number> {
  return {
    schema: 'uint',
    range: () => rangeOf(least, most),
    ...INLINE,
    add: (builder, id, value) => builder.addFieldInt32(id, value, 0),
    read: (table, id, name) => within(table, name, table.unsigned(id), least, most),
  };
}

/** A number. */
export function double(least: number, most: number): FieldType<number> {
  return {
    schema: 'double',
    range: () => rangeOf(least, most),
    ...INLINE,
    add: (builder, id, value) => builder.addFieldFloat64(id, value, 0),
    read: (table, id, name) => within(table, name, table.float(id), least, most),
  };
}

/** Yes or no. */
export const bool: FieldType<boolean> = {
  schema: 'bool',
  store: (_, value) => Number(value),
  add: (builder, id, value) => builder.addFieldInt8(id, value, 0),
  read: (table, id) => table.flag(id),
};

/** A day as `YYYY-MM-DD`, stored as a number of days. */
export const day: FieldType<string> = {
  ...uint(0, LATEST_DAY),
  range: () => `days since 1970-01-01, ${rangeOf(0, LATEST_DAY)}`,
  store: (_, value) => Date.parse(value) / DAY_MS,
  read: (table, id, name) => {
    const days = within(table, name, table.unsigned(id), 0, LATEST_DAY);
    return new Date(days * DAY_MS).toISOString().slice(0, 10);
  },
};

/** A text that is not empty. */
export const text: FieldType<string> = {
  schema: 'string',
  ...OUTSIDE,
  store: (builder, value) => builder.createString(value),
  read: (table, id, name) => {
    const value = table.text(id);
    if (value === '') throw table.damaged(`its ${name} is empty`);
    return value;
  },
};

/** Texts in their order. */
export const texts: FieldType<string[]> = {
  schema: '[string]',
  ...OUTSIDE,
  store: (builder, value) => {
    const offsets = value.map(each => builder.createString(each));
    builder.startVector(4, offsets.length, 4);
    for (const offset of offsets.reverse()) builder.addOffset(offset);
    return builder.endVector();
  },
  read: (table, id) => table.texts(id),
};

/**
 * So many bytes, with a form of their own.
 * @param read gives a copy of them their value; undefined where they have none
 */
export function packed<T>(
  length: number,
  write: (value: T) => Uint8Array,
  read: (bytes: Buffer) => T | undefined,
): FieldType<T> {
  return {
    schema: '[ubyte]',
    range: () => `${length} bytes`,
    ...OUTSIDE,
    store: (builder, value) => builder.createByteVector(write(value)),
    read: (table, id, name) => {
      const bytes = Buffer.from(table.structs(id, 1));
      const value = bytes.length === length ? read(bytes) : undefined;
      if (value === undefined) throw table.damaged(`its ${name} of ${bytes.length} bytes is none`);
      return value;
    },
  };
}

function rangeOf(least: number, most: number): string {
  return `${least.toLocaleString('en')} to ${most.toLocaleString('en')}`;
}

function within(table: CheckedTable, name: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value;
  throw table.damaged(`its ${name} is ${value}, which is not from ${least} to ${most}`);
}
