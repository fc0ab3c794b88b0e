import { expect, test } from 'vitest';
import { edgeRowsOf, rowOf } from '../../src/geo/edge_rows.ts';

/** A line of so many points, up and down between two latitudes. */
function comb(points: number, south: number, north: number): Int32Array {
  return Int32Array.from(Array.from({ length: points }, (_, i) => [i, i % 2 === 0 ? south : north]).flat());
}

test('an edge stands in every row that it reaches, and in no other', () => {
  const coordinates = Int32Array.of(...comb(30, 100, 500), ...comb(12, 100, 160));
  const { edges, starts } = edgeRowsOf(coordinates, Int32Array.of(0, 30, 42), 100, 400);
  const count = starts.length - 1;
  expect(count).toBe(6);
  const inRow = (row: number) => [...edges.subarray(starts[row], starts[row + 1])];
  const long = Array.from({ length: 29 }, (_, i) => i);
  const short = Array.from({ length: 11 }, (_, i) => 30 + i);
  expect(inRow(0)).toEqual([...long, ...short]);
  for (let row = 1; row < count; row++) expect(inRow(row)).toEqual(long);
});

test('rows rise with the latitude, from the lowest to the highest', () => {
  expect([100, 199, 200, 499, 500].map(y => rowOf(y, 100, 400, 4))).toEqual([0, 0, 1, 3, 3]);
  expect(rowOf(7, 7, 0, 4)).toBe(0);
});

test('a border of very many points has no more than 4,096 rows', () => {
  const { starts } = edgeRowsOf(comb(100_000, 0, 1), Int32Array.of(0, 100_000), 0, 100_000);
  expect(starts).toHaveLength(4_097);
});
