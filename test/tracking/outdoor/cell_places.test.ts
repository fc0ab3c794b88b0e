import { expect, test } from 'vitest';
import { type CellPlace, decodeCellPlaces, encodeCellPlaces } from '../../../src/tracking/outdoor/cell_places.ts';
import { uniform } from '../../kits/random.ts';

const TIME_MS = 1_700_000_000_123;

function place(latitude: number, longitude: number, more: Partial<CellPlace> = {}): CellPlace {
  return { latitude, longitude, weight: 1, eastSpeed: 0, northSpeed: 0, ...more };
}

function roundTrip(places: readonly CellPlace[]): readonly CellPlace[] {
  return decodeCellPlaces(encodeCellPlaces({ timeMs: TIME_MS, places }))!.places;
}

test('places survive their bytes, to a metre, an eighth of m/s and a four-hundredth of the weight', () => {
  const random = uniform(4);
  for (let round = 0; round < 200; round++) {
    const origin = place(170 * random() - 85, 360 * random() - 180, { weight: 1 });
    const drawn = Array.from({ length: 23 }, () =>
      place(origin.latitude + 0.2 * (random() - 0.5), wrapped(origin.longitude + 0.2 * (random() - 0.5)), {
        weight: 0.01 + 0.9 * random(),
        eastSpeed: 60 * random() - 30,
        northSpeed: 60 * random() - 30,
      }),
    );
    const sum = drawn.reduce((total, { weight }) => total + weight, 1);
    const places = [origin, ...drawn].map(each => ({ ...each, weight: each.weight / sum }));
    const decoded = roundTrip(places);
    expect(decoded.length).toBe(24);
    for (const [i, { latitude, longitude, weight, eastSpeed, northSpeed }] of decoded.entries()) {
      expect(Math.abs(latitude - places[i].latitude)).toBeLessThan(5.1e-6);
      expect(Math.abs(wrapped(longitude - places[i].longitude))).toBeLessThan(5.1e-6);
      expect(Math.abs(weight - places[i].weight)).toBeLessThan(1 / 400);
      expect(Math.abs(eastSpeed - places[i].eastSpeed)).toBeLessThanOrEqual(0.125);
      expect(Math.abs(northSpeed - places[i].northSpeed)).toBeLessThanOrEqual(0.125);
    }
  }
});

test('24 places take 184 bytes; of more, the first are kept', () => {
  const places = Array.from({ length: 30 }, (_, i) => place(50 + i / 1e5, 8, { weight: 30 - i }));
  expect(encodeCellPlaces({ timeMs: TIME_MS, places: places.slice(0, 24) }).length).toBe(184);
  expect(encodeCellPlaces({ timeMs: TIME_MS, places }).length).toBe(184);
  expect(roundTrip(places)[23].latitude).toBeCloseTo(50.00023, 9);
});

test('the date line is crossed, and what is 36 km away is left out', () => {
  const places = [place(0, 179.9999), place(0, -179.9999), place(0.32, 179.9999), place(0.33, 179.9999), place(0, 179)];
  expect(roundTrip(places).map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
    [0, 179.9999],
    [0, expect.closeTo(-179.9999, 9)],
    [0.32, 179.9999],
  ]);
});

test('a speed beyond the largest is the largest, and a weight that is hardly any is the least', () => {
  const [first, second] = roundTrip([place(0, 0, { eastSpeed: 99, northSpeed: -99 }), place(0, 0, { weight: 1e-9 })]);
  expect([first.eastSpeed, first.northSpeed]).toEqual([31.75, -31.75]);
  expect(second.weight).toBeCloseTo(1 / 256, 9);
});

const VALID = encodeCellPlaces({ timeMs: TIME_MS, places: [place(89.9999, 0), place(90, 0)] });
test.each([
  ['no bytes', new Uint8Array()],
  ['no place', VALID.subarray(0, 16)],
  ['a byte too few', VALID.subarray(0, 29)],
  ['25 places', new Uint8Array([...VALID.subarray(0, 16), ...Array.from({ length: 25 }, () => [...VALID.subarray(16, 23)]).flat()])],
  ['a time that is no number', encodeCellPlaces({ timeMs: Number.NaN, places: [place(0, 0)] })],
  ['a place beyond the pole', changed(16, 100)],
  ['a place without weight', changed(22, 0)],
])('%s: none', (_, bytes) => {
  expect(decodeCellPlaces(bytes)).toBeUndefined();
});

test('the pole is a place', () => {
  expect(decodeCellPlaces(VALID)?.places.map(({ latitude }) => latitude)).toEqual([89.9999, 90]);
});

function changed(at: number, value: number): Uint8Array {
  const bytes = VALID.slice();
  bytes[at] = value;
  return bytes;
}

function wrapped(longitude: number): number {
  return longitude - 360 * Math.round(longitude / 360);
}
