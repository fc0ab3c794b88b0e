import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellAt, cellsOf, decodeEntries, encodeEntries } from '../../../src/tables/buildings/grid.ts';

const longitude = fc.integer({ min: -1_800_000_000, max: 1_800_000_000 });
const latitude = fc.integer({ min: -900_000_000, max: 900_000_000 });

test('the cells of a box are those of its points', () => {
  fc.assert(
    fc.property(
      longitude,
      latitude,
      fc.nat(200_000),
      fc.nat(200_000),
      fc.nat(1_000),
      fc.nat(1_000),
      (west, south, width, height, a, b) => {
        const box = {
          west,
          south,
          east: Math.min(1_800_000_000, west + width),
          north: Math.min(900_000_000, south + height),
        };
        const x = Math.round(west + ((box.east - west) * a) / 1_000);
        const y = Math.round(south + ((box.north - south) * b) / 1_000);
        const cells = cellsOf(box).map(key => key.toString('hex'));
        expect(cells).toContain(cellAt(x, y).toString('hex'));
        expect(new Set(cells).size).toBe(cells.length);
      },
    ),
  );
});

test('no two places of the globe share a cell by mistake', () => {
  const keys = new Set<string>();
  let places = 0;
  for (let x = -1_800_000_000; x <= 1_800_000_000; x += 97 * 65_536) {
    for (let y = -900_000_000; y <= 900_000_000; y += 101 * 65_536) {
      keys.add(cellAt(x, y).toString('hex'));
      places++;
    }
  }
  expect(keys.size).toBe(places);
});

test('a list comes back, and one that is cut is refused', () => {
  const entries = [
    { id: 1, west: -1_800_000_000, south: -900_000_000, east: 1_800_000_000, north: 900_000_000 },
    { id: 4_294_967_295, west: 0, south: 1, east: 2, north: 3 },
  ];
  expect(decodeEntries(encodeEntries(entries))).toEqual(entries);
  for (const length of [0, 1, 19, 21, 39])
    expect(() => decodeEntries(encodeEntries(entries).subarray(0, length))).toThrow('is damaged');
});
