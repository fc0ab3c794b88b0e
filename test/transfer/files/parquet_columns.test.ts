// Columns of Parquet files that become cells of a table, and are written again: each kind is what it was.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { writeParquet } from '../../../src/transfer/files/parquet_writer.ts';
import { openTable, type Table } from '../../../src/transfer/files/table_file.ts';
import { parquetOf, wkbOf } from '../../kits/parquet.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>;

function tableOf(content: Buffer): Promise<Table> {
  const path = join(temporaryFolder(), 'table.parquet');
  writeFileSync(path, content);
  return openTable(path);
}

async function rowsOf({ rows }: Table): Promise<{ cells: string[]; values: readonly unknown[] }[]> {
  const all: { cells: string[]; values: readonly unknown[] }[] = [];
  for await (const { cells, values } of rows()) all.push({ cells, values: values! });
  return all;
}

/** The table as it is written again. */
async function again(table: Table): Promise<Table> {
  const { columns, metadata } = table.parquet!;
  const rows = async function* () {
    for await (const { values } of table.rows()) yield values!;
  };
  const pieces: Buffer[] = [];
  for await (const piece of writeParquet(columns, rows(), metadata)) pieces.push(piece);
  return tableOf(Buffer.concat(pieces));
}

const MICROS = 1_777_881_600_433_123n;
const KINDS: readonly [element: Schema[number], value: unknown, text: string][] = [
  [{ name: 'flag', type: 'BOOLEAN' }, true, 'true'],
  [{ name: 'small', type: 'INT32' }, -7, '-7'],
  [{ name: 'large', type: 'INT64' }, 9_007_199_254_740_993n, '9007199254740993'],
  [{ name: 'single', type: 'FLOAT' }, 0.5, '0.5'],
  [{ name: 'degrees', type: 'DOUBLE' }, 47.1234567, '47.1234567'],
  [{ name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8' }, 'Köln, "x"', 'Köln, "x"'],
  [{ name: 'bytes', type: 'BYTE_ARRAY' }, new Uint8Array([1, 255]), '01ff'],
  [{ name: 'day', type: 'INT32', converted_type: 'DATE' }, 20_577, '2026-05-04'],
  [{ name: 'millis', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, MICROS / 1000n, '2026-05-04T08:00:00.433Z'],
  [{ name: 'micros', type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }, MICROS, '2026-05-04T08:00:00.433Z'],
  [
    { name: 'nanos', type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } },
    MICROS * 1000n,
    '2026-05-04T08:00:00.433Z',
  ],
];

test.each(KINDS.map(([element, value, text]) => [element.name, element, value, text] as const))(
  'a column of the kind "%s"',
  async (name, element, value, text) => {
    const schema = [{ name: 'root', num_children: 1 }, { repetition_type: 'OPTIONAL', ...element } as Schema[number]];
    const table = await tableOf(parquetOf([{ name, data: [value, null, value] as ColumnSource['data'] }], { schema }));
    const read = await rowsOf(table);
    expect(read.map(({ cells }) => cells)).toEqual([[text], [''], [text]]);
    const written = await again(table);
    expect(await rowsOf(written)).toEqual(read);
    const [{ element: before }] = [table.parquet!.columns[0]];
    expect(written.parquet!.columns[0].element).toEqual(before);
    for (const part of ['type', 'converted_type', 'logical_type'] as const)
      if (element[part] !== undefined) expect(before[part]).toEqual(element[part]);
  },
);

test('what few files have becomes text, and nothing is lost', async () => {
  const table = await tableOf(
    parquetOf([
      { name: 'json', data: [{ a: 1 }, null], type: 'JSON' },
      { name: 'uuid', data: ['123e4567-e89b-12d3-a456-426614174000', null], type: 'UUID' },
      { name: 'list', data: [['a', 'b'], null] as unknown as ColumnSource['data'] },
    ]),
  );
  const texts = [
    ['{"a":1}', '123e4567-e89b-12d3-a456-426614174000', '["a","b"]'],
    ['', '', ''],
  ];
  expect((await rowsOf(table)).map(({ cells }) => cells)).toEqual(texts);
  expect((await rowsOf(await again(table))).map(({ cells }) => cells)).toEqual(texts);
});

test('a decimal is a number where a double holds it, and else a text', async () => {
  const decimal = (name: string, precision: number) =>
    ({ name, type: 'INT64', converted_type: 'DECIMAL', scale: 2, precision, repetition_type: 'OPTIONAL' }) as const;
  const schema = [{ name: 'root', num_children: 2 }, decimal('price', 9), decimal('long', 18)] as Schema;
  const columns = ['price', 'long'].map(name => ({ name, data: [12.34, null] as ColumnSource['data'] }));
  const table = await tableOf(parquetOf(columns, { schema }));
  expect((await rowsOf(table)).map(({ cells }) => cells)).toEqual([
    ['12.34', '12.34'],
    ['', ''],
  ]);
  expect((await rowsOf(await again(table))).map(({ values }) => values)).toEqual([
    [12.34, '12.34'],
    [null, null],
  ]);
});

test('points of a geometry are columns, and it is written as it was', async () => {
  const point = { longitude: 9.52, latitude: 47.14 };
  const kvMetadata = [
    { key: 'geo', value: JSON.stringify({ version: '1.1.0', primary_column: 'geometry', columns: {} }) },
  ];
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
  ] as Schema;
  const table = await tableOf(parquetOf([{ name: 'geometry', data: [wkbOf(point), null] }], { schema, kvMetadata }));
  expect(table.header).toEqual(['longitude', 'latitude', 'geometry']);
  const [{ cells }, none] = await rowsOf(table);
  expect(cells).toEqual(['9.52', '47.14', Buffer.from(wkbOf(point)).toString('hex')]);
  expect(none.cells).toEqual(['', '', '']);
  expect(table.parquet!.metadata).toEqual(kvMetadata);
});

test('drawn numbers are the same after a second time, over several groups', async () => {
  const random = uniform(7);
  const data = Array.from({ length: 150_000 }, () => random() * 1e6 - 5e5);
  const table = await tableOf(parquetOf([{ name: 'x', data, type: 'DOUBLE' }], { rowGroupSize: 40_000 }));
  const written = await rowsOf(await again(table));
  expect(written).toHaveLength(data.length);
  expect(written.findIndex(({ values }, i) => values[0] !== data[i])).toBe(-1);
});

test('an encoding is none of it, and a damaged file is named', async () => {
  const path = join(temporaryFolder(), 'x.parquet');
  writeFileSync(path, parquetOf([{ name: 'x', data: [1] }]));
  await expect(openTable(path, 'utf-8')).rejects.toThrow(`${path} is a Parquet file, whose texts are UTF-8`);
  writeFileSync(path, 'PAR1 and no more');
  await expect(openTable(path)).rejects.toThrow(`${path} cannot be read as Parquet: `);
});
