// Checks a layer of places: ids have no gap, each place can be read and names only earlier places, the databases of
// search by words can be read to their end, and the index is as it was written.

import { existsSync } from 'node:fs';
import { type Check, type TableCheck, WHOLE, walkRows } from '../environment/check_walk.ts';
import { type LayerTables, metaOf, WORD_DATABASES } from './layer.ts';
import { checkIndex as checkEveryByte } from './layer_index.ts';
import { decodePlace } from './place_record.ts';

/** What helps against damaged places. */
export const IMPORT_EXTRACTS = 'import the extracts again with "sextant import osm"';
/** The same against a damaged table of importance. */
export const IMPORT_IMPORTANCE = 'import it again with "sextant import importance"';
const ID_BYTES = 4;

/**
 * Walks through a layer.
 * @param folder of the layer; an import may remove it meanwhile, but open files stay readable
 */
export async function checkPlaces(folder: string, tables: LayerTables, check: Check): Promise<void> {
  const { root, places, words } = tables;
  check.begin('places', [places, ...WORD_DATABASES.map(name => words[name])]);
  checkIndex(folder, check.table('place index', IMPORT_EXTRACTS));
  const records = check.table('places', IMPORT_EXTRACTS);
  let last = 0;
  await walkRows(root, places, records, (key, record) => {
    if (key.length !== ID_BYTES) {
      records.find('key', `key ${key.toString('hex')}`, 'it is no number of a place');
      return;
    }
    const id = key.readUInt32BE();
    if (id !== last + 1) records.find('key', `place ${id}`, `it follows place ${last}`);
    last = id;
    records.findSome('record', `place ${id}`, problemWith(record, id));
  });
  const { count } = metaOf(tables);
  if (count !== last) records.find('counter', WHOLE, `there should be ${count} places, and the last is place ${last}`);
  for (const name of WORD_DATABASES)
    await walkRows(root, words[name], check.table(`place ${name}`, IMPORT_EXTRACTS), () => {});
}

function problemWith(record: Buffer, id: number): string | undefined {
  try {
    const { parent, rows } = decodePlace(record);
    const named = [parent, ...rows].find(other => other >= id);
    if (named !== undefined) return `it names place ${named}, which does not stand before it`;
    if (rows.includes(0)) return 'a row of its address is no place';
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^The record of a place is damaged: (.*)\.$/, '$1');
  }
}

function checkIndex(folder: string, index: TableCheck): void {
  index.reading();
  try {
    checkEveryByte(folder);
    index.walked(1);
  } catch (error) {
    if (existsSync(folder)) index.find('file', WHOLE, ((error as Error).cause as Error).message);
  }
}
