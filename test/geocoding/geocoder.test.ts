import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { OSM_NODE, type Place } from '../../src/tables/places/place.ts';
import { type Drawn, drawLayer, withDrawn, withGeocoder, worldPlace } from '../kits/places/layers.ts';

// Liechtenstein and its neighbours. The borders of the world have Vaduz (47.14, 9.52) in LI, Buchs (47.167, 9.478) in
// CH and Feldkirch (47.237, 9.597) in AT.

const WORLD: readonly Drawn[] = [
  worldPlace('country', 'Liechtenstein', 4, 47.15, 9.55, { countryCode: 'li', importance: 0.5 }),
  worldPlace('country', 'Switzerland', 4, 46.8, 8.2, { countryCode: 'ch', importance: 0.6 }),
  worldPlace('state', 'Saint Gallen', 8, 47.3, 9.2, { countryCode: 'ch', rows: [2], subdivisionCode: 'CH-SG' }),
  worldPlace('town', 'Vaduz', 18, 47.1415, 9.5215, { countryCode: 'li', rows: [1], importance: 0.25 }),
  worldPlace('village', 'Buchs', 19, 47.1674, 9.4786, { countryCode: 'ch', rows: [3, 2], importance: 0.2 }),
  worldPlace('village', 'Vaduz', 19, 46.9, 8.9, { countryCode: 'ch', rows: [3, 2], importance: 0.147 }),
];

const ADMINISTRATIVE = { category: 'boundary', type: 'administrative', osmType: 3, countryCode: 'li' } as const;

/** An area of the extract. */
function area(name: string, rank: number, box: Drawn['box'], said: Partial<Place> = {}): Drawn {
  return {
    said: { ...ADMINISTRATIVE, names: { name }, searchRank: rank, addressRank: rank, ...said },
    ...(box && { box }),
  };
}

function house(houseNumber: string, latitude: number, longitude: number, said: Partial<Place>): Drawn {
  return { said: { category: 'place', type: 'house', houseNumber, latitude, longitude, countryCode: 'li', ...said } };
}

/** A country of its own, a municipality in it, a road and a house. */
const EXTRACT_BONUS: readonly Drawn[] = [
  area('Fürstentum', 4, [47.1, 9.5, 47.2, 9.6], { names: { name: 'Fürstentum', 'name:en': 'Principality' } }),
  area('Vaduz', 16, [47.12, 9.505, 47.16, 9.55], { rows: [1], linkedPlace: 'village', importance: 0.187 }),
  area('Städtle', 26, undefined, {
    category: 'highway',
    type: 'pedestrian',
    rows: [2, 1],
    latitude: 47.1395,
    longitude: 9.522,
  }),
  house('38', 47.1401, 9.5221, { parent: 3 }),
];

function rowsAt(
  latitude: number,
  longitude: number,
  layers: Parameters<typeof withDrawn>[0],
  languages: string[] = [],
): Promise<string | undefined> {
  return withDrawn(layers, geocoder =>
    geocoder
      .reverse({ latitude, longitude, zoom: 18, languages })
      ?.address.map(({ key, value }) => `${key}=${value}`)
      .join(' '),
  );
}

test('without any layer there is no answer', async () => {
  await withDrawn({}, geocoder => {
    expect(geocoder.reverse({ latitude: 47.14, longitude: 9.52, zoom: 18, languages: [] })).toBeUndefined();
    expect(geocoder.at(47.14, 9.52)?.geonameText()).toBeUndefined();
    expect(geocoder.search(freeTextQuestion('Vaduz'))).toEqual([]);
  });
});

test('without an extract the gazetteer answers', async () => {
  expect(await rowsAt(47.15, 9.53, { world: WORLD }, ['de'])).toBe('town=Vaduz country=Liechtenstein country_code=li');
  expect(await rowsAt(47.16, 9.47, { world: WORLD }, ['de'])).toBe(
    'village=Buchs state=Saint Gallen ISO3166-2-lvl4=CH-SG country=Schweiz country_code=ch',
  );
});

test('the extract answers first, and its rows are its own', async () => {
  const layers = { world: WORLD, extract: EXTRACT_BONUS };
  expect(await rowsAt(47.14, 9.522, layers)).toBe(
    'house_number=38 road=Städtle village=Vaduz country=Fürstentum country_code=li',
  );
  expect(await rowsAt(47.15, 9.53, layers)).toBe('village=Vaduz country=Fürstentum country_code=li');
});

test('where the extract knows only the country, the gazetteer answers', async () => {
  expect(await rowsAt(47.19, 9.53, { world: WORLD, extract: EXTRACT_BONUS })).toBe(
    'town=Vaduz country=Fürstentum country_code=li',
  );
  expect(await rowsAt(47.16, 9.47, { world: WORLD, extract: EXTRACT_BONUS })).toMatch(/^village=Buchs/);
  expect(await rowsAt(47.19, 9.53, { extract: EXTRACT_BONUS })).toBe('country=Fürstentum country_code=li');
});

test('a house on the other side of a border is no answer', async () => {
  // The point is east of the Rhine, by the country that the extract has; the house nearest to it is said to be in
  // Switzerland.
  const across = house('1', 47.1701, 9.5401, { countryCode: 'ch' });
  expect(await rowsAt(47.17, 9.54, { world: WORLD, extract: [...EXTRACT_BONUS, across] })).toBe(
    'town=Vaduz country=Fürstentum country_code=li',
  );
});

test('where the borders of the world are not exact enough, the municipality around the point decides', async () => {
  // Vaduz reaches into what the world has as Switzerland, and the house is in it.
  const extract = [area('Vaduz', 16, [47.12, 9.46, 47.2, 9.55]), house('7', 47.1601, 9.4701, { rows: [1] })];
  expect(await rowsAt(47.16, 9.47, { world: WORLD, extract })).toBe(
    'house_number=7 city=Vaduz country=Liechtenstein country_code=li',
  );
});

test('countries are called as they call themselves, unless a language is asked for', async () => {
  const layers = { world: WORLD, extract: EXTRACT_BONUS };
  expect(await rowsAt(47.15, 9.53, layers)).toMatch(/country=Fürstentum/);
  expect(await rowsAt(47.15, 9.53, layers, ['fr'])).toMatch(/country=Liechtenstein/);
});

test('at sea beyond twelve nautical miles nothing answers, whoever claims the water', async () => {
  const portugal = worldPlace('country', 'Portugal', 4, 39.6, -8, { countryCode: 'pt' });
  const waters = area('Portugal', 4, [36, -13, 43, -6], { countryCode: 'pt' });
  for (const extract of [undefined, [waters]]) {
    await withDrawn({ world: [portugal], ...(extract && { extract }), coasts: true }, geocoder => {
      const country = (longitude: number, zoom: number) =>
        geocoder.reverse({ latitude: 37.023, longitude, zoom, languages: [] })?.name;
      // The cape is at -8.997; 11 and 13 nautical miles west of it.
      expect([3, 8, 18].map(zoom => country(-9.226, zoom))).toEqual(['Portugal', 'Portugal', 'Portugal']);
      expect([3, 8, 18].map(zoom => country(-9.269, zoom))).toEqual([undefined, undefined, undefined]);
      expect(geocoder.at(37.023, -9.269)).toBeUndefined();
    });
  }
});

test('the geoname of a point is in English, by the gazetteer where the extract has no town', async () => {
  await withDrawn({ world: WORLD, extract: EXTRACT_BONUS }, geocoder => {
    // Asked twice, it is the same: the second answer is the one that was kept.
    for (let i = 0; i < 2; i++) {
      expect(geocoder.at(47.14, 9.522)?.geonameText()).toBe(
        '{"town":"Vaduz","country":"Liechtenstein","country_code":"LI"}',
      );
      expect(geocoder.at(47.16, 9.47)?.geonameText()).toBe(
        '{"town":"Buchs","country":"Switzerland","country_code":"CH"}',
      );
    }
    expect(geocoder.at(30, -40)?.geonameText()).toBeUndefined();
  });
  const lonely = area('Rheindamm', 26, undefined, {
    category: 'highway',
    type: 'track',
    countryCode: 'ch',
    latitude: 47.16,
    longitude: 9.47,
  });
  await withDrawn({ world: WORLD, extract: [lonely] }, geocoder => {
    expect(geocoder.at(47.16, 9.47)?.geonameText()).toContain('"town":"Buchs"');
  });
});

test('where the extract is cut and has no town, the gazetteer names it', async () => {
  const state = area('Sankt Gallen', 8, [47.1, 9.4, 47.2, 9.5], { countryCode: 'ch' });
  const street = area('Rheindamm', 26, undefined, {
    ...{ category: 'highway', type: 'residential', countryCode: 'ch', latitude: 47.1601, longitude: 9.47, rows: [1] },
  });
  const number = house('7', 47.1602, 9.4702, { countryCode: 'ch', parent: 2 });
  const extract = [state, street, number];
  expect(await rowsAt(47.1602, 9.4702, { world: WORLD, extract })).toBe(
    'house_number=7 road=Rheindamm town=Buchs state=Sankt Gallen country=Switzerland country_code=ch',
  );
  expect(await rowsAt(47.1602, 9.4702, { extract })).not.toContain('town=');
  const own = [state, street, { said: { ...number.said, town: 'Werdenberg' } }];
  expect(await rowsAt(47.1602, 9.4702, { world: WORLD, extract: own })).toContain(
    'road=Rheindamm town=Werdenberg state=Sankt Gallen',
  );
});

test(
  'a village that only a label names is the town if the gazetteer knows it or no town is near, otherwise the ' +
    'town is',
  async () => {
    const world = [
      worldPlace('country', 'Switzerland', 4, 46.8, 8.2, { countryCode: 'ch' }),
      worldPlace('village', 'Buchs', 19, 47.16, 9.47, { countryCode: 'ch', rows: [1] }),
      worldPlace('village', 'Grabs', 19, 47.18, 9.44, { countryCode: 'ch', rows: [1] }),
    ];
    const label = (name: string, latitude: number, longitude: number, type = 'village'): Drawn => ({
      said: {
        ...{
          category: 'place',
          type,
          names: { name },
          searchRank: type === 'village' ? 19 : 18,
          addressRank: 16,
          countryCode: 'ch',
        },
        ...{ osmType: OSM_NODE, latitude, longitude },
      },
    });
    const rowsOf = (settlement: Drawn, said: Partial<Place> = {}) => {
      const { latitude, longitude } = settlement.said;
      const number = house('7', latitude!, longitude!, { countryCode: 'ch', rows: [1], ...said });
      return rowsAt(latitude!, longitude!, { world, extract: [settlement, number] });
    };
    expect(await rowsOf(label('Räfis', 47.15, 9.48))).toContain('village=Räfis town=Buchs country=');
    expect(await rowsOf(label('Räfis', 47.15, 9.48), { town: 'Räfis' })).not.toContain('town=');
    expect(await rowsOf(label('Räfis', 47.15, 9.48, 'town'))).toContain('town=Räfis country=');
    expect(await rowsOf(label('grabs', 47.181, 9.441))).toContain('village=grabs country=');
    expect(await rowsOf(label('Oberberg', 47.2, 9.35))).toContain('village=Oberberg country=');
  },
);

test('a found place says what it is, where, and whose data it is', async () => {
  await withDrawn({ world: WORLD, extract: EXTRACT_BONUS }, geocoder => {
    expect(geocoder.reverse({ latitude: 47.14, longitude: 9.522, zoom: 10, languages: [] })).toMatchObject({
      placeId: 4,
      osmType: 'relation',
      osmId: 1,
      latitude: 47.14,
      longitude: 9.5275,
      category: 'boundary',
      type: 'administrative',
      placeRank: 16,
      addressType: 'village',
      name: 'Vaduz',
      displayName: 'Vaduz, Fürstentum',
      licence: 'the extract',
    });
    expect(geocoder.reverse({ latitude: 47.16, longitude: 9.47, zoom: 3, languages: ['de'] })).toMatchObject({
      placeId: 5,
      osmType: undefined,
      osmId: undefined,
      placeRank: 4,
      addressType: 'country',
      name: 'Schweiz',
      displayName: 'Schweiz',
      licence: 'the gazetteer',
    });
  });
});

test('one place is found once: as the extract has it', async () => {
  await withDrawn({ world: WORLD, extract: EXTRACT_BONUS }, geocoder => {
    expect(
      geocoder.search(freeTextQuestion('Vaduz')).map(({ displayName, licence }) => [displayName, licence]),
    ).toEqual([
      ['Vaduz, Fürstentum', 'the extract'],
      ['Vaduz, Saint Gallen, Switzerland', 'the gazetteer'],
    ]);
  });
});

test('coordinates in words are answered like a point', async () => {
  await withDrawn({ world: WORLD, extract: EXTRACT_BONUS }, geocoder => {
    const names = (text: string, more = {}) =>
      geocoder.search(freeTextQuestion(text, more)).map(({ displayName }) => displayName);
    expect(names('47.14, 9.522')).toEqual(['Städtle 38, Vaduz, Fürstentum']);
    expect(names('47.14, 9.522', { countryCodes: ['ch'] })).toEqual([]);
    expect(names('47.14, 9.522', { countryCodes: ['at', 'li'] })).toHaveLength(1);
    expect(names('47.14, 9.522', { viewbox: { west: 9, south: 46, east: 9.5, north: 48 }, isBounded: true })).toEqual(
      [],
    );
    expect(names('47.14, 9.522', { viewbox: { west: 9, south: 46, east: 9.5, north: 48 } })).toHaveLength(1);
    expect(names('30.0, -40.0')).toEqual([]);
  });
});

test('a new extract answers from the next question on', async () => {
  const roots = await Promise.all([
    drawLayer('the first', EXTRACT_BONUS),
    drawLayer('the second', EXTRACT_BONUS.with(1, area('Neu', 16, [47.12, 9.505, 47.16, 9.55], { rows: [1] }))),
  ]);
  const [first, second] = roots.map(root => join(root, 'layer'));
  try {
    await withGeocoder({ extract: first }, async (geocoder, source) => {
      const licence = (): string | undefined =>
        geocoder.reverse({ latitude: 47.14, longitude: 9.522, zoom: 18, languages: [] })?.licence;
      const address = (languages: string[]) => geocoder.at(47.14, 9.522)?.addressText(languages);
      expect(licence()).toBe('the first');
      const local = '{"house_number":"38","road":"Städtle","town":"Vaduz","country":"Fürstentum","country_code":"li"}';
      const english = local.replace('Fürstentum', 'Liechtenstein');
      expect([[], ['en'], []].map(address)).toEqual([local, english, local]);
      geocoder.release();
      source.replace({ extract: second });
      // The answer is handed over by the event loop.
      await new Promise(setImmediate);
      expect(licence()).toBe('the second');
      expect(address([])).toBe(local.replace('"town":"Vaduz"', '"town":"Neu"'));
      expect(geocoder.search(freeTextQuestion('Neu')).map(({ name }) => name)).toEqual(['Neu']);
    });
  } finally {
    for (const root of roots) rmSync(root, { recursive: true, force: true });
  }
});
