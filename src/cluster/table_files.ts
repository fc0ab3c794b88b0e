// The tables of features as files of the object store: their pieces, by their order.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FeatureTables } from '../feature.ts';
import { piecesOf } from '../tables/environment/table_pieces.ts';
import type { SharedTables } from './manifest.ts';
import { type Objects, storePiece } from './objects.ts';

/**
 * Lists the pieces of tables as they are at this moment. Tables are made where there are none, so that all nodes have
 * them.
 * @param objects stores pieces there
 * @param stored pieces that it has for certain
 */
export async function filesOfTables(
  folder: string,
  { openOrCreate }: FeatureTables,
  objects?: Objects,
  stored: SharedTables['files'] = {},
): Promise<SharedTables['files']> {
  const known = new Set(Object.values(stored).map(({ hash }) => hash));
  const tables = await openOrCreate(folder);
  const transaction = tables.root.useReadTransaction();
  const files: SharedTables['files'] = {};
  try {
    let number = 0;
    for (const { hash, bytes } of piecesOf(tables, transaction)) {
      if (objects !== undefined && !known.has(hash)) await storePiece(objects, hash, bytes);
      files[number++] = { hash, bytes: bytes.length };
      // Charges wait for the same thread.
      await nextTurn();
    }
  } finally {
    transaction.done();
    await tables.root.close();
  }
  return files;
}
