// A file of tiles (PMTiles, version 3) with one vector tile of the world: a square of land and a town in its middle.

import { writeFileSync } from 'node:fs';
import { ByteWriter } from '../../../src/geocoding/index/varint.ts';
import { TileLayer, tileOf } from '../../../src/tiles/vector_tile.ts';

const HEADER_BYTES = 127;
/** No compression, of directories and of tiles. */
const PLAIN = 1;
const VECTOR_TILES = 1;

/** Writes the file. @param town its name @returns the path */
export function writeTileFile(path: string, town: string): string {
  const earth = new TileLayer('earth', 1_000);
  earth.addArea([[1_024, 1_024, 3_072, 1_024, 3_072, 3_072, 1_024, 3_072, 1_024, 1_024]], {});
  const places = new TileLayer('places', 1_000);
  places.addPoint(2_048, 2_048, { name: town });
  const tile = tileOf([earth, places]);
  const directory = new ByteWriter();
  // One entry: tile 0, which runs once, its length, and its offset plus one.
  for (const number of [1, 0, 1, tile.length, 1]) directory.unsigned(number);
  const root = directory.take();
  const metadata = Buffer.from(JSON.stringify({ vector_layers: ['earth', 'places'].map(id => ({ id, fields: {} })) }));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles');
  header[7] = 3;
  let end = HEADER_BYTES;
  for (const [at, length] of [
    [8, root.length],
    [24, metadata.length],
    [40, 0],
    [56, tile.length],
  ]) {
    header.writeBigUInt64LE(BigInt(end), at);
    header.writeBigUInt64LE(BigInt(length), at + 8);
    end += length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at);
  header.set([1, PLAIN, PLAIN, VECTOR_TILES, 0, 0], 96);
  for (const [at, degrees] of [
    [102, -180],
    [106, -85],
    [110, 180],
    [114, 85],
  ])
    header.writeInt32LE(degrees * 1e7, at);
  writeFileSync(path, Buffer.concat([header, root, metadata, tile]));
  return path;
}
