import { expect, test } from 'vitest';
import { type HeardPlace, levelFrom, sourcesOf } from '../../../src/indoor/fingerprints/sources.ts';
import { uniform } from '../../kits/random.ts';

const nothing = (): void => {};

/** Places at random points of a floor of 60 m x 40 m, which hear each source as its law says. */
function placesHearing(
  sources: readonly { floor: number; east: number; north: number; slope: number }[],
  count: number,
): HeardPlace[] {
  const random = uniform(5);
  return Array.from({ length: count }, () => {
    const [east, north] = [60 * random(), 40 * random()];
    const level = sources.map(source => {
      const metres = Math.hypot(east - source.east, north - source.north, 4);
      return Math.max(0, 0.9 + source.slope * Math.log(metres));
    });
    return {
      floor: 2,
      eastMetres: east,
      northMetres: north,
      radio: Uint32Array.from(sources, (_, r) => r),
      level: Float32Array.from(level),
    };
  });
}

test('a radio that is heard as the law of distances says is found where it is', () => {
  // biome-ignore format: one line
  const drawn = [{ floor: 2, east: 20, north: 15, slope: -0.1 }, { floor: 2, east: 48, north: 33, slope: -0.15 }];
  const places = placesHearing(drawn, 300);
  for (const [r, source] of sourcesOf(places, 2, nothing).entries()) {
    expect([...source.keys()]).toEqual([2]);
    const found = source.get(2)!;
    expect(Math.hypot(found.eastMetres - drawn[r].east, found.northMetres - drawn[r].north)).toBeLessThan(2.5);
    expect(found.slope).toBeCloseTo(drawn[r].slope, 1);
    for (const place of places.slice(0, 20)) {
      expect(Math.abs(levelFrom(found, place.eastMetres, place.northMetres) - place.level[r])).toBeLessThan(0.02);
    }
  }
});

test('a radio has a source on each floor that hears it, fitted to that floor', () => {
  const at = (floor: number, eastMetres: number, level: number): HeardPlace => ({
    // biome-ignore format: short
    floor,
    eastMetres,
    northMetres: 0,
    radio: Uint32Array.of(0),
    level: Float32Array.of(level),
  });
  const loud = Array.from({ length: 8 }, (_, i) => at(1, 4 * i, 0.8 - 0.04 * i));
  const faint = Array.from({ length: 8 }, (_, i) => at(0, 4 * i, 0.3 - 0.02 * i));
  const [both] = sourcesOf([...faint, ...loud], 1, nothing);
  const [below, above] = [sourcesOf(faint, 1, nothing)[0].get(0), sourcesOf(loud, 1, nothing)[0].get(1)];
  expect([both.get(0), both.get(1), both.get(2)]).toEqual([below, above, undefined]);
  expect(above!.level).toBeGreaterThan(below!.level);
});

test('what five places of a floor heard has no source there', () => {
  const places = placesHearing([{ floor: 2, east: 20, north: 15, slope: -0.15 }], 6);
  expect(sourcesOf(places, 1, nothing)[0].size).toBe(1);
  expect(sourcesOf(places.slice(1), 1, nothing)[0].size).toBe(0);
});

test('readings too old to have a level are no trouble', () => {
  const old = placesHearing([{ floor: 2, east: 20, north: 15, slope: -0.15 }], 10).map(place => ({
    ...place,
    level: Float32Array.of(0),
  }));
  const { eastMetres, northMetres, level } = sourcesOf(old, 1, nothing)[0].get(2)!;
  expect([eastMetres, northMetres, level].every(Number.isFinite)).toBe(true);
});

test('a slope stays within what radios have', () => {
  const rising = Array.from({ length: 20 }, (_, i) => ({
    // biome-ignore format: short
    floor: 0,
    eastMetres: 10 * i,
    northMetres: 0,
    radio: Uint32Array.of(0),
    level: Float32Array.of(0.5),
  }));
  expect(sourcesOf(rising, 1, nothing)[0].get(0)!.slope).toBe(-0.03);
});

test('each radio is a step of the work', () => {
  let steps = 0;
  sourcesOf(placesHearing([{ floor: 2, east: 0, north: 0, slope: -0.1 }], 10), 1, () => steps++);
  expect(steps).toBe(1);
});
