import { expect, test } from 'vitest';
import type { PastPlace } from '../../../src/positioning/cells/followed/past.ts';
import { KIND_LTE } from '../../../src/radio/kind.ts';
import { KEY_BYTES_CELL } from '../../../src/radio/station_key.ts';
import { decodeCellPlaces, encodeCellPlaces } from '../../../src/tracking/outdoor/cell_places.ts';
import { uniform } from '../../kits/random.ts';

const TIME_MS = 1_700_000_000_123;

function place(latitude: number, longitude: number, more: Partial<PastPlace> = {}): PastPlace {
  return { latitude, longitude, weight: 1, eastSpeed: 0, northSpeed: 0, sigmaMetres: 16, speedSigma: 0.25, ...more };
}

function roundTrip(places: readonly PastPlace[]): readonly PastPlace[] {
  return decodeCellPlaces(encodeCellPlaces({ timeMs: TIME_MS, places, cells: [] }))!.places;
}

test(
  'places survive their bytes, to a metre, an eighth of m/s, a four-hundredth of the weight and a fifth of the ' +
    'spreads',
  () => {
    const random = uniform(4);
    for (let round = 0; round < 200; round++) {
      const origin = place(170 * random() - 85, 360 * random() - 180, { weight: 1 });
      const drawn = Array.from({ length: 29 }, () =>
        place(origin.latitude + 0.2 * (random() - 0.5), wrapped(origin.longitude + 0.2 * (random() - 0.5)), {
          weight: 0.01 + 0.9 * random(),
          eastSpeed: 60 * random() - 30,
          northSpeed: 60 * random() - 30,
          sigmaMetres: 4 * 180 ** random(),
          speedSigma: 0.25 * 150 ** random(),
        }),
      );
      const sum = drawn.reduce((total, { weight }) => total + weight, 1);
      const places = [origin, ...drawn].map(each => ({ ...each, weight: each.weight / sum }));
      const decoded = roundTrip(places);
      expect(decoded.length).toBe(30);
      for (const [
        i,
        { latitude, longitude, weight, eastSpeed, northSpeed, sigmaMetres, speedSigma },
      ] of decoded.entries()) {
        expect(Math.abs(latitude - places[i].latitude)).toBeLessThan(5.1e-6);
        expect(Math.abs(wrapped(longitude - places[i].longitude))).toBeLessThan(5.1e-6);
        expect(Math.abs(weight - places[i].weight)).toBeLessThan(1 / 400);
        expect(Math.abs(eastSpeed - places[i].eastSpeed)).toBeLessThanOrEqual(0.125);
        expect(Math.abs(northSpeed - places[i].northSpeed)).toBeLessThanOrEqual(0.125);
        expect(Math.abs(Math.log2(sigmaMetres / places[i].sigmaMetres))).toBeLessThanOrEqual(0.2501);
        expect(Math.abs(Math.log(speedSigma / places[i].speedSigma) / Math.log(1.4))).toBeLessThanOrEqual(0.5001);
      }
    }
  },
);

test('30 places and 3 cells take 293 bytes; of more, the first are kept', () => {
  const places = Array.from({ length: 40 }, (_, i) => place(50 + i / 1e5, 8, { weight: 40 - i }));
  const cells = [1, 2, 3, 4].map(key);
  const most = encodeCellPlaces({ timeMs: TIME_MS, places: places.slice(0, 30), cells: cells.slice(0, 3) });
  expect(most.length).toBe(293);
  expect(encodeCellPlaces({ timeMs: TIME_MS, places, cells })).toEqual(most);
  expect(roundTrip(places)[29].latitude).toBeCloseTo(50.00029, 9);
});

test.each([0, 1, 2, 3])('%d cells survive their bytes', count => {
  const cells = Array.from({ length: count }, (_, i) => key(i));
  expect(decodeCellPlaces(encodeCellPlaces({ timeMs: TIME_MS, places: [place(50, 8)], cells }))).toEqual({
    timeMs: TIME_MS,
    places: [place(50, 8)],
    cells,
  });
});

test('the date line is crossed, and what is 36 km away is left out', () => {
  const places = [place(0, 179.9999), place(0, -179.9999), place(0.32, 179.9999), place(0.33, 179.9999), place(0, 179)];
  expect(roundTrip(places).map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
    [0, 179.9999],
    [0, expect.closeTo(-179.9999, 9)],
    [0.32, 179.9999],
  ]);
});

test(
  'a speed or a spread beyond the largest is the largest, and a weight or a spread that is hardly any is the ' +
    'least',
  () => {
    const [first, second] = roundTrip([
      place(0, 0, { eastSpeed: 99, northSpeed: -99, sigmaMetres: 1e5, speedSigma: 99 }),
      place(0, 0, { weight: 1e-9, sigmaMetres: 0, speedSigma: 0 }),
    ]);
    expect([first.eastSpeed, first.northSpeed]).toEqual([31.75, -31.75]);
    expect([first.sigmaMetres, first.speedSigma]).toEqual([expect.closeTo(724.08, 2), expect.closeTo(38.89, 2)]);
    expect([second.sigmaMetres, second.speedSigma]).toEqual([4, 0.25]);
    expect(second.weight).toBeCloseTo(1 / 256, 9);
  },
);

const VALID = encodeCellPlaces({ timeMs: TIME_MS, places: [place(89.9999, 0), place(90, 0)], cells: [key(1)] });
const PLACES_AT = 29;
const PLACE_BYTES = 8;
test.each([
  ['no bytes', new Uint8Array()],
  ['no number of cells', VALID.subarray(0, 16)],
  ['no place', VALID.subarray(0, PLACES_AT)],
  ['half of a cell', VALID.subarray(0, 22)],
  ['a byte too few', VALID.subarray(0, VALID.length - 1)],
  [
    '31 places',
    Uint8Array.from([
      ...VALID.subarray(0, PLACES_AT),
      ...Array.from({ length: 31 }, () => [...VALID.subarray(PLACES_AT, PLACES_AT + PLACE_BYTES)]).flat(),
    ]),
  ],
  ['four cells', changed(16, 4)],
  ['a cell that is an access point', changed(17, 1)],
  ['a time that is no number', encodeCellPlaces({ timeMs: Number.NaN, places: [place(0, 0)], cells: [] })],
  ['a place beyond the pole', changed(PLACES_AT, 100)],
  ['a place without weight', changed(PLACES_AT + 6, 0)],
])('%s: none', (_, bytes) => {
  expect(decodeCellPlaces(bytes)).toBeUndefined();
});

test('the pole is a place', () => {
  expect(decodeCellPlaces(VALID)?.places.map(({ latitude }) => latitude)).toEqual([89.9999, 90]);
});

/** A key of a cell, of its length. */
function key(number: number): Uint8Array {
  return Uint8Array.from({ length: KEY_BYTES_CELL }, (_, i) => (i === 0 ? KIND_LTE : number + i));
}

function changed(at: number, value: number): Uint8Array {
  const bytes = VALID.slice();
  bytes[at] = value;
  return bytes;
}

function wrapped(longitude: number): number {
  return longitude - 360 * Math.round(longitude / 360);
}
