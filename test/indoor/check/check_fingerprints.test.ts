// Planted damage of the fingerprints: each kind is written into a copy of a sound folder, and the check must find that
// and nothing else.

import { cpSync, mkdtempSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { checkFolder } from '../../../src/check/check_folder.ts';
import { takeFolder } from '../../../src/folder/data_folder.ts';
import { buildFingerprintMap } from '../../../src/indoor/fingerprints/build_map.ts';
import { putFingerprintSource } from '../../../src/indoor/tables/fingerprints/change_fingerprints.ts';
import {
  type FingerprintTables,
  fingerprintKey,
  openFingerprints,
  openOrCreateFingerprints,
} from '../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import { publishMap, staleBuildings } from '../../../src/indoor/tables/fingerprints/publish_map.ts';
import { encodeRadios } from '../../../src/indoor/tables/fingerprints/reader.ts';
import { numberKey } from '../../../src/tables/environment/row.ts';
import { ORIGIN } from '../../kits/buildings/drawn.ts';
import { drawnFingerprint, drawnGroup } from '../../kits/fingerprints/drawn.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const base = folderOfFile();
let sound: string;

beforeAll(async () => {
  sound = join(base, 'sound');
  takeFolder(sound, true)!.release();
  const tables = await openOrCreateFingerprints(sound);
  const fingerprints = Array.from({ length: 5 }, (_, i) => drawnFingerprint([i, 0], { 7: -40 - i, 9: -50 }));
  putFingerprintSource(tables, 'one', [drawnGroup('A', ...fingerprints), drawnGroup('B', fingerprints[0])], () => {});
  const readings = fingerprints[0].readings.map(reading => ({ ...reading }));
  const map = buildFingerprintMap([{ floor: 0, eastMetres: 0, northMetres: 0, readings }], ORIGIN);
  publishMap(tables, staleBuildings(tables)[0], { map, radios: Float64Array.of(7, 9) }, []);
  await tables.root.close();
});

async function findingsIn(folder: string): Promise<string[]> {
  const { findings } = await checkFolder(folder, false, () => {});
  return findings.map(({ kind, table, key, what }) => `${kind}: ${table}, ${key}: ${what}`);
}

test('sound fingerprints have no findings, and every table is walked through', async () => {
  const { tables, findings } = await checkFolder(sound, false, () => {});
  expect(findings).toEqual([]);
  expect(tables).toMatchObject({
    'buildings of fingerprints': { records: 2 },
    fingerprints: { records: 6 },
    'maps of fingerprints': { records: 1 },
    'radios of maps': { records: 1 },
    'maps to be built': { records: 1 },
    'sources of fingerprints': { records: 1 },
  });
});

const ONE = numberKey(1);
const NINE = numberKey(9);

test.each<[string, (tables: FingerprintTables) => void, ...string[]]>([
  [
    'a fingerprint that is cut',
    t =>
      t.fingerprints.putSync(
        fingerprintKey(1, 1, 1),
        t.fingerprints.getBinary(fingerprintKey(1, 1, 1))!.subarray(0, 20),
      ),
    'record: fingerprints, key 0000000100000001000000000001: it is damaged: ',
  ],
  [
    'a key that is none',
    t => t.maps.putSync(Buffer.of(1), Buffer.alloc(1)),
    'key: maps of fingerprints, key 01: it has 1 bytes instead of 4',
  ],
  [
    'a fingerprint of no building',
    t => t.fingerprints.putSync(fingerprintKey(9, 0, 1), t.fingerprints.getBinary(fingerprintKey(1, 1, 1))!),
    'record: fingerprints, key 0000000900000000000000000001: its building is missing',
  ],
  [
    'a building whose number will be given again',
    t => t.buildings.putSync(NINE, t.buildings.getBinary(ONE)!),
    'record: buildings of fingerprints, key 00000009: its number will be given again',
  ],
  [
    'a building that is none',
    t => t.buildings.putSync(ONE, Buffer.from('{}')),
    'record: buildings of fingerprints, key 00000001: it is damaged: The row of building 1 of fingerprints is damaged',
  ],
  [
    'a map that has changed',
    t => {
      const map = Buffer.from(t.maps.getBinary(ONE)!);
      map[80] ^= 1;
      t.maps.putSync(ONE, map);
    },
    'record: maps of fingerprints, key 00000001: it is damaged: its checksum is another',
  ],
  [
    'a map that nobody finds',
    t => t.radios.removeSync(ONE),
    'record: maps of fingerprints, key 00000001: its radios are not listed, so nobody finds it',
  ],
  [
    'a map under other radios',
    t => t.radios.putSync(ONE, encodeRadios(Float64Array.of(7, 8))),
    'record: maps of fingerprints, key 00000001: other radios are listed than it has',
  ],
  [
    'radios that are none',
    t => t.radios.putSync(NINE, Buffer.alloc(9)),
    'record: radios of maps, key 00000009: it is damaged: The radios of a map of fingerprints are damaged',
  ],
  [
    'radios of no map',
    t => t.radios.putSync(NINE, encodeRadios(Float64Array.of(1))),
    'record: radios of maps, key 00000009: their map is missing',
  ],
  [
    'a building to be built that is none',
    t => t.stale.putSync(NINE, numberKey(3)),
    'record: maps to be built, key 00000009: its building is missing',
  ],
  [
    'a source with too many',
    t => t.sources.putSync(Buffer.from('one'), Buffer.from('{"number":1,"fingerprints":3}')),
    'counter: sources of fingerprints, source "one": 3 fingerprints are counted, and 6 are there',
  ],
])('%s', async (_, write, ...found) => {
  const folder = mkdtempSync(join(base, 'damaged-'));
  cpSync(sound, folder, { recursive: true });
  const tables = openFingerprints(folder)!;
  tables.root.transactionSync(() => write(tables));
  await tables.root.close();
  const findings = await findingsIn(folder);
  expect(findings.length).toBe(found.length);
  for (const [i, finding] of findings.entries()) expect(finding).toContain(found[i]);
});

test('a data file that has lost its end is told', async () => {
  const folder = mkdtempSync(join(base, 'damaged-'));
  cpSync(sound, folder, { recursive: true });
  truncateSync(join(folder, 'fingerprints', 'data.mdb'), 4_096);
  const { findings } = await checkFolder(folder, false, () => {});
  expect(findings).toMatchObject([{ kind: 'file', table: 'fingerprints' }]);
});
