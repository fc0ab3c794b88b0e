import { expect, test } from 'vitest';
import { isInBox } from '../../src/geo/box.ts';
import { isInside } from '../../src/geo/rings.ts';
import { clipLine, clipRing, simplify } from '../../src/tiles/clip.ts';
import { uniform } from '../kits/random.ts';

const BOX = { west: 0, south: 0, east: 100, north: 50 };

/** Distance of a point to a line, by brute force over its sides. */
function distanceTo(line: ArrayLike<number>, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 2; i < line.length; i += 2) {
    const [dx, dy] = [line[i] - line[i - 2], line[i + 1] - line[i - 1]];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : ((x - line[i - 2]) * dx + (y - line[i - 1]) * dy) / length;
    const along = Math.min(1, Math.max(0, share));
    least = Math.min(least, Math.hypot(x - line[i - 2] - along * dx, y - line[i - 1] - along * dy));
  }
  return least;
}

function drawLine(random: () => number, points: number): number[] {
  return Array.from({ length: points }, () => [random() * 200 - 50, random() * 150 - 50]).flat();
}

test('a line that crosses a box leaves the piece between, and one that passes by leaves nothing', () => {
  expect(clipLine([-10, 20, 110, 20], BOX)).toEqual([[0, 20, 100, 20]]);
  expect(clipLine([-10, 20, 30, 20, 30, 70, 60, 70, 60, 40], BOX)).toEqual([
    [0, 20, 30, 20, 30, 50],
    [60, 50, 60, 40],
  ]);
  expect(clipLine([-10, 60, 110, 60], BOX)).toEqual([]);
  expect(clipLine([10, 10, 20, 20], BOX)).toEqual([[10, 10, 20, 20]]);
});

test('what is kept of drawn lines is what lies in the box, point by point', () => {
  const random = uniform(1);
  for (let n = 0; n < 300; n++) {
    const line = drawLine(random, 2 + Math.floor(random() * 12));
    const pieces = clipLine(line, BOX);
    for (let i = 2; i < line.length; i += 2) {
      for (let share = 0.013; share < 1; share += 0.05) {
        const x = line[i - 2] + share * (line[i] - line[i - 2]);
        const y = line[i - 1] + share * (line[i + 1] - line[i - 1]);
        const near = Math.min(...pieces.map(piece => distanceTo(piece, x, y)), 1_000);
        if (isInBox(BOX, x, y)) expect(near).toBeLessThan(1e-9);
      }
    }
    for (const piece of pieces)
      for (let i = 0; i < piece.length; i += 2) {
        expect(distanceTo(line, piece[i], piece[i + 1])).toBeLessThan(1e-9);
        expect(isInBox({ west: -1e-9, south: -1e-9, east: 100 + 1e-9, north: 50 + 1e-9 }, piece[i], piece[i + 1])).toBe(
          true,
        );
      }
  }
});

test('a point of the box is in what is kept of a ring exactly if it is in the ring', () => {
  const random = uniform(2);
  for (let n = 0; n < 300; n++) {
    const open = drawLine(random, 3 + Math.floor(random() * 9)).map(Math.round);
    const ring = [...open, open[0], open[1]];
    const clipped = Array.from(clipRing(ring, BOX));
    for (let i = 0; i < 40; i++) {
      const [x, y] = [random() * 100, random() * 50];
      // On a side of either, rounding decides.
      if (distanceTo(ring, x, y) < 1e-6) continue;
      const scaled = (line: readonly number[]) => [Int32Array.from(line, each => Math.round(each * 1e6))];
      expect(isInside(scaled(clipped), x * 1e6, y * 1e6)).toBe(isInside(scaled(ring), x * 1e6, y * 1e6));
    }
  }
  expect(clipRing([200, 200, 210, 200, 210, 210, 200, 200], BOX).length).toBe(0);
});

test('a simplified line is nowhere farther from the line than the tolerance, and keeps its ends', () => {
  const random = uniform(3);
  let left = 0;
  for (let n = 0; n < 200; n++) {
    let [x, y] = [0, 0];
    const line = Array.from({ length: 200 }, () => {
      x += random() * 20;
      y += random() * 20 - 10;
      return [Math.round(x), Math.round(y)];
    }).flat();
    const simple = simplify(line, 12);
    left += simple.length;
    expect([...simple.slice(0, 2), ...simple.slice(-2)]).toEqual([...line.slice(0, 2), ...line.slice(-2)]);
    for (let i = 0; i < line.length; i += 2) expect(distanceTo(simple, line[i], line[i + 1])).toBeLessThanOrEqual(12);
  }
  expect(left).toBeLessThan(200 * 400 * 0.5);
});

test('a ring stays closed, and one that is smaller than the tolerance is a point', () => {
  expect(simplify([0, 0, 100, 0, 100, 1, 100, 100, 0, 100, 0, 0], 3)).toEqual([0, 0, 100, 0, 100, 100, 0, 100, 0, 0]);
  expect(simplify([0, 0, 1, 0, 1, 1, 0, 0], 3)).toEqual([0, 0]);
});
