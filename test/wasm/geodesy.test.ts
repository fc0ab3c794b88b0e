import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Frame } from '../../src/core/frame.ts';
import { instantiateCore } from '../../src/core/instantiate.ts';

const frame = new Frame(instantiateCore());
const longitudes = fc.double({ min: -180, max: 180, noNaN: true });

test('a thousandth of a degree at 52 degrees north is 68.68 m east and 111.27 m north on WGS-84', () => {
  expect(frame.set(52, 4)).toBe(true);
  const [north, east] = [frame.northOf(52.001), frame.eastOf(4.001)];
  // The usual series of the length of a degree.
  const phi = (52 * Math.PI) / 180;
  const latitudeDegree =
    111132.92 - 559.82 * Math.cos(2 * phi) + 1.175 * Math.cos(4 * phi) - 0.0023 * Math.cos(6 * phi);
  const longitudeDegree = 111412.84 * Math.cos(phi) - 93.5 * Math.cos(3 * phi) + 0.118 * Math.cos(5 * phi);
  expect(north).toBeCloseTo(latitudeDegree / 1000, 2);
  expect(east).toBeCloseTo(longitudeDegree / 1000, 2);
  expect(east).toBeCloseTo(68.68, 2);
  expect(north).toBeCloseTo(111.27, 2);
});

test('the frame is left and entered without loss, anywhere below 89 degrees', () => {
  const metres = fc.double({ min: -20_000, max: 20_000, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: -89, max: 89, noNaN: true }),
      longitudes,
      metres,
      metres,
      (latitude, longitude, east, north) => {
        frame.set(latitude, longitude);
        expect(frame.eastOf(frame.longitudeOf(east))).toBeCloseTo(east, 4);
        expect(frame.northOf(frame.latitudeOf(north))).toBeCloseTo(north, 4);
      },
    ),
    { seed: 1 },
  );
});

test('positions on both sides of the antimeridian are neighbours', () => {
  frame.set(-17, 179.999);
  const east = frame.eastOf(-179.999);
  expect(east).toBeGreaterThan(200);
  expect(east).toBeLessThan(220);
  expect(frame.longitudeOf(east)).toBeCloseTo(-179.999, 9);
});

test('at a pole everything stays finite and in range', () => {
  for (const pole of [-90, 90]) {
    expect(frame.set(pole, 0)).toBe(true);
    expect(Number.isFinite(frame.eastOf(123))).toBe(true);
    expect(Number.isFinite(frame.northOf(pole * 0.999))).toBe(true);
    expect(Math.abs(frame.latitudeOf(1e6))).toBeLessThanOrEqual(90);
    expect(Math.abs(frame.longitudeOf(1e6))).toBeLessThanOrEqual(180);
  }
});

test('an invalid position is refused, and metres always have a position', () => {
  for (const wrong of [NaN, Infinity, -Infinity]) {
    expect(frame.set(wrong, 0)).toBe(false);
    expect(frame.eastOf(wrong)).toBeNaN();
    expect(frame.northOf(wrong)).toBeNaN();
    expect(Number.isFinite(frame.latitudeOf(wrong))).toBe(true);
    expect(Number.isFinite(frame.longitudeOf(wrong))).toBe(true);
  }
  expect(frame.set(90.1, 0)).toBe(false);
  expect(frame.northOf(90.1)).toBeNaN();
});
