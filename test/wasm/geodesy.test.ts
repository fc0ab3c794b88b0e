import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCore } from '../../src/core/core.ts';
import { STATUS_NOT_FINITE, STATUS_OK } from '../../wasm/memory.ts';

const core = createCore();
const longitudes = fc.double({ min: -180, max: 180, noNaN: true });

test('a thousandth of a degree at 52 degrees north is 68.68 m east and 111.27 m north on WGS-84', () => {
  expect(core.setFrame(52, 4)).toBe(STATUS_OK);
  expect(core.toLocal(52.001, 4.001)).toBe(STATUS_OK);
  // The usual series of the length of a degree.
  const phi = (52 * Math.PI) / 180;
  const latitudeDegree =
    111132.92 - 559.82 * Math.cos(2 * phi) + 1.175 * Math.cos(4 * phi) - 0.0023 * Math.cos(6 * phi);
  const longitudeDegree = 111412.84 * Math.cos(phi) - 93.5 * Math.cos(3 * phi) + 0.118 * Math.cos(5 * phi);
  expect(core.north).toBeCloseTo(latitudeDegree / 1000, 2);
  expect(core.east).toBeCloseTo(longitudeDegree / 1000, 2);
  expect(core.east).toBeCloseTo(68.68, 2);
  expect(core.north).toBeCloseTo(111.27, 2);
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
        core.setFrame(latitude, longitude);
        expect(core.toLocal(core.latitudeOf(north), core.longitudeOf(east))).toBe(STATUS_OK);
        expect(core.east).toBeCloseTo(east, 4);
        expect(core.north).toBeCloseTo(north, 4);
      },
    ),
    { seed: 1 },
  );
});

test('positions on both sides of the antimeridian are neighbours', () => {
  core.setFrame(-17, 179.999);
  core.toLocal(-17, -179.999);
  expect(core.east).toBeGreaterThan(200);
  expect(core.east).toBeLessThan(220);
  expect(core.longitudeOf(core.east)).toBeCloseTo(-179.999, 9);
});

test('at a pole everything stays finite and in range', () => {
  for (const pole of [-90, 90]) {
    expect(core.setFrame(pole, 0)).toBe(STATUS_OK);
    expect(core.toLocal(pole * 0.999, 123)).toBe(STATUS_OK);
    expect(Number.isFinite(core.east)).toBe(true);
    expect(Math.abs(core.latitudeOf(1e6))).toBeLessThanOrEqual(90);
    expect(Math.abs(core.longitudeOf(1e6))).toBeLessThanOrEqual(180);
  }
});

test('an invalid position is refused, and no result is NaN', () => {
  for (const wrong of [NaN, Infinity, -Infinity]) {
    expect(core.setFrame(wrong, 0)).toBe(STATUS_NOT_FINITE);
    expect(core.toLocal(0, wrong)).toBe(STATUS_NOT_FINITE);
    expect(Number.isFinite(core.latitudeOf(wrong))).toBe(true);
    expect(Number.isFinite(core.longitudeOf(wrong))).toBe(true);
  }
  expect(core.setFrame(90.1, 0)).toBe(STATUS_NOT_FINITE);
});
