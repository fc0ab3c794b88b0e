// Tables of importance beside extracts: in any order, replaced and removed, the places are those of a folder to which
// the same was imported in another way, to the last byte.

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { removeExtract } from '../../../src/geocoding/import/import_extracts.ts';
import { importPlaces } from '../../../src/jobs/import_places.ts';
import type { PlacesImportJob } from '../../../src/jobs/job.ts';
import { listSources, removalOf } from '../../../src/jobs/sources.ts';
import { livePlaces } from '../../../src/tables/places/extract_files.ts';
import { currentLayer, placesFolder } from '../../../src/tables/places/generations.ts';
import { inExtract } from '../../kits/places/drawn_map.ts';
import { contentsOfLayer } from '../../kits/places/layer_contents.ts';
import { writeOsmPbf } from '../../kits/places/osm_pbf.ts';
import { folderOfFile, temporaryFolder } from '../../kits/temporary_folder.ts';

const files = folderOfFile();

/** A file of villages that are items of Wikidata, each the node of its number. */
function villages(name: string, items: readonly number[]): string {
  const path = join(files, `${name}.osm.pbf`);
  const tagsOf = (item: number) => ({ place: 'village', name: `Village ${item}`, wikidata: `Q${item}` });
  writeOsmPbf(
    path,
    items.map(item => ({ type: 'node', id: item, lat: 40 + item, lon: 9, tags: tagsOf(item) })),
  );
  return path;
}

function table(name: string, rows: readonly (readonly [item: number, importance: number])[]): string {
  const path = join(files, `${name}.csv`);
  writeFileSync(path, `qid,importance\n${rows.map(([item, importance]) => `Q${item},${importance}\n`).join('')}`);
  return path;
}

const bring = (folder: string, kind: 'osm' | 'importance', path: string, more: object = {}) =>
  importPlaces({ verb: 'import', kind, files: [path], ...more } as PlacesImportJob, folder, () => {});
const remove = (folder: string, name: string) => removeExtract({ folder, name, onProgress: () => {} });
const extract = (folder: string) => currentLayer(placesFolder(folder))!;
const importances = (folder: string, ...items: number[]) =>
  inExtract(extract(folder), geocoder =>
    geocoder
      .lookup(
        items.map(item => ({ type: 1, id: item })),
        [],
      )
      .map(({ importance }) => Number(importance.toFixed(3))),
  );

let folder: string;
let other: string;

beforeEach(() => {
  [folder, other] = [temporaryFolder(), temporaryFolder()];
});

test('an item of a table raises the places that are it, and the summary counts them', async () => {
  const map = villages('a', [1, 2, 3]);
  await bring(folder, 'osm', map);
  const before = await contentsOfLayer(folder);
  expect(await importances(folder, 1, 2, 3)).toEqual([0.147, 0.147, 0.147]);
  const summary = await bring(
    folder,
    'importance',
    table('wiki', [
      [1, 0.8],
      [2, 0.1],
      [9, 1],
    ]),
  );
  expect(summary).toMatchObject({ places: 3, rated: 2, skipped: [], kept: { name: 'wiki', items: 3 } });
  expect(await importances(folder, 1, 2, 3)).toEqual([0.44, 0.147, 0.147]);
  expect(await remove(folder, 'wiki')).toMatchObject({ places: 3 });
  expect(await contentsOfLayer(folder)).toEqual(before);
  expect([livePlaces(folder)?.importance, readdirSync(join(folder, 'extracts'))]).toEqual([undefined, ['1.osm.pbf']]);
});

test('the order of extracts and tables does not matter', async () => {
  const [a, b] = [villages('a', [1, 2]), villages('b', [3])];
  const [wiki, ranks] = [
    table('wiki', [
      [1, 0.8],
      [3, 0.5],
    ]),
    table('ranks', [
      [1, 0.7],
      [2, 0.9],
    ]),
  ];
  await bring(folder, 'importance', wiki);
  await bring(folder, 'osm', a);
  await bring(folder, 'importance', ranks);
  await bring(folder, 'osm', b);
  await bring(other, 'osm', a);
  await bring(other, 'osm', b);
  await bring(other, 'importance', ranks);
  await bring(other, 'importance', wiki);
  expect(await contentsOfLayer(folder)).toEqual(await contentsOfLayer(other));
  expect(await importances(folder, 1, 2, 3)).toEqual([0.44, 0.495, 0.275]);
});

test('a table replaces the one of its name, and the other stays', async () => {
  const map = villages('a', [1, 2]);
  const later = table('later', [
    [1, 0.4],
    [2, 0.4],
  ]);
  await bring(folder, 'osm', map);
  await bring(
    folder,
    'importance',
    table('wiki', [
      [1, 0.8],
      [2, 0.6],
    ]),
  );
  await bring(folder, 'importance', table('other', [[2, 0.5]]));
  await bring(folder, 'importance', later, { source: 'wiki' });
  await bring(other, 'importance', table('other', [[2, 0.5]]));
  await bring(other, 'importance', later);
  await bring(other, 'osm', map);
  expect(await contentsOfLayer(folder)).toEqual(await contentsOfLayer(other));
  expect(await importances(folder, 1, 2)).toEqual([0.22, 0.275]);
  expect(readdirSync(join(folder, 'extracts')).sort()).toEqual(['1.osm.pbf', '3.importance', '4.importance']);
});

test('tables alone make no places, wait for an extract, and stay when the last one goes', async () => {
  const wiki = table('wiki', [[1, 0.8]]);
  expect(await bring(folder, 'importance', wiki)).toMatchObject({ places: 0, rated: 0 });
  await inExtract(extract(folder), geocoder => expect(geocoder.layers.extract).toBeUndefined());
  const map = villages('a', [1]);
  expect(await bring(folder, 'osm', map)).toMatchObject({ places: 1, rated: 1 });
  expect(await remove(folder, 'a')).toMatchObject({ places: 0 });
  await bring(other, 'importance', wiki);
  expect(await contentsOfLayer(folder)).toEqual(await contentsOfLayer(other));
  await bring(folder, 'osm', map);
  expect(await importances(folder, 1)).toEqual([0.44]);
  await remove(folder, 'wiki');
  expect(await remove(folder, 'a')).toEqual({ places: 0 });
  expect([livePlaces(folder), readdirSync(join(folder, 'extracts'))]).toEqual([undefined, []]);
});

test('a table is a source: listed, of a name of its own, and removed by it', async () => {
  await bring(folder, 'osm', villages('a', [1]));
  await bring(
    folder,
    'importance',
    table('wiki', [
      [1, 0.8],
      [2, 0.1],
    ]),
  );
  const importedAt = expect.stringMatching(/Z$/);
  expect(await listSources(folder)).toEqual([
    { name: 'a', kind: 'osm', rows: 1, importedAt },
    { name: 'wiki', kind: 'importance', rows: 2, importedAt },
  ]);
  const taken = (kind: string, holds: string) => `holds ${holds}; name this import of ${kind} otherwise with --source`;
  await expect(bring(folder, 'importance', table('a', [[1, 1]]))).rejects.toThrow(taken('importance', 'osm'));
  await expect(bring(folder, 'osm', villages('wiki', [1]))).rejects.toThrow(taken('osm', 'importance'));
  const removal = await removalOf(folder, 'wiki');
  expect(removal).toMatchObject({ verb: 'sources', kind: 'osm' });
  expect(await importPlaces(removal as never, folder, () => {})).toMatchObject({ places: 1 });
  expect(await listSources(folder)).toEqual([{ name: 'a', kind: 'osm', rows: 1, importedAt }]);
});

test('an import that fails leaves places, list and files as they were', async () => {
  await bring(folder, 'osm', villages('a', [1]));
  await bring(folder, 'importance', table('wiki', [[1, 0.8]]));
  const state = async () => [
    await contentsOfLayer(folder),
    livePlaces(folder)?.importance,
    readdirSync(join(folder, 'extracts')).sort(),
  ];
  const before = await state();
  await expect(bring(folder, 'importance', table('wiki', [[2, 0.8]]))).rejects.toThrow('lacks 1 of the 1 items');
  rmSync(join(folder, 'extracts', '1.osm.pbf'));
  await expect(bring(folder, 'importance', table('more', [[2, 0.8]]))).rejects.toThrow('They are as they were before');
  before[2] = (before[2] as string[]).filter(name => name !== '1.osm.pbf');
  expect(await state()).toEqual(before);
});
