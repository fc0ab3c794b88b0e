// Parquet files of addresses in the schema of Overture Maps, for tests and benchmarks.

import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { GivenAddress } from '../../src/geocoding/import/houses/address_file.ts';

export const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'] as const;

/** How a file is written. */
interface Form {
  codec?: (typeof CODECS)[number];
  rowGroupSize?: number;
  /** The town is the last level of the address, and not named as that of the post. */
  inLevels?: boolean;
}

const compressors = { GZIP: gzipSync, BROTLI: brotliCompressSync, ZSTD: zstdCompressSync };
const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const;

/** A table of Overture's theme of addresses. */
export function overtureParquet(
  addresses: readonly GivenAddress[],
  { codec = 'ZSTD', rowGroupSize = 3, inLevels = false }: Form = {},
): Buffer {
  const levels = ({ city }: GivenAddress) => [{ value: 'A State' }, { value: inLevels ? city : 'A District' }];
  const texts = {
    country: () => 'LI',
    postcode: ({ postcode }: GivenAddress) => postcode,
    street: ({ street }: GivenAddress) => street,
    number: ({ number }: GivenAddress) => number,
    postal_city: ({ city }: GivenAddress) => (inLevels ? '' : city),
  };
  const columns: ColumnSource[] = Object.entries(texts).map(([name, of]) => ({
    name,
    data: addresses.map(each => of(each) || null),
  }));
  columns.unshift({ name: 'geometry', data: addresses.map(wkbOf) });
  columns.push({ name: 'address_levels', data: addresses.map(levels) });
  return parquetOf(columns, {
    ...{ codec, rowGroupSize },
    schema: [
      { name: 'root', num_children: columns.length },
      { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      ...Object.keys(texts).map(name => ({ name, ...TEXT })),
      { name: 'address_levels', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'OPTIONAL', num_children: 1 },
      { name: 'value', ...TEXT },
    ],
    kvMetadata: [{ key: 'geo', value: JSON.stringify({ primary_column: 'geometry', columns: {} }) }],
  });
}

/** A Parquet file. */
export function parquetOf(
  columnData: ColumnSource[],
  options: Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'> = {},
): Buffer {
  return Buffer.from(parquetWriteBuffer({ columnData, compressors, ...options }));
}

/** A point in Well-Known Binary. */
export function wkbOf({ longitude, latitude }: Pick<GivenAddress, 'longitude' | 'latitude'>): Uint8Array {
  const bytes = Buffer.alloc(21);
  bytes.writeUInt8(1);
  bytes.writeUInt32LE(1, 1);
  bytes.writeDoubleLE(longitude, 5);
  bytes.writeDoubleLE(latitude, 13);
  return bytes;
}
