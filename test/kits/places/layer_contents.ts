// Every byte of the places of a data folder, to compare two folders.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { currentLayer, placesFolder } from '../../../src/tables/places/generations.ts';
import { WORD_DATABASES } from '../../../src/tables/places/layer.ts';

/** The rows of all tables, and the index. */
export async function contentsOfLayer(folder: string): Promise<string[]> {
  const path = currentLayer(placesFolder(folder))!;
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>({ path, ...binary, noSubdir: false, maxDbs: 16, readOnly: true });
  const rows = ['places', ...WORD_DATABASES].flatMap(name =>
    Array.from(
      root.openDB<Buffer, Buffer>(name, binary).getRange(),
      ({ key, value }) => `${name} ${key.toString('hex')} ${value.toString('hex')}`,
    ),
  );
  await root.close();
  return [...rows, readFileSync(join(path, 'index', 'data.mdb'), 'hex')];
}
