import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInside } from '../../src/geo/rings.ts';
import { FloorRooms } from '../../src/indoor/floor_rooms.ts';

/** A closed star around a point. @param radii of its corners, one after another around it */
function star(x: number, y: number, radii: readonly number[]): Int32Array {
  const corners = radii.map((radius, i) => {
    const angle = (2 * Math.PI * i) / radii.length;
    return [Math.round(x + radius * Math.cos(angle)), Math.round(y + radius * Math.sin(angle))];
  });
  return Int32Array.from([...corners, corners[0]].flat());
}

const radius = fc.integer({ min: 1, max: 4000 });
const shape = fc
  .tuple(
    fc.integer({ min: -9000, max: 9000 }),
    fc.integer({ min: -9000, max: 9000 }),
    fc.array(radius, { minLength: 3, maxLength: 90 }),
  )
  .map(([x, y, radii]) => star(x, y, radii));
const room = fc.array(shape, { minLength: 1, maxLength: 2 }).map(outline => ({ name: 'Room', outline }));
const axis = fc.oneof(fc.integer({ min: -13_500, max: 13_500 }), fc.double({ min: -13_500, max: 13_500, noNaN: true }));

test('the rooms that contain a point are those of the plain test, for any shapes', () => {
  fc.assert(
    fc.property(
      fc.array(room, { minLength: 1, maxLength: 60 }),
      fc.array(fc.tuple(axis, axis), { minLength: 1, maxLength: 60 }),
      (rooms, points) => {
        const floor = new FloorRooms(rooms);
        // Corners lie on edges of boxes, of cells and of bands.
        for (const [x, y] of [...points, ...rooms.map(({ outline: [ring] }) => [ring[0], ring[1]])]) {
          const shares = new Float64Array(rooms.length);
          floor.addTo(shares, x, y, 0.5);
          expect([...shares]).toEqual(rooms.map(({ outline }) => (isInside(outline, x, y) ? 0.5 : 0)));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a room of no height contains nothing, and does not disturb others', () => {
  const flat = { name: 'Flat', outline: [Int32Array.of(0, 5, 10, 5, 0, 5)] };
  const whole = { name: 'Whole', outline: [Int32Array.of(0, 0, 10, 0, 10, 10, 0, 10, 0, 0)] };
  const shares = new Float64Array(2);
  new FloorRooms([flat, whole]).addTo(shares, 5, 5, 1);
  expect([...shares]).toEqual([0, 1]);
});
