import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellOf, cellsIn } from '../../../../src/geocoding/search/word_index/cells.ts';

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const side = fc.double({ min: 0, max: 0.3, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });

test('the squares of a box have each of its points, also across the antimeridian', () => {
  fc.assert(
    fc.property(latitude, longitude, side, side, share, share, (south, west, height, width, up, right) => {
      const east = west + width > 180 ? west + width - 360 : west + width;
      const cells = cellsIn({ south, north: Math.min(90, south + height), west, east });
      const inside = west + right * width;
      const cell = cellOf(Math.min(90, south + up * height), inside > 180 ? inside - 360 : inside);
      expect(cells).toContain(cell);
      expect(new Set(cells).size).toBe(cells.length);
      expect(cell).toBeLessThan(2 ** 28);
    }),
  );
});
