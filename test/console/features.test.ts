// What of an explained answer is drawn, and what each line lights up.

import { expect, test } from 'vitest';
import { boundsOf, featuresOf } from '../../console/src/views/try/features.ts';
import { lookOf, looksOn, type Result } from '../../console/src/views/try/result.ts';

const SQUARE = [
  [
    [9, 47],
    [9.001, 47],
    [9.001, 47.001],
    [9, 47],
  ],
];
const RESULT = {
  sections: [],
  answer: { latitude: 47.0005, longitude: 9.0005 },
  estimates: [],
  shapes: [
    { about: 'building', name: 'Office', geometry: { type: 'Polygon', coordinates: SQUARE } },
    { about: 'room', name: 'Lobby', geometry: { type: 'MultiPolygon', coordinates: [SQUARE, SQUARE] } },
  ],
  before: [
    { time: '2026-01-01T00:00:00.000Z', latitude: 46.9, longitude: 8.9 },
    { time: '2026-01-01T00:01:00.000Z', latitude: 46.95, longitude: 8.95 },
  ],
  fallbacks: [
    { fallback: 'w4f', result: 'noGuess' },
    { fallback: 'lacf', result: 'answered', guesses: [{ latitude: 47, longitude: 9, typicalMetres: 5_000 }] },
  ],
} as unknown as Result;

test('outlines, the way so far and what a fallback went by are drawn, each under the name of its line', () => {
  const features = featuresOf(RESULT, undefined);
  const drawn = features.map(({ geometry: { type }, properties: { about, look } }) => `${type} ${about} ${look}`);
  expect(drawn).toEqual([
    'Polygon building inside',
    'MultiPolygon room inside',
    'LineString fallback:1 guess',
    'Point fallback:1 guess',
    'LineString track before',
    'Point track before',
    'Point track before',
    'Point answer answer',
  ]);
  for (const { properties } of features) expect(lookOf(RESULT, properties.about)).toBe(properties.look);
  // The way ends at the answer.
  expect(features[4].geometry.coordinates).toEqual([
    [8.9, 46.9],
    [8.95, 46.95],
    [9.0005, 47.0005],
  ]);
  expect(looksOn(RESULT)).toEqual(['answer', 'inside', 'before', 'guess']);
  const [[west, south], [east, north]] = boundsOf(features)!;
  expect([west, south]).toEqual([8.9, 46.9]);
  // Five kilometres around the area.
  expect(east).toBeGreaterThan(9.06);
  expect(north).toBeGreaterThan(47.04);
});
