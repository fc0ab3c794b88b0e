import { expect, test } from 'vitest';
import type { Fingerprint, Reading } from '../../../src/indoor/fingerprints/fingerprint.ts';
import { isLevel, placesOf } from '../../../src/indoor/fingerprints/places.ts';
import { strengthOf } from '../../../src/indoor/fingerprints/strength.ts';

const at = (eastMetres: number, readings: Reading[], more: Partial<Fingerprint> = {}): Fingerprint => ({
  floor: 0,
  eastMetres,
  northMetres: 0.5,
  readings,
  ...more,
});
const loud = [{ radio: 1, levelDbm: -40 }];
const other = [{ radio: 2, levelDbm: -40 }];

test('like fingerprints of a cell are one place, where they were on average', () => {
  const places = placesOf([at(0.2, loud), at(0.8, [{ radio: 1, levelDbm: -42 }])], 2);
  expect(places).toHaveLength(1);
  expect(places[0]).toMatchObject({ floor: 0, eastMetres: 0.5, northMetres: 0.5, prior: 1 });
  expect(places[0].strengths.get(1)).toBeCloseTo((strengthOf(-40) + strengthOf(-42)) / 2, 12);
});

test('unlike fingerprints of a cell are several places, at most six', () => {
  expect(placesOf([at(0, loud), at(0, other)], 2).map(({ prior }) => prior)).toEqual([0.5, 0.5]);
  const many = Array.from({ length: 20 }, (_, radio) => at(0, [{ radio, levelDbm: -40 }]));
  expect(placesOf(many, 2)).toHaveLength(6);
});

test('other cells and other floors are other places', () => {
  expect(
    placesOf([at(0, loud), at(2, loud), at(0, loud, { floor: 1 })], 2).map(({ floor, eastMetres }) => [
      floor,
      eastMetres,
    ]),
  ).toEqual([
    [0, 0],
    [0, 2],
    [1, 0],
  ]);
});

test('the networks of a radio are one of their mean level', () => {
  const networks = [-50, -60].map(levelDbm => ({ radio: 1, levelDbm }));
  expect(placesOf([at(0, networks)], 2)[0].strengths.get(1)).toBe(strengthOf(-55));
});

test('an old reading counts less, one without an age or from the future in full', () => {
  const strengthAged = (ageMs: number): number =>
    placesOf([at(0, [{ radio: 1, levelDbm: -50, ageMs }])], 2)[0].strengths.get(1)!;
  expect(strengthAged(20_000)).toBeCloseTo(strengthOf(-50) / Math.E, 12);
  for (const ageMs of [0, -5, Number.NaN]) expect(strengthAged(ageMs)).toBe(strengthOf(-50));
});

test('a contributor counts eight times in a place, others as often as they are', () => {
  const liar = Array.from({ length: 100 }, () => at(0, [{ radio: 1, levelDbm: -40 }], { contributor: 7 }));
  const others = Array.from({ length: 8 }, (_, i) => at(0, [{ radio: 1, levelDbm: -46 }], { contributor: i }));
  const [place] = placesOf([...liar, ...others], 2);
  expect(place.strengths.get(1)).toBeCloseTo((8 * strengthOf(-40) + 8 * strengthOf(-46)) / 16, 2);
});

test.each<[string, Partial<Fingerprint>, number]>([
  ['a floor of -128', { floor: -128 }, 1],
  ['a floor of -129', { floor: -129 }, 0],
  ['a floor of 254', { floor: 254 }, 1],
  ['a floor of 255', { floor: 255 }, 0],
  ['half a floor', { floor: 0.5 }, 0],
  ['20 km away', { northMetres: -20_000 }, 1],
  ['farther', { northMetres: -20_001 }, 0],
  ['at no number', { eastMetres: Number.NaN }, 0],
  ['no reading', { readings: [] }, 0],
  ['no reading that can be', { readings: [{ radio: 1, levelDbm: 1 }] }, 0],
  ['a radio that is no number', { readings: [{ radio: -1, levelDbm: -50 }] }, 0],
])('a fingerprint with %s', (_, more, places) => {
  expect(placesOf([at(0, loud, more)], 2)).toHaveLength(places);
});

test.each([
  [-127, true],
  [-127.5, false],
  [0, true],
  [0.5, false],
  [Number.NaN, false],
])('a level of %d dBm', (levelDbm, can) => {
  expect(isLevel(levelDbm)).toBe(can);
});
