// Writes a table of the format Parquet (parquet.apache.org), a group of rows after the other.

import type { KeyValue } from 'hyparquet';
import type { ParquetColumn } from './parquet_columns.ts';

/** Readers unpack a group as a whole; larger ones are packed better. */
const GROUP_ROWS = 65_536;

/**
 * The bytes of a file.
 * @param rows a value for each column
 * @param metadata of the file, such as what its geometry is
 */
export async function* writeParquet(
  columns: readonly ParquetColumn[],
  rows: AsyncIterable<readonly unknown[]>,
  metadata: readonly KeyValue[] = [],
): AsyncGenerator<Buffer> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const bytes = new ByteWriter();
  const root = { name: 'schema', num_children: columns.length };
  const schema = [root, ...columns.map(({ element }) => element)];
  const writer = new ParquetWriter({ writer: bytes, schema, kvMetadata: [...metadata], createdBy: 'sextant' });
  let group: unknown[][] = columns.map(() => []);
  const take = (): Buffer => {
    const written = Buffer.from(bytes.getBytes());
    bytes.index = 0;
    return written;
  };
  const write = async (): Promise<Buffer> => {
    const columnData = columns.map(({ element: { name } }, i) => ({ name, data: group[i] }));
    group = columns.map(() => []);
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    return take();
  };
  for await (const row of rows) {
    for (const [i, { written }] of columns.entries()) group[i].push(written(row[i]));
    if (group[0].length === GROUP_ROWS) yield await write();
  }
  if (group[0].length > 0) yield await write();
  await writer.finish();
  yield take();
}
