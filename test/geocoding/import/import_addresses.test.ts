// Sources of addresses in a data folder: beside extracts, in any order, replaced and removed alone.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Geocoder } from '../../../src/geocoding/geocoder.ts';
import { importAddresses } from '../../../src/geocoding/import/import_addresses.ts';
import { importExtracts, removeExtract } from '../../../src/geocoding/import/import_extracts.ts';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { livePlaces } from '../../../src/tables/places/extract_files.ts';
import { currentLayer, placesFolder } from '../../../src/tables/places/generations.ts';
import { createLayerShare, LayerShareSource } from '../../../src/tables/places/layer_share.ts';
import { ReplacementRefused } from '../../../src/tables/sources/source_name.ts';
import { contentsOfLayer } from '../../kits/places/layer_contents.ts';
import { writeOsmPbf } from '../../kits/places/osm_pbf.ts';
import { folderOfFile, temporaryFolder } from '../../kits/temporary_folder.ts';

const files = folderOfFile();
const LICENCE = 'CC BY 4.0';

/** A village with a street, and its first houses. */
function village(name: string, houses: number): string {
  const path = join(files, `${name}-${houses}.osm.pbf`);
  writeOsmPbf(path, [
    { type: 'node', id: 1, lat: 47, lon: 9.5, tags: { place: 'village', name } },
    ...[2, 3].map(id => ({ type: 'node' as const, id, lat: 47, lon: 9.49 + id / 100 })),
    ...Array.from({ length: houses }, (_, i) => ({
      type: 'node' as const,
      id: 10 + i,
      lat: 47.0001,
      lon: 9.51 + i / 5_000,
      tags: { 'addr:housenumber': `${i + 1}`, 'addr:street': 'Dorfstrasse' },
    })),
    { type: 'way', id: 4, nodes: [2, 3], tags: { highway: 'residential', name: 'Dorfstrasse' } },
  ]);
  return path;
}

const bring = (folder: string, path: string) =>
  importExtracts({ folder, files: [path], source: 'map', replace: true, onProgress: () => {} });

/** @param numbers of houses on the street of the village */
function give(folder: string, source: string, numbers: readonly number[], others: { replace?: true } = {}) {
  return importAddresses({
    ...{ folder, kind: 'addresses', source, licence: LICENCE, onProgress: () => {}, ...others },
    read: async take => {
      for (const number of numbers) {
        const texts = { number: `${number}`, street: 'Dorfstr.', city: 'Aheim', postcode: '' };
        take({ ...texts, latitude: 47.0001, longitude: 9.51 + (number - 1) / 5_000 });
      }
      return { accepted: numbers.length };
    },
  });
}

const listOf = (folder: string) =>
  livePlaces(folder)?.extracts?.map(({ name, kind, objects }) => [name, kind, objects]);
const copiesIn = (folder: string) => readdirSync(join(folder, 'extracts')).sort();

test('the order of imports does not matter, and an extract that is replaced meets the addresses again', async () => {
  const [before, after] = [temporaryFolder(), temporaryFolder()];
  expect(await give(before, 'register', [1, 2, 3, 4])).toMatchObject({ accepted: 4, houses: 4, ownStreets: 1 });
  expect(await bring(before, village('Aheim', 1))).toMatchObject({ houses: 4, joined: 1, ownStreets: 0 });
  expect(await bring(before, village('Aheim', 2))).toMatchObject({ houses: 4, joined: 2, ownStreets: 0 });
  await bring(after, village('Aheim', 2));
  expect(await give(after, 'register', [1, 2, 3, 4])).toMatchObject({ houses: 4, joined: 2 });
  expect(await contentsOfLayer(before)).toEqual(await contentsOfLayer(after));
  expect(listOf(after)).toEqual([
    ['map', undefined, 4],
    ['register', 'addresses', 4],
  ]);
});

test('a source that goes leaves the places as if it had never been', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  await bring(folder, village('Aheim', 2));
  await give(folder, 'register', [1, 2, 3]);
  await removeExtract({ folder, name: 'register', onProgress: () => {} });
  await bring(other, village('Aheim', 2));
  expect(await contentsOfLayer(folder)).toEqual(await contentsOfLayer(other));
  expect(copiesIn(folder)).toEqual(['1.osm.pbf']);
});

test('a source is replaced by its name; one that lacks most of it is refused', async () => {
  const folder = temporaryFolder();
  await give(folder, 'register', [1, 2, 3, 4]);
  await give(folder, 'other', [9]);
  await give(folder, 'register', [3, 4, 5]);
  expect(listOf(folder)).toEqual([
    ['other', 'addresses', 1],
    ['register', 'addresses', 3],
  ]);
  await expect(give(folder, 'register', [6, 7])).rejects.toThrow(ReplacementRefused);
  await expect(give(folder, 'register', [6, 7])).rejects.toThrow('lacks 3 of the 3 addresses of the source "register"');
  await expect(give(folder, 'register', [])).rejects.toThrow('None of the rows is an address.');
  expect(copiesIn(folder)).toEqual(['2.addresses', '3.addresses']);
  await give(folder, 'register', [6, 7], { replace: true });
  expect(listOf(folder)).toContainEqual(['register', 'addresses', 2]);
});

test('a damaged copy is named, and the places stay', async () => {
  const folder = temporaryFolder();
  await give(folder, 'register', [1, 2]);
  const path = join(folder, 'extracts', '1.addresses');
  const bytes = readFileSync(path);
  bytes[bytes.length - 3] ^= 1;
  writeFileSync(path, bytes);
  const before = await contentsOfLayer(folder);
  await expect(bring(folder, village('Aheim', 1))).rejects.toThrow(
    `The addresses of "register" in ${path} are damaged; import them again.`,
  );
  expect(await contentsOfLayer(folder)).toEqual(before);
});

test('each house says whose it is, and is found once by its words and by its position', async () => {
  const folder = temporaryFolder();
  await bring(folder, village('Aheim', 2));
  await give(folder, 'register', [1, 2, 3]);
  const share = createLayerShare();
  const layers = new LayerShareSource(share);
  layers.replace({ extract: currentLayer(placesFolder(folder)) });
  const geocoder = await Geocoder.open(share);
  const map = 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright';
  for (const [number, licence] of [
    [2, `${map}; register: ${LICENCE}`],
    [3, `register: ${LICENCE}`],
  ] as const) {
    const found = geocoder.search(freeTextQuestion(`Dorfstrasse ${number}, Aheim`));
    expect(found.map(place => [place.displayName.split(',')[0], place.licence])).toEqual([
      [`Dorfstrasse ${number}`, licence],
    ]);
    const { latitude, longitude } = found[0];
    const at = geocoder.reverse({ latitude, longitude, zoom: 18, languages: [] })!;
    expect([at.placeId, at.licence]).toEqual([found[0].placeId, licence]);
  }
  expect(geocoder.search(freeTextQuestion('Aheim'))[0].licence).toBe(map);
  await geocoder.close();
});
