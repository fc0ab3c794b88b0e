import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceTo } from '../../../src/indoor/tracking/segments.ts';
import { type FloorWalls, WallMap } from '../../../src/indoor/tracking/walls.ts';

//   y = 10  ----------- door 5..6 at (20..21, 10) ------------
const FLOOR: FloorWalls = { floor: 1, walls: [0, 10, 40, 10], doors: [20, 10, 21, 10, 35, 10, 35, 10] };

test('a wall is in the way on its floor, from both sides, and not beside its ends', () => {
  const walls = new WallMap([FLOOR]);
  expect(walls.block(1, 5, 8, 6, 12)).toBe(true);
  expect(walls.block(1, 6, 12, 5, 8)).toBe(true);
  expect(walls.block(1, 5, 8, 6, 9.9)).toBe(false);
  expect(walls.block(1, 41, 8, 41, 12)).toBe(false);
  expect(walls.block(0, 5, 8, 6, 12)).toBe(false);
});

test('a door lets through, and so does one that is a point; a metre beside it as well', () => {
  const walls = new WallMap([FLOOR]);
  for (const east of [20.5, 21.9, 19.1, 35, 35.9]) expect(walls.block(1, east, 8, east, 12), `${east}`).toBe(false);
  for (const east of [18.9, 22.1, 33.9]) expect(walls.block(1, east, 8, east, 12), `${east}`).toBe(true);
});

test('who comes from farther than a box of 64 cells has gone around', () => {
  const walls = new WallMap([{ ...FLOOR, doors: [] }]);
  expect(walls.block(1, 5, -40, 6, 20)).toBe(true);
  expect(walls.block(1, -60, -60, 30, 30)).toBe(false);
});

test('the grid finds what comparing all walls finds', () => {
  const metres = fc.double({ min: -30, max: 30, noNaN: true });
  const segment = fc.tuple(metres, metres, metres, metres);
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 20 }),
      fc.tuple(metres, metres),
      fc.tuple(metres, metres),
      (walls, from, to) => {
        const all = new WallMap(walls.map((wall, floor) => ({ floor, walls: wall, doors: [] })));
        const one = new WallMap([{ floor: 0, walls: walls.flat(), doors: [] }]);
        const [x, y, toX, toY] = [from[0] / 4, from[1] / 4, to[0] / 4, to[1] / 4];
        expect(one.block(0, x, y, toX, toY)).toBe(walls.some((_, floor) => all.block(floor, x, y, toX, toY)));
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});

test('a floor of many doors lets through where comparing all of them does', () => {
  const metres = fc.double({ min: -30, max: 30, noNaN: true });
  const door = fc.tuple(
    metres,
    metres,
    fc.double({ min: -2, max: 2, noNaN: true }),
    fc.double({ min: -2, max: 2, noNaN: true }),
  );
  const wall = fc.tuple(metres, metres, metres, metres);
  fc.assert(
    fc.property(
      fc.array(door, { maxLength: 30 }),
      wall,
      fc.tuple(metres, metres),
      (drawn, [x, y, toX, toY], [fromX, fromY]) => {
        // A way through the middle of the wall.
        const [crossX, crossY] = [(x + toX) / 2, (y + toY) / 2];
        const doors = drawn.map(([east, north, width, height]) => [east, north, east + width, north + height]);
        const map = new WallMap([{ floor: 0, walls: [x, y, toX, toY], doors: doors.flat() }]);
        const alone = new WallMap([{ floor: 0, walls: [x, y, toX, toY], doors: [] }]);
        const way = [
          crossX + (fromX - crossX) / 4,
          crossY + (fromY - crossY) / 4,
          crossX - (fromX - crossX) / 4,
          crossY - (fromY - crossY) / 4,
        ];
        const [a, b, c, d] = way;
        const distance = Math.min(...doors.map(each => distanceTo(each, 0, crossX, crossY)), Number.POSITIVE_INFINITY);
        fc.pre(Math.abs(distance - 1) > 1e-6);
        expect(map.block(0, a, b, c, d)).toBe(alone.block(0, a, b, c, d) && distance > 1);
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});
