// Several extracts in one data folder: each is replaced and removed alone, and the places are those of a folder that
// never had it, to the last byte.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importExtracts, removeExtract } from '../../../src/geocoding/import/import_extracts.ts';
import { livePlaces } from '../../../src/tables/places/extract_files.ts';
import { placesFolder } from '../../../src/tables/places/generations.ts';
import { ReplacementRefused } from '../../../src/tables/sources/source_name.ts';
import { contentsOfLayer } from '../../kits/places/layer_contents.ts';
import { writeOsmPbf } from '../../kits/places/osm_pbf.ts';
import { folderOfFile, temporaryFolder } from '../../kits/temporary_folder.ts';

const files = folderOfFile();

/**
 * A village of its own, with houses along a street. @param number from 1; tells its objects and its place from others
 */
function village(number: number, name: string, houses: number): string {
  const path = join(files, `${name}.osm.pbf`);
  const [first, lat] = [number * 10_000, 47 + number / 100];
  writeOsmPbf(path, [
    { type: 'node', id: first, lat, lon: 9.5, tags: { place: 'village', name } },
    ...[1, 2].map(i => ({ type: 'node' as const, id: first + i, lat, lon: 9.5 + i / 100 })),
    ...Array.from({ length: houses }, (_, i) => ({
      type: 'node' as const,
      id: first + 10 + i,
      lat: lat + 0.0001,
      lon: 9.51 + i / 100_000,
      tags: { 'addr:housenumber': `${i + 1}`, 'addr:street': 'Dorfstrasse' },
    })),
    {
      type: 'way',
      id: first + 3,
      nodes: [first + 1, first + 2],
      tags: { highway: 'residential', name: 'Dorfstrasse' },
    },
  ]);
  return path;
}

const bring = (folder: string, paths: string[], source?: string, replace = false) =>
  importExtracts({ folder, files: paths, source, replace, onProgress: () => {} });
const remove = (folder: string, name: string) => removeExtract({ folder, name, onProgress: () => {} });

const listOf = (folder: string) => livePlaces(folder)?.extracts?.map(({ name, objects }) => [name, objects]);
const copiesIn = (folder: string) => readdirSync(join(folder, 'extracts')).sort();

test('an extract comes beside the others, and goes as if it had never been', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  const [a, b, c] = [village(1, 'Aheim', 5), village(2, 'Bdorf', 7), village(3, 'Cburg', 9)];
  await bring(folder, [a]);
  await bring(folder, [b]);
  await bring(folder, [c]);
  expect(listOf(folder)).toEqual([
    ['Aheim', 7],
    ['Bdorf', 9],
    ['Cburg', 11],
  ]);
  await bring(other, [a, c]);
  expect(await contentsOfLayer(folder)).not.toEqual(await contentsOfLayer(other));
  expect(await remove(folder, 'Bdorf')).toMatchObject({ places: 7 + 11 });
  expect(await contentsOfLayer(folder)).toEqual(await contentsOfLayer(other));
  expect([listOf(folder), listOf(other)].map(list => list?.map(([name]) => name))).toEqual([
    ['Aheim', 'Cburg'],
    ['Aheim', 'Cburg'],
  ]);
  expect(copiesIn(folder)).toEqual(['1.osm.pbf', '3.osm.pbf']);
});

test('an import under a name replaces that extract alone', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  const [a, b] = [village(1, 'Aheim', 5), village(2, 'Bdorf', 7)];
  await bring(folder, [a, b], 'both');
  await bring(folder, [village(3, 'Cburg', 9)]);
  const later = village(1, 'Aheim-later', 6);
  await bring(folder, [later], 'both', true);
  expect(listOf(folder)).toEqual([
    ['Cburg', 11],
    ['both', 8],
  ]);
  await bring(other, [village(3, 'Cburg', 9), later]);
  expect(await contentsOfLayer(folder)).toEqual(await contentsOfLayer(other));
  expect(copiesIn(folder)).toHaveLength(2);
});

test('a file of the same name with another village is refused, unless the first may go', async () => {
  const folder = temporaryFolder();
  await bring(folder, [village(1, 'Aheim', 5), village(3, 'Cburg', 90)]);
  const before = [await contentsOfLayer(folder), listOf(folder), copiesIn(folder)];
  const other = village(2, 'Bdorf', 7);
  await expect(bring(folder, [other], 'Aheim')).rejects.toThrow(ReplacementRefused);
  await expect(bring(folder, [other], 'Aheim')).rejects.toThrow('lacks 7 of the 7 objects of the source "Aheim"');
  expect([await contentsOfLayer(folder), listOf(folder), copiesIn(folder)]).toEqual(before);
  await bring(folder, [other], 'Aheim', true);
  // A village of which nearly half is torn down is the same.
  await bring(folder, [village(2, 'Bdorf', 3)], 'Aheim');
  expect(listOf(folder)).toEqual([
    ['Cburg', 92],
    ['Aheim', 5],
  ]);
});

test('after the last extract there are no places, and an import begins anew', async () => {
  const folder = temporaryFolder();
  const a = village(1, 'Aheim', 5);
  await bring(folder, [a]);
  expect(await remove(folder, 'Aheim')).toEqual({ places: 0 });
  expect([livePlaces(folder), copiesIn(folder)]).toEqual([undefined, []]);
  await bring(folder, [a]);
  expect(listOf(folder)).toEqual([['Aheim', 7]]);
});

test('a failed import leaves places, list and copies as they were', async () => {
  const folder = temporaryFolder();
  await bring(folder, [village(1, 'Aheim', 5)]);
  const before = await contentsOfLayer(folder);
  const empty = join(files, 'sea.osm.pbf');
  writeOsmPbf(empty, [{ type: 'node', id: 1, lat: 0, lon: 0 }]);
  await expect(bring(folder, [empty], 'Aheim')).rejects.toThrow(`There are no places in ${empty}.`);
  const onProgress = ({ phase }: { phase: string }): void => {
    if (phase === 'index') throw new Error('The service is stopping.');
  };
  await expect(importExtracts({ folder, files: [village(2, 'Bdorf', 7)], onProgress })).rejects.toThrow(
    'The service is stopping.',
  );
  expect([await contentsOfLayer(folder), listOf(folder), copiesIn(folder)]).toEqual([
    before,
    [['Aheim', 7]],
    ['1.osm.pbf'],
  ]);
});

test('a failed import into damaged places leaves the copies, from which they may be built again', async () => {
  const folder = temporaryFolder();
  await bring(folder, [village(1, 'Aheim', 5)]);
  writeFileSync(join(placesFolder(folder), 'CURRENT'), 'damaged');
  const empty = join(files, 'lake.osm.pbf');
  writeOsmPbf(empty, [{ type: 'node', id: 1, lat: 0, lon: 0 }]);
  await expect(bring(folder, [empty])).rejects.toThrow(`There are no places in ${empty}.`);
  expect(copiesIn(folder)).toEqual(['1.osm.pbf']);
});
