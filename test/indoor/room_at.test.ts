import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roomAt, type Whereabouts } from '../../src/indoor/room_at.ts';
import { type Metres, ORIGIN, rectangle } from '../kits/buildings/drawn.ts';

const WEST = { name: 'West', outline: [rectangle([0, 0], [10, 10])] };
const EAST = { name: 'East', outline: [rectangle([10, 0], [20, 10])] };
const ROOMS = [WEST, EAST];

/** Points on floor 1, unless they say another. */
function whereabouts(sigmaMetres: number, ...points: { at: Metres; weight: number; floor?: number }[]): Whereabouts {
  return {
    ...ORIGIN,
    count: points.length,
    floors: points.map(({ floor = 1 }) => floor),
    east: points.map(({ at: [east] }) => east),
    north: points.map(({ at: [, north] }) => north),
    weights: points.map(({ weight }) => weight),
    sigmaMetres,
  };
}
const at = (...args: Parameters<typeof whereabouts>) => roomAt(ROOMS, 1, whereabouts(...args))?.name;

test('a room is told that holds at least half', () => {
  expect(at(1, { at: [5, 5], weight: 1 })).toBe('West');
  expect(at(1, { at: [15, 5], weight: 1 })).toBe('East');
  expect(at(0.1, { at: [5, 5], weight: 0.4 }, { at: [15, 5], weight: 0.6 })).toBe('East');
  expect(
    at(0.1, { at: [5, 5], weight: 0.4 }, { at: [15, 5], weight: 0.4 }, { at: [15, 50], weight: 0.2 }),
  ).toBeUndefined();
});

test('a blurred point lies in no small room', () => {
  expect(at(2, { at: [5, 5], weight: 1 })).toBe('West');
  expect(at(20, { at: [5, 5], weight: 1 })).toBeUndefined();
  expect(at(2, { at: [5, 30], weight: 1 })).toBeUndefined();
});

test('what lies on other floors is in no room of this one', () => {
  expect(at(1, { at: [5, 5], weight: 0.4 }, { at: [5, 5], weight: 0.6, floor: 2 })).toBeUndefined();
  expect(at(1, { at: [5, 5], weight: 0.6 }, { at: [5, 5], weight: 0.4, floor: 2 })).toBe('West');
});

test('a floor without rooms has none', () => {
  expect(roomAt([], 1, whereabouts(1, { at: [5, 5], weight: 1 }))).toBeUndefined();
  expect(roomAt(ROOMS, 1, whereabouts(1))).toBeUndefined();
});

test('the share of a half plane is near that of the normal distribution', () => {
  const huge = [
    { name: 'West', outline: [rectangle([-500, -500], [0, 500])] },
    { name: 'East', outline: [rectangle([0, -500], [500, 500])] },
  ];
  fc.assert(
    fc.property(fc.double({ min: 0.2, max: 20, noNaN: true }), fc.constantFrom(-1, 1), (away, side) => {
      const name = side < 0 ? 'West' : 'East';
      expect(roomAt(huge, 0, { ...whereabouts(5, { at: [side * away, 0], weight: 1, floor: 0 }) })?.name).toBe(name);
    }),
  );
});

test('many light points say what one heavy point in their place does', () => {
  fc.assert(
    fc.property(fc.double({ min: -5, max: 15, noNaN: true }), fc.constantFrom(0.5, 2, 5), (east, sigmaMetres) => {
      // A little more than 1, so that rounding does not decide where a room has exactly a half.
      const weight = 1 + 1e-9;
      const light = Array.from({ length: 252 }, () => ({ at: [east, 5] as Metres, weight: weight / 252 }));
      expect(at(sigmaMetres, ...light)).toBe(at(sigmaMetres, { at: [east, 5], weight }));
    }),
  );
});
