import { expect, test } from 'vitest';
import { type Drawn, withDrawn, worldPlace } from '../../kits/places/layers.ts';
import { uniform } from '../../kits/random.ts';

// Around Kassel in Germany, where a kilometre is 0.009 degrees of latitude and 0.0144 of longitude.
const LATITUDE = 51.3;
const LONGITUDE = 9.5;

/** A place so many kilometres north and east of the middle. */
function german(
  type: string,
  name: string,
  rank: number,
  north: number,
  east: number,
  rows: number[] = [2, 1],
  said: object = {},
): Drawn {
  const at = [LATITUDE + north / 111.195, LONGITUDE + east / (111.195 * Math.cos((LATITUDE * Math.PI) / 180))] as const;
  return worldPlace(type, name, rank, ...at, { countryCode: 'de', rows, ...said });
}

const GERMANY = german('country', 'Germany', 4, 0, 0, []);
const HESSE = german('state', 'Hesse', 8, 0, 0, [1]);

/** Name of what is at the middle, or at another point. */
function answer(
  world: readonly Drawn[],
  zoom: number,
  point: readonly [number, number] = [LATITUDE, LONGITUDE],
): Promise<string | undefined> {
  const [latitude, longitude] = point;
  return withDrawn(
    { world: [GERMANY, HESSE, ...world] },
    geocoder => geocoder.reverse({ latitude, longitude, zoom, languages: [] })?.displayName,
  );
}

test.each([
  [18, 'Nord, Kassel, Hesse, Germany'],
  [14, 'Nord, Kassel, Hesse, Germany'],
  [13, 'Kassel, Hesse, Germany'],
  [10, 'Kassel, Hesse, Germany'],
  [9, 'Hesse, Germany'],
  [5, 'Hesse, Germany'],
  [4, 'Germany'],
  [0, 'Germany'],
])('zoom %i answers %s', async (zoom, name) => {
  expect(await answer([german('city', 'Kassel', 16, 3, 0), german('suburb', 'Nord', 21, 1, 0, [3, 2, 1])], zoom)).toBe(
    name,
  );
});

test('a larger town counts further', async () => {
  const village = german('village', 'Dorf', 19, 0, 2);
  expect(await answer([german('city', 'Kassel', 16, 0, -4.9), village], 18)).toMatch(/^Kassel/);
  expect(await answer([german('city', 'Kassel', 16, 0, -5.1), village], 18)).toMatch(/^Dorf/);
  expect(await answer([german('town', 'Stadt', 18, 0, -2.9), village], 18)).toMatch(/^Stadt/);
  expect(await answer([german('village', 'Unbekannt', 20, 0, -0.7), village], 18)).toMatch(/^Dorf/);
});

test('of many settlements the one with the least weighted distance answers', async () => {
  const random = uniform(44);
  const weights = { 16: 2.5, 18: 1.5, 19: 1, 20: 1 / 3 };
  const ranks = [16, 18, 18, 19, 19, 19, 20, 20];
  const settlements = Array.from({ length: 120 }, (_, i) => {
    const [north, east] = [60 * random() - 30, 60 * random() - 30];
    return { name: `S${i}`, rank: ranks[i % ranks.length] as keyof typeof weights, north, east };
  });
  const drawn = settlements.map(({ name, rank, north, east }) => german('place', name, rank, north, east));
  await withDrawn({ world: [GERMANY, HESSE, ...drawn] }, geocoder => {
    for (let i = 0; i < 300; i++) {
      const [north, east] = [40 * random() - 20, 40 * random() - 20];
      // As the map is here, a kilometre is a little shorter farther north: who is nearly as near is left out.
      const [first, second] = settlements
        .map(each => ({ ...each, km: Math.hypot(each.north - north, each.east - east) }))
        .filter(({ km }) => km < 20)
        .map(({ name, rank, km }) => ({ name, weighted: km / weights[rank] }))
        .sort((a, b) => a.weighted - b.weighted);
      if (second.weighted < 1.05 * first.weighted) continue;
      const { said } = german('point', '', 19, north, east);
      const [latitude, longitude] = [said.latitude!, said.longitude!];
      expect(geocoder.reverse({ latitude, longitude, zoom: 13, languages: [] })?.name).toBe(first.name);
    }
  });
});

test('distance is measured on the ground', async () => {
  // In degrees the eastern one would be further.
  expect(await answer([german('village', 'Nord', 19, 3, 0), german('village', 'Ost', 19, 0, 2.5)], 18)).toMatch(/^Ost/);
});

test('a part of another city does not answer, nor one that is further than the town', async () => {
  const town = german('town', 'Stadt', 18, 1, 0);
  const other = german('town', 'Andere', 18, -9, 0);
  expect(await answer([town, other, german('suburb', 'Rand', 21, -0.5, 0, [4, 2, 1])], 18)).toMatch(/^Stadt/);
  expect(await answer([town, german('suburb', 'Fern', 21, -1.5, 0, [3, 2, 1])], 18)).toMatch(/^Stadt/);
});

test('far from every town the state of the nearest one answers, further away only the country', async () => {
  expect(await answer([german('village', 'Dorf', 19, 60, 0)], 18)).toBe('Hesse, Germany');
  expect(await answer([german('village', 'Dorf', 19, 110, 0)], 18)).toBe('Germany');
});

test('towns of another country do not answer', async () => {
  const foreign = german('city', 'Fremd', 16, 1, 0, [], { countryCode: 'fr' });
  expect(await answer([foreign, german('village', 'Dorf', 19, 15, 0)], 18)).toMatch(/^Dorf/);
});

test('the nearest town lies beyond the antimeridian', async () => {
  const fiji = worldPlace('country', 'Fiji', 4, -17, 178, { countryCode: 'fj' });
  const somosomo = worldPlace('village', 'Somosomo', 19, -16.78, -179.97, { countryCode: 'fj', rows: [3] });
  expect(await answer([fiji, somosomo], 18, [-16.78, 179.99])).toBe('Somosomo, Fiji');
});

test.each([
  ['open sea', 30, -40],
  ['north pole', 90, 12],
])('%s has no answer', async (_, latitude, longitude) => {
  expect(await answer([], 18, [latitude, longitude])).toBeUndefined();
});

test('the south pole is in Antarctica, whatever the longitude', async () => {
  const antarctica = worldPlace('country', 'Antarctica', 4, -80, 20, { countryCode: 'aq' });
  for (const longitude of [-180, 0, 77, 180])
    expect(await answer([antarctica], 18, [-90, longitude])).toBe('Antarctica');
});
