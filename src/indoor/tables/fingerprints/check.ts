// Checks the tables of fingerprints: records, fingerprints and maps without a building, maps and the radios by which
// they are found, and what the sources say. Each comparison is made in the snapshot of one slice, so an import
// meanwhile does not matter.

import {
  type Check,
  problemIn,
  RESTORE,
  type TableCheck,
  walkRecords,
  walkRows,
} from '../../../tables/environment/check_walk.ts';
import { readNumber } from '../../../tables/environment/named_tables.ts';
import { decodeBuildingRow } from './buildings.ts';
import { readFingerprintSources } from './change_fingerprints.ts';
import { decodeFingerprint } from './fingerprint_record.ts';
import { FINGERPRINT_KEY, type FingerprintTables, lastNumber, rangeOfBuilding } from './fingerprint_tables.ts';
import { decodeRadios } from './reader.ts';

const ID_BYTES = 4;
const REMEDY = `import the fingerprints again with "sextant import fingerprints", or ${RESTORE}`;

/**
 * Walks through the tables.
 * @param radiosOf opens a map and gives its radios; throws when it is damaged
 */
export async function checkFingerprints(
  tables: FingerprintTables,
  check: Check,
  radiosOf: (map: Buffer) => Float64Array,
): Promise<void> {
  const { root, buildings, fingerprints, maps, radios, stale, sources } = tables;
  check.begin('fingerprints', [buildings, fingerprints, maps, radios, stale, sources]);
  const table = (name: string): TableCheck => check.table(name, REMEDY);
  await walkRecords(root, buildings, table('buildings of fingerprints'), ID_BYTES, (key, value) => {
    const id = key.readUInt32BE();
    decodeBuildingRow(id, value);
    return id > lastNumber(tables, 'building') ? 'its number will be given again' : undefined;
  });
  const ofBuilding = (id: Buffer): string | undefined =>
    buildings.doesExist(id.subarray(0, ID_BYTES)) ? undefined : 'its building is missing';
  await walkRecords(root, fingerprints, table('fingerprints'), FINGERPRINT_KEY.bytes, (key, value) => {
    decodeFingerprint(value);
    return ofBuilding(key);
  });
  await walkRecords(root, maps, table('maps of fingerprints'), ID_BYTES, (key, value) => {
    const known = radiosOf(value);
    const listed = radios.getBinary(key);
    if (listed === undefined) return 'its radios are not listed, so nobody finds it';
    const found = decodeRadios(listed);
    if (found.length !== known.length || found.some((radio, i) => radio !== known[i]))
      return 'other radios are listed than it has';
    return ofBuilding(key);
  });
  await walkRecords(root, radios, table('radios of maps'), ID_BYTES, (key, value) => {
    decodeRadios(value);
    return maps.doesExist(key) ? undefined : 'their map is missing';
  });
  await walkRecords(root, stale, table('maps to be built'), ID_BYTES, (key, value) =>
    readNumber(value) === undefined ? 'it is damaged' : ofBuilding(key),
  );
  const named = table('sources of fingerprints');
  await walkRows(root, sources, named, key =>
    named.findSome(
      'counter',
      `source "${key.toString()}"`,
      problemIn(() => problemWithSource(tables, key.toString())),
    ),
  );
}

/** Fingerprints of a source may have been left out since, where there were too many. */
function problemWithSource(tables: FingerprintTables, name: string): string | undefined {
  const source = readFingerprintSources(tables).find(other => other.name === name)!;
  let there = 0;
  for (const id of tables.buildings.getKeys({}))
    there += tables.fingerprints.getKeysCount(rangeOfBuilding(readNumber(id)!, source.number));
  return there <= source.fingerprints
    ? undefined
    : `${source.fingerprints} fingerprints are counted, and ${there} are there`;
}
