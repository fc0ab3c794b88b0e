import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TimedPosition } from '../../src/radio/query/reader.ts';
import { LAST_LOCATION_MS, lastBefore, speedBetween } from '../../src/tracking/speed.ts';

const KILOMETRE = 1000 / 111_195.08;
const NOW_MS = 1_700_000_000_000;
const at = (km: number, seconds: number, accuracyMetres = 0): TimedPosition => ({
  latitude: km * KILOMETRE,
  longitude: 180,
  accuracyMetres,
  timeMs: NOW_MS + seconds * 1000,
});

describe('the last position', () => {
  test('is the newer one, and the first of two as new', () => {
    const [old, young] = [at(1, -100), at(2, -50)];
    expect(lastBefore(NOW_MS, old, young)).toBe(young);
    expect(lastBefore(NOW_MS, young, old)).toBe(young);
    const twin = at(3, -50);
    expect(lastBefore(NOW_MS, young, twin)).toBe(young);
  });

  test('is the one that is there', () => {
    const place = at(1, -100);
    expect(lastBefore(NOW_MS, place, undefined)).toBe(place);
    expect(lastBefore(NOW_MS, undefined, place)).toBe(place);
    expect(lastBefore(NOW_MS, undefined, undefined)).toBeUndefined();
  });

  test('is from the last day, and later than the request only within the same second', () => {
    const day = LAST_LOCATION_MS / 1000;
    expect(
      [-day - 0.001, -day, 0, 0.999, 1, 1e9].map(
        seconds => lastBefore(NOW_MS, at(0, seconds), undefined) !== undefined,
      ),
    ).toEqual([false, true, true, true, false, false]);
    const known = at(1, -100);
    expect(lastBefore(NOW_MS, at(0, 60), known)).toBe(known);
    expect(lastBefore(NOW_MS, known, at(0, 60))).toBe(known);
  });
});

describe('the speed', () => {
  test('is the distance over the time', () => {
    expect(speedBetween(at(0, 0), at(1, 50))).toBeCloseTo(20, 3);
    expect(speedBetween(at(0, 0), at(0, 50))).toBe(0);
  });

  test('subtracts both accuracies', () => {
    expect(speedBetween(at(0, 0, 300), at(1, 10))).toBeCloseTo(70, 3);
    expect(speedBetween(at(0, 0), at(1, 10, 300))).toBeCloseTo(70, 3);
    expect(speedBetween(at(0, 0, 300), at(1, 10, 300))).toBeCloseTo(40, 3);
    expect(speedBetween(at(0, 0, 700), at(1, 10, 700))).toBe(0);
  });

  test('counts at least a second', () => {
    for (const seconds of [-0.9, 0, 0.5, 1]) expect(speedBetween(at(0, 0), at(1, seconds))).toBeCloseTo(1000, 1);
  });

  test('is the same both ways, finite, and never more with worse accuracies', () => {
    const place = fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      accuracyMetres: fc.double({ min: 0, max: 1e6, noNaN: true }),
    });
    fc.assert(
      fc.property(
        place,
        place,
        fc.integer({ min: 0, max: LAST_LOCATION_MS }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (a, b, ms, more) => {
          const speed = speedBetween({ ...a, timeMs: 0 }, { ...b, timeMs: ms });
          expect(speed).toBeGreaterThanOrEqual(0);
          expect(speed).toBeLessThan(2.1e7);
          expect(speedBetween({ ...b, timeMs: 0 }, { ...a, timeMs: ms })).toBeCloseTo(speed, 6);
          const vaguer = speedBetween(
            { ...a, accuracyMetres: a.accuracyMetres + more, timeMs: 0 },
            { ...b, timeMs: ms },
          );
          expect(vaguer).toBeLessThanOrEqual(speed);
        },
      ),
    );
  });
});
