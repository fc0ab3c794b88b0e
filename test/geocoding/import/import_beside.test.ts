import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importBeside } from '../../../src/geocoding/import/import_beside.ts';
import { type ImportProgress, importOsm } from '../../../src/geocoding/import/import_osm.ts';
import { LayerBuilder } from '../../../src/geocoding/import/layer_builder.ts';
import { PlaceBatch, placesIn } from '../../../src/geocoding/import/place_batch.ts';
import { openLayer } from '../../../src/tables/places/layer.ts';
import { openIndex } from '../../../src/tables/places/layer_index.ts';
import { writeDrawnExtract, writeTown } from '../../kits/places/extracts.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const POINT = { kind: 'point' } as const;
const ABOUT = { licence: 'ODbL', sources: ['drawn'] };
const HOUSES = 20_000;

test('a batch has the places that it was given, of every shape and size', () => {
  const batch = new PlaceBatch();
  const places = [
    { record: Uint8Array.of(1, 2, 3, 4), geometry: POINT },
    { record: new Uint8Array(0), geometry: { kind: 'area', rings: [Int32Array.of(1, 2), Int32Array.of(-3, 4, 5, 6)] } },
    {
      record: Uint8Array.from({ length: 8 }, (_, i) => i),
      geometry: { kind: 'line', coordinates: Int32Array.of(7, -8) },
    },
    { record: Uint8Array.of(9, 9, 9, 9), geometry: { kind: 'line', coordinates: new Int32Array(400_000).fill(6) } },
  ] as const;
  expect(places.map(({ record, geometry }) => batch.add(record, geometry))).toEqual([false, false, false, true]);
  expect([...placesIn(batch.take())].map(({ record, geometry }) => ({ record: record.slice(), geometry }))).toEqual(
    places,
  );
  expect([...placesIn(batch.take())]).toEqual([]);
});

/** All tables and sections of a layer. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const { root, places, words } = openLayer(path);
  for (const table of [places, ...Object.values(words)])
    for (const { key, value } of table.getRange()) hash.update(key).update(value);
  await root.close();
  const index = openIndex(path);
  for (const [name, bytes] of index.sections) hash.update(name).update(bytes);
  await index.close();
  return hash.digest('hex');
}

test.for([
  ['all shapes', writeDrawnExtract],
  ['more places than may be on their way', (path: string) => writeTown(path, HOUSES)],
] as const)('a layer of %s that another thread works out is the one that this thread makes', async ([, write]) => {
  const scratchFolder = temporaryFolder();
  const options = { files: [write(join(scratchFolder, 'map.osm.pbf'))], scratchFolder };
  const [own, beside] = ['own', 'beside'].map(name => LayerBuilder.start(join(scratchFolder, name)));
  const [ownTold, told]: ImportProgress[][] = [[], []];
  const summary = await importOsm({ ...options, sink: own, onProgress: progress => ownTold.push(progress) });
  expect(await importBeside(beside, { ...options, onProgress: progress => told.push(progress) })).toEqual(summary);
  expect(told).toEqual(ownTold);
  for (const layer of [own, beside]) await layer.finish(ABOUT);
  expect(await hashOf(join(scratchFolder, 'beside'))).toBe(await hashOf(join(scratchFolder, 'own')));
});

test('a place that cannot be stored ends the import, however much is on its way', async () => {
  const scratchFolder = temporaryFolder();
  const file = writeTown(join(scratchFolder, 'town.osm.pbf'), HOUSES);
  const layer = LayerBuilder.start(join(scratchFolder, 'layer'));
  await layer.abandon();
  await expect(importBeside(layer, { files: [file], scratchFolder, onProgress: () => {} })).rejects.toThrow('detached');
});
