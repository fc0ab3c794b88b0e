// What a column of a Parquet file is to a table: its values as texts, which is what tables have, and as values that are
// written again into another file. Times and whole numbers stay bit by bit what they are. Decimals of up to 15
// digits become numbers, and what few files have (identifiers, lists, structures) texts.

import type { SchemaElement, SchemaTree } from 'hyparquet';

/** A column. */
export interface ParquetColumn {
  /** As it is written. */
  element: SchemaElement;
  /** A value as a cell of a table; empty for none. */
  text(value: unknown): string;
  /** A value as it is written. */
  written(value: unknown): unknown;
}

/** Whole numbers of these are read and written as they are. */
const PLAIN_NUMBERS: ReadonlySet<string | undefined> = new Set([undefined, 'INT_8', 'INT_16', 'INT_32', 'INT_64']);
/** Decimals that a double holds, whatever their point. */
const DOUBLE_DIGITS = 15;
const DAY_MS = 86_400_000;
const UNITS_PER_MS: Readonly<Record<string, number>> = { MILLIS: 1, MICROS: 1e3, NANOS: 1e6 };
const OPTIONAL = 'OPTIONAL';

/** A column of texts. */
export function textColumn(name: string): ParquetColumn {
  return {
    element: { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: OPTIONAL },
    text: textOfValue,
    written: orNone(textOfValue),
  };
}

/** A column of numbers, from texts. */
export function numberColumn(name: string, type: 'DOUBLE' | 'INT32'): ParquetColumn {
  return {
    element: { name, type, repetition_type: OPTIONAL },
    text: textOfValue,
    written: value => (value === '' || value === undefined ? undefined : Number(value)),
  };
}

/** What a column is, by the schema of its file. @param isGeometry its bytes are Well-Known Binary */
export function parquetColumn({ element, children }: SchemaTree, isGeometry: boolean): ParquetColumn {
  const { name, type, converted_type: converted, logical_type: logical } = element;
  if (children.length > 0) return textColumn(name);
  if (type === 'INT96') return { ...textColumn(name), text: timeText('NANOS'), written: orNone(timeText('NANOS')) };
  const as = (more: Partial<SchemaElement>, text = textOfValue): ParquetColumn => ({
    element: { name, repetition_type: OPTIONAL, ...more } as SchemaElement,
    text,
    written: value => value ?? undefined,
  });
  const unit = logical?.type === 'TIMESTAMP' ? logical.unit : /^TIMESTAMP_(.*)$/.exec(converted ?? '')?.[1];
  if (type === 'INT64' && unit !== undefined && unit in UNITS_PER_MS) {
    const stated = logical?.type === 'TIMESTAMP' ? { logical_type: logical } : {};
    return as({ type, ...(converted !== undefined && { converted_type: converted }), ...stated }, timeText(unit));
  }
  if (converted === 'DATE' || logical?.type === 'DATE') return as({ type: 'INT32', converted_type: 'DATE' }, dateText);
  if (isGeometry || (type === 'BYTE_ARRAY' && converted === undefined && logical === undefined))
    return as({ type: 'BYTE_ARRAY' });
  if (type === 'BOOLEAN' || type === 'FLOAT' || type === 'DOUBLE') return as({ type });
  if (converted === 'DECIMAL' && (element.precision ?? 0) <= DOUBLE_DIGITS) return as({ type: 'DOUBLE' });
  const isSigned = logical === undefined || (logical.type === 'INTEGER' && logical.isSigned);
  if ((type === 'INT32' || type === 'INT64') && PLAIN_NUMBERS.has(converted) && isSigned) return as({ type });
  // A text of JSON is read as its bytes.
  return converted === 'JSON' || logical?.type === 'JSON' ? asJson(name) : textColumn(name);
}

function asJson(name: string): ParquetColumn {
  const text = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString() : textOfValue(value));
  return { ...textColumn(name), text, written: orNone(text) };
}

function orNone(text: (value: unknown) => string): (value: unknown) => string | undefined {
  return value => (value === null || value === undefined ? undefined : text(value));
}

/** A value as text: bytes as hexadecimal digits, lists and structures as JSON. */
export function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner === 'bigint') return Number.isSafeInteger(Number(inner)) ? Number(inner) : String(inner);
    return inner instanceof Uint8Array ? Buffer.from(inner).toString('hex') : inner;
  });
}

function timeText(unit: string): (value: unknown) => string {
  const perMs = UNITS_PER_MS[unit];
  return value => {
    if (typeof value !== 'bigint' && typeof value !== 'number') return textOfValue(value);
    const date = new Date(Number(value) / perMs);
    return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
  };
}

function dateText(value: unknown): string {
  if (typeof value !== 'number') return textOfValue(value);
  const date = new Date(value * DAY_MS);
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString().slice(0, 10);
}
