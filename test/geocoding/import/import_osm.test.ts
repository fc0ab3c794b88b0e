// The extracts of whole countries, where they are.

import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { importOsm, type OsmImportSummary } from '../../../src/geocoding/import/import_osm.ts';
import { isOneEditApart, matchKeyOf, matchKeysOf } from '../../../src/geocoding/import/objects/match_key.ts';
import type { Place } from '../../../src/tables/places/place.ts';
import { folderOfFile, temporaryFolder } from '../../kits/temporary_folder.ts';
import { extractTags } from './extract_tags.ts';

const FOLDER = '../shared/data/osm';

interface Imported {
  summary: OsmImportSummary;
  places: readonly Place[];
  phases: readonly string[];
}

function fileOf(name: string): string {
  const file = `${FOLDER}/${name}.osm.pbf`;
  if (!existsSync(file)) console.log(`${file} is not here: its import is not tested.`);
  return file;
}

async function importFile(file: string, scratchFolder: string): Promise<Imported> {
  const places: Place[] = [];
  const phases = new Set<string>();
  const sink = { add: (place: Place) => places.push(place) };
  const summary = await importOsm({ files: [file], sink, scratchFolder, onProgress: ({ phase }) => phases.add(phase) });
  return { summary, places, phases: [...phases] };
}

function rowsOf({ places }: Imported, place: Place): Place[] {
  const rows = place.rows.length > 0 || place.parent === 0 ? place.rows : places[place.parent - 1].rows;
  return rows.map(id => places[id - 1]);
}

const liechtenstein = fileOf('liechtenstein-2025-09-19');

describe.skipIf(!existsSync(liechtenstein))('Liechtenstein', () => {
  let imported: Imported;
  let houses: readonly Place[];
  let tags: Awaited<ReturnType<typeof extractTags>>;

  const scratchFolder = folderOfFile();

  beforeAll(async () => {
    imported = await importFile(liechtenstein, scratchFolder);
    houses = imported.places.filter(place => place.houseNumber !== '' && !place.isAddressInherited);
    tags = await extractTags(liechtenstein, scratchFolder);
  });

  test('every house number is a house, and every phase is reported', () => {
    expect(imported.summary.houses).toBe(12_549);
    expect(houses).toHaveLength(12_549);
    expect(imported.phases).toEqual([
      'relations',
      'nodes',
      'ways',
      'rings',
      'areas',
      'survey',
      'roads',
      'addresses',
      'places',
    ]);
  });

  test('more than 99 of 100 belong to the road that they name, but for its spelling by one letter', () => {
    let named = 0;
    let right = 0;
    let exact = 0;
    for (const house of houses) {
      const street = tags.get(house)?.['addr:street'];
      if (street === undefined) continue;
      named++;
      // Across the border it is the house alone that knows its street.
      const keys = matchKeysOf(house.parent === 0 ? { name: house.street } : imported.places[house.parent - 1].names);
      const key = matchKeyOf(street);
      if (keys.includes(key)) exact++;
      if (keys.some(other => isNear(other, key))) right++;
    }
    expect(named).toBe(12_543);
    expect(exact / named).toBeGreaterThan(0.985);
    expect(right / named).toBeGreaterThan(0.99);
  });

  test('all eleven municipalities are there, linked to their village or town', () => {
    const municipalities = imported.places.filter(
      ({ category, type, searchRank }) => category === 'boundary' && type === 'administrative' && searchRank === 16,
    );
    expect(municipalities.map(({ names }) => names.name).sort()).toEqual([
      'Balzers',
      'Eschen',
      'Gamprin',
      'Mauren',
      'Planken',
      'Ruggell',
      'Schaan',
      'Schellenberg',
      'Triesen',
      'Triesenberg',
      'Vaduz',
    ]);
    for (const municipality of municipalities) {
      expect(['town', 'village']).toContain(municipality.linkedPlace);
      expect(municipality).toMatchObject({
        countryCode: 'li',
        subdivisionCode: expect.stringMatching(/^LI-\d\d$/),
        addressRank: 16,
      });
      expect(rowsOf(imported, municipality).map(({ names }) => names.name)).toEqual([
        expect.stringMatching(/^(Ober|Unter)land$/),
        'Liechtenstein',
      ]);
    }
  });

  test('every house in the country has its municipality, the country and a postcode', () => {
    const own = houses.filter(({ countryCode }) => countryCode === 'li');
    expect(own.length).toBeGreaterThan(12_500);
    for (const house of own) {
      const rows = rowsOf(imported, house);
      expect(rows.filter(({ addressRank }) => addressRank === 16)).toHaveLength(1);
      expect(rows.at(-1)?.names.name).toBe('Liechtenstein');
    }
    // One hut stands further than 4 km from any centroid.
    expect(own.filter(({ postcode }) => postcode === '').length).toBeLessThanOrEqual(1);
  });

  test('parents and rows are stored before what names them', () => {
    imported.places.forEach((place, i) => {
      if (place.parent > i || place.rows.some(row => row > i))
        throw new Error(`${place.osmId} is stored before a place that it names`);
    });
  });
});

const malta = fileOf('malta-2018-08-27');

test.skipIf(!existsSync(malta))('Malta has its 613 house numbers and those along 65 lines', async () => {
  const imported = await importFile(malta, temporaryFolder());
  // Eight of the lines have no number between their ends, or an end without a number.
  expect(imported.summary).toMatchObject({ houses: 613, interpolations: 77, interpolationsWithoutStreet: 0 });
  const ranges = imported.places.filter(({ houseRange }) => houseRange !== undefined);
  expect(ranges).toHaveLength(77);
  expect(new Set(ranges.map(({ osmId }) => osmId)).size).toBe(57);
  for (const { houseRange, parent } of ranges) {
    expect(parent).toBeGreaterThan(0);
    expect((houseRange!.end - houseRange!.start) % houseRange!.step).toBe(0);
  }
});

/** Equal, or one letter apart in most of a long name. */
function isNear(a: string, b: string): boolean {
  return a === b || (Math.min(a.length, b.length) >= 6 && isOneEditApart(a, b));
}
