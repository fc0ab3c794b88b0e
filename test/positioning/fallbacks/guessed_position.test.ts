import { expect, test } from 'vitest';
import { positionOf } from '../../../src/positioning/fallbacks/guessed_position.ts';

test('one guess is the position', () => {
  const place = positionOf([{ latitude: 50, longitude: 9, typicalMetres: 700 }]);
  expect(place.latitude).toBeCloseTo(50, 9);
  expect(place.longitude).toBeCloseTo(9, 9);
  expect(place.typicalMetres).toBeCloseTo(700, 6);
});

test('two that agree outvote one elsewhere, whatever their order', () => {
  const here = { latitude: 50, longitude: 9, typicalMetres: 1000 };
  const near = { latitude: 50.001, longitude: 9, typicalMetres: 1000 };
  const away = { latitude: 51, longitude: 9, typicalMetres: 1000 };
  for (const guesses of [
    [here, near, away],
    [away, here, near],
  ]) {
    const { latitude } = positionOf(guesses);
    expect(latitude).toBeGreaterThan(49.999);
    expect(latitude).toBeLessThan(50.003);
  }
});

test('a much closer resemblance outvotes several loose ones', () => {
  const loose = [1, 2, 3, 4].map(i => ({ latitude: 51 + i / 1000, longitude: 9, typicalMetres: 5000 }));
  const { latitude, typicalMetres } = positionOf([...loose, { latitude: 50, longitude: 9, typicalMetres: 400 }]);
  expect(latitude).toBeCloseTo(50, 2);
  expect(typicalMetres).toBeLessThan(500);
});

test('guesses on both sides of the date line support each other', () => {
  const { latitude, longitude } = positionOf([
    { latitude: -17, longitude: 179.999, typicalMetres: 500 },
    { latitude: -17, longitude: -179.999, typicalMetres: 500 },
  ]);
  expect(latitude).toBeCloseTo(-17, 6);
  expect(Math.abs(longitude)).toBeGreaterThan(179.998);
});
