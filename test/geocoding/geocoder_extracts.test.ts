// The geocoder over real extracts: the country by the borders of the world against the borders that the extracts have themselves.

import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { countryOfPoint } from '../../src/geocoding/address/country_names.ts';
import { toSpecAddress } from '../../src/geocoding/address/spec_address.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { SpatialIndex } from '../../src/geocoding/index/spatial_index.ts';
import { inWords } from '../../src/geocoding/search/question.ts';
import { sectionsOf } from '../../src/tables/environment/section_file.ts';
import { currentLayer, placesFolder } from '../../src/tables/places/generations.ts';
import { LayerReader, loadIndex } from '../../src/tables/places/layer.ts';
import { withGeocoder } from '../kits/places/layers.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

/** A house inside a country that the extract has the borders of. */
interface House {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Of the country. */
  code: string;
}

const DATA = '../shared/data/osm';
const FILES = ['liechtenstein-2025-09-19', 'monaco-2026-03-10', 'malta-2018-08-27'].map(name => `${DATA}/${name}.osm.pbf`);
const isThere = FILES.every(file => existsSync(file));
if (!isThere) console.log(`Real extracts are not asked: ${DATA} does not have them.`);

describe.skipIf(!isThere)('over three extracts', () => {
  const folder = folderOfFile();
  let extract: string;
  const houses: House[] = [];

  beforeAll(async () => {
    await importExtracts({ folder, files: FILES, onProgress: () => {} });
    extract = currentLayer(placesFolder(folder))!;
    const layer = new LayerReader(extract);
    const spatial = new SpatialIndex(sectionsOf(loadIndex(extract)));
    for (let id = 1; id <= layer.meta.count; id++) {
      const { houseNumber, latitude, longitude } = layer.place(id)!;
      const country = houseNumber === '' ? undefined : spatial.countryAround(latitude, longitude);
      if (country !== undefined) houses.push({ latitude, longitude, code: layer.place(country)!.countryCode });
    }
    await layer.close();
  });

  test('without the extracts the country of a house is right for 99.5 of a hundred, and in each country for 99', () => {
    const isRight = ({ latitude, longitude, code }: House): boolean => countryOfPoint(latitude, longitude, [])?.code === code;
    const byCode = Map.groupBy(houses, ({ code }) => code);
    expect([...byCode.keys()].sort()).toEqual(['li', 'mc', 'mt']);
    for (const [code, own] of byCode) {
      const right = own.filter(isRight).length;
      console.log(`The borders of the world have ${right} of ${own.length} houses of ${code.toUpperCase()} in their country.`);
      expect(right / own.length).toBeGreaterThanOrEqual(0.99);
    }
    expect(houses.filter(isRight).length / houses.length).toBeGreaterThanOrEqual(0.995);
  });

  test('with them it is right for all, and no answer has two', async () => {
    await withGeocoder({ extract }, geocoder => {
      for (const { latitude, longitude, code } of houses) {
        const rows = geocoder.at(latitude, longitude)!.address([]);
        expect(rows.filter(({ key }) => key === 'country_code').map(({ value }) => value)).toEqual([code]);
        expect(toSpecAddress(rows).country_code).toBe(code);
      }
    });
  });

  test('a point asked for in words is answered like the point', async () => {
    await withGeocoder({ extract }, geocoder => {
      const [found] = geocoder.search(inWords('47.1410, 9.5215'));
      const point = geocoder.reverse({ latitude: 47.141, longitude: 9.5215, zoom: 18, languages: [] })!;
      expect({ ...found, geometry: found.geometry() }).toEqual({ ...point, geometry: point.geometry() });
    });
  });
});
