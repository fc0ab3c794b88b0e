import { expect, test } from 'vitest';
import { KIND_GSM, KIND_LTE, KIND_NR, KIND_WCDMA } from '../../../src/radio/kind.ts';
import {
  ID_DISTANCES_BYTES,
  idClass,
  measureIdDistances,
  stridesOf,
  typicalMetres,
  usualIdDistances,
} from '../../../src/tables/stations/id_distances.ts';
import { uniform } from '../../kits/random.ts';

/** Cells on a line, in key order: id, area, metres. */
function measure(kind: number, cells: readonly (readonly [cell: number, area: number, metres: number])[]): Buffer {
  const columns = {
    count: cells.length,
    cells: Float64Array.from(cells, ([cell]) => cell),
    areas: Int32Array.from(cells, ([, area]) => area),
  };
  const measuring = measureIdDistances(kind, columns, (a, b) => Math.abs(cells[a][2] - cells[b][2]));
  for (let step = measuring.next(); ; step = measuring.next()) if (step.done) return step.value;
}

test('in one area each near difference is a class, and further off each power of two', () => {
  expect(idClass(KIND_GSM, 100, 7, 110, 7)).toBe(10);
  expect(idClass(KIND_GSM, 110, 7, 100, 7)).toBe(10);
  expect(idClass(KIND_GSM, 0, 7, 255, 7)).toBe(255);
  expect(idClass(KIND_GSM, 0, 7, 256, 7)).toBe(256);
  expect(idClass(KIND_GSM, 0, 7, 511, 7)).toBe(256);
  expect(idClass(KIND_GSM, 0, 7, 512, 7)).toBe(257);
  expect(idClass(KIND_WCDMA, 0, 7, 65_535, 7)).toBe(263);
  expect(idClass(KIND_WCDMA, 0, 7, 65_536, 7)).toBe(-1);
  expect(idClass(KIND_NR, 2 ** 35, 7, 2 ** 35 + 3, 7)).toBe(3);
});

test('lte ids are near within an eNodeB only', () => {
  expect(idClass(KIND_LTE, 255, 7, 1, 7)).toBe(254);
  expect(idClass(KIND_LTE, 255, 7, 256, 7)).toBe(256);
  expect(idClass(KIND_LTE, 0, 7, 255 * 256, 7)).toBe(263);
  expect(idClass(KIND_LTE, 0, 7, 256 * 256, 7)).toBe(-1);
});

test('in two areas only almost equal ids resemble each other, by how far the codes are apart', () => {
  expect(idClass(KIND_LTE, 5, 7, 5, 8)).toBe(264);
  expect(idClass(KIND_LTE, 5, 8, 5, 6)).toBe(265);
  expect(idClass(KIND_LTE, 5, 0, 8, 16_777_215)).toBe(359);
  expect(idClass(KIND_LTE, 5, 7, 9, 8)).toBe(-1);
});

test('the distance of a class is what its pairs have, once there are many', () => {
  const random = uniform(3);
  // Three sectors 1 km apart on three carriers that add 10, sites 30 km apart.
  const cells = Array.from({ length: 400 }, (_, site) =>
    [1, 2, 3, 11, 12, 13, 21, 22, 23].map(
      id => [site * 256 + id, 7, site * 30_000 + (id % 10) * 1000 + random() * 50] as const,
    ),
  ).flat();
  const record = measure(KIND_LTE, cells);
  expect(record.length).toBe(ID_DISTANCES_BYTES);
  expect(typicalMetres(record, 10)).toBeLessThan(50);
  expect(typicalMetres(record, 20)).toBeLessThan(50);
  expect(typicalMetres(record, 1)).toBeCloseTo(1000, -2);
  expect(typicalMetres(record, 2)).toBeCloseTo(2000, -2);
  expect(typicalMetres(record, 256)).toBeGreaterThan(25_000);
});

test('a class without pairs takes after its neighbours', () => {
  const cells = Array.from(
    { length: 400 },
    (_, i) => [i * 1000 + (i % 2 === 0 ? 0 : 36), 7, Math.floor(i / 2) * 100_000] as const,
  ).map(([, area, metres], i) => [Math.floor(i / 2) * 60_000 + (i % 2) * 36, area, metres] as const);
  const record = measure(KIND_GSM, cells);
  expect(typicalMetres(record, 36)).toBeLessThan(200);
  expect(typicalMetres(record, 40)).toBeLessThan(400);
  expect(typicalMetres(record, 1)).toBeGreaterThan(2000);
});

test('a network of which nothing is known has usual distances', () => {
  expect(typicalMetres(usualIdDistances(KIND_LTE), 1)).toBeCloseTo(1000, 0);
  expect(typicalMetres(usualIdDistances(KIND_GSM), 1)).toBeCloseTo(3000, 0);
  expect(typicalMetres(usualIdDistances(KIND_LTE), 256)).toBeCloseTo(5000, -1);
  expect(typicalMetres(usualIdDistances(KIND_LTE), 264)).toBeCloseTo(10_000, -1);
});

test('differences by which a network numbers what stands together are its strides', () => {
  // A second carrier adds 10,000, on half of the sites; other ids say nothing.
  const random = uniform(5);
  const cells: (readonly [cell: number, area: number, metres: number])[] = [];
  for (let site = 0; site < 200; site++) {
    const cell = Math.floor(random() * 5000) * 2;
    const metres = random() * 100_000;
    cells.push([cell, 7, metres]);
    if (site % 2 === 0) cells.push([cell + 10_000, 7, metres + 200]);
  }
  cells.sort((a, b) => a[0] - b[0]);
  const [first, ...others] = stridesOf(measure(KIND_WCDMA, cells));
  expect(first.difference).toBe(10_000);
  expect(first.metres).toBeLessThan(2000);
  expect(others.every(({ difference }) => difference !== 10_000)).toBe(true);
});

test('the same difference between two areas is no stride, and without any there are none', () => {
  const cells = Array.from({ length: 100 }, (_, i) => [i * 20_000, i, 0] as const);
  expect(stridesOf(measure(KIND_WCDMA, cells))).toEqual([]);
  expect(stridesOf(usualIdDistances(KIND_WCDMA))).toEqual([]);
});
