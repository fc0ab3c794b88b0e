import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeOfObject } from '../../../src/geocoding/lookup/object_index.ts';
import { LayerReader } from '../../../src/tables/places/layer.ts';
import { OSM_NODE, OSM_NONE, OSM_RELATION, OSM_WAY } from '../../../src/tables/places/place.ts';
import { writeLayer } from '../../kits/places/layers.ts';
import { placeOf } from '../../kits/places/place.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

test('each object has its place, the first of several, and others have none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-objects-'));
  const objects = [
    [OSM_RELATION, 5],
    [OSM_NODE, 12_345_678_901],
    [OSM_WAY, 5],
    [OSM_NONE, 0],
    [OSM_NODE, 5],
    [OSM_WAY, 5],
    [OSM_NODE, 4],
  ] as const;
  await writeLayer(
    join(folder, 'layer'),
    'drawn',
    objects.map(([osmType, osmId]) => [placeOf({ osmType, osmId }), { kind: 'point' }]),
  );
  const layer = new LayerReader(join(folder, 'layer'));
  const found = objects.map(([type, id]) => placeOfObject(layer, { type, id }));
  expect(found).toEqual([1, 2, 3, undefined, 5, 3, 7]);
  expect(placeOfObject(layer, { type: OSM_RELATION, id: 4 })).toBeUndefined();
  await layer.close();
  rmSync(folder, { recursive: true });
});

test('of many objects each is found, and none that stands between them', async () => {
  const random = uniform(3);
  const drawn = Array.from({ length: 500 }, () => 1 + Math.floor(random() * 2 ** 34));
  const folder = join(temporaryFolder(), 'layer');
  await writeLayer(
    folder,
    'drawn',
    drawn.map(osmId => [placeOf({ osmType: OSM_WAY, osmId }), { kind: 'point' }]),
  );
  const layer = new LayerReader(folder);
  expect(drawn.map(id => placeOfObject(layer, { type: OSM_WAY, id }))).toEqual(drawn.map((_, i) => i + 1));
  const beside = drawn.map(id => id + 1).filter(id => !drawn.includes(id));
  for (const id of [...beside, 0, 2 ** 35]) expect(placeOfObject(layer, { type: OSM_WAY, id })).toBeUndefined();
  for (const id of drawn) expect(placeOfObject(layer, { type: OSM_NODE, id })).toBeUndefined();
  await layer.close();
});
