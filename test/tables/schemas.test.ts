// Holds the schemas of records (docs/records, and src/tables where readers and writers are written by hand) and their
// readers and writers together. What ours writes is read
// by the schema alone and with the library's accessors, and the other way round: all fields at once, each alone, and
// each missing.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_CHANNEL,
  OBSERVATION_FLAGS,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
} from '../../src/radio/query/layout.ts';
import { KEY_BYTES_MAX } from '../../src/radio/station_key.ts';
import { RECORD_SCHEMAS } from '../docs/record_schemas.ts';
import { readSchema, readTable, type Schema, type Values, writeTable } from './flatbuffers_schema.ts';
import { accounts, buildings, fingerprints, floors, type Kind, places, reports, rooms } from './schema_records.ts';

const SOURCES = 'src';

const SCHEMAS: [path: string, kind: Kind<object>][] = [
  ['docs/records/account.fbs', accounts],
  ['docs/records/building.fbs', buildings],
  ['docs/records/floor.fbs', floors],
  ['docs/records/room.fbs', rooms],
  ['src/indoor/tables/fingerprints/fingerprint.fbs', fingerprints],
  ['src/tables/observations/report.fbs', reports],
  ['src/tables/places/place.fbs', places],
];

function schemaAt(path: string): Schema {
  return readSchema(readFileSync(path, 'utf8'));
}

/** Values without those that are absent or have their default. */
function stated({ fields }: Schema, values: Values): Values {
  const fallbacks = new Map(fields.map(({ name, fallback }) => [name, fallback]));
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && value !== fallbacks.get(name)),
  );
}

describe.each(SCHEMAS)('%s', (path, kind) => {
  const schema = schemaAt(path);
  const { encode, decode, bare, full, zeros } = kind;
  const valuesOf = (record: object) => stated(schema, kind.valuesOf(record));
  const names = schema.fields.map(({ name }) => name);

  test('names every field that the record has', () => {
    expect(Object.keys(kind.alone).sort()).toEqual([...names].sort());
    expect(Object.keys(valuesOf(full)).sort()).toEqual([...names].sort());
    const mustBe = schema.fields.filter(field => field.mustBe).map(({ name }) => name);
    expect(Object.keys(valuesOf(bare)).sort()).toEqual(mustBe.sort());
  });

  test.each([
    ['nothing that may be absent', bare],
    ['everything', full],
    ['zeros', zeros],
  ])('agrees with our writer and our reader on a record with %s', (_, record) => {
    expect(readTable(schema, encode(record))).toEqual(valuesOf(record));
    expect(decode(writeTable(schema, valuesOf(record)))).toEqual(record);
    expect(decode(encode(record))).toEqual(record);
  });

  test.each(names)('agrees with our writer and our reader on the field %s', name => {
    const record = { ...bare, ...kind.alone[name] };
    const values = valuesOf(record);
    expect(values[name]).not.toEqual(valuesOf(bare)[name]);
    expect(readTable(schema, encode(record))).toEqual(values);
    expect(decode(writeTable(schema, values))).toEqual(record);
  });

  test.each(schema.fields)('agrees with our reader on a record without $name', ({ name, fallback, mustBe }) => {
    const values = valuesOf({ ...bare, ...kind.alone[name] });
    const { [name]: _, ...others } = values;
    if (mustBe) {
      expect(() => decode(writeTable(schema, others))).toThrow(/^The record of an? \w+ is damaged: it .*\.$/);
      return;
    }
    expect(valuesOf(decode(writeTable(schema, others)))).toEqual(others);
    if (fallback !== null)
      expect(valuesOf(decode(writeTable(schema, { ...others, [name]: fallback })))).toEqual(others);
  });
});

test('an observation has the same bytes in a report as in a query', () => {
  expect(schemaAt('src/tables/observations/report.fbs').structs).toEqual({
    Observation: {
      bytes: OBSERVATION_BYTES,
      alignment: 4,
      offsets: {
        key: 0,
        signal_dbm: OBSERVATION_SIGNAL,
        frequency_or_code: OBSERVATION_FREQUENCY,
        age_ms: OBSERVATION_AGE,
        timing_advance: OBSERVATION_TIMING,
        flags: OBSERVATION_FLAGS,
        channel: OBSERVATION_CHANNEL,
      },
    },
  });
  expect(OBSERVATION_SIGNAL).toBe(KEY_BYTES_MAX);
});

describe('of all files', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const users = files.filter(
    file => file.endsWith('.ts') && /from 'flatbuffers'/.test(readFileSync(join(SOURCES, file), 'utf8')),
  );

  test('every schema is held here, and every writer of FlatBuffers has one', () => {
    const byHand = files.filter(file => file.endsWith('.fbs')).map(file => join(SOURCES, file));
    expect([...RECORD_SCHEMAS.keys(), ...byHand].sort()).toEqual(SCHEMAS.map(([path]) => path));
    const found = (pattern: RegExp) =>
      files.flatMap(file =>
        file.endsWith('.ts') ? [...readFileSync(join(SOURCES, file), 'utf8').matchAll(pattern)].map(() => file) : [],
      );
    expect(found(/ = record\(/g)).toHaveLength(RECORD_SCHEMAS.size);
    const writers = found(/new Builder\(/g).filter(file => file !== 'tables/environment/record.ts');
    expect(writers.map(file => join(SOURCES, dirname(file))).sort()).toEqual(byHand.map(file => dirname(file)).sort());
  });

  test('none reads with accessors that trust their bytes', () => {
    for (const file of users) expect(readFileSync(join(SOURCES, file), 'utf8'), file).not.toContain('ByteBuffer');
  });
});
