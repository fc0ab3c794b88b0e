import { expect, test } from 'vitest';
import { ScanRadios } from '../../../src/indoor/fingerprints/scan_radios.ts';
import { strengthOf } from '../../../src/indoor/fingerprints/strength.ts';

const columnsOf = (readings: readonly (readonly [radio: number, levelDbm: number, ageMs: number])[]) => ({
  count: readings.length,
  radio: Float64Array.from(readings, ([radio]) => radio),
  levelDbm: Float64Array.from(readings, ([, levelDbm]) => levelDbm),
  ageMs: Float64Array.from(readings, ([, , ageMs]) => ageMs),
});

test('networks of a radio are one, with their mean level and the weight of the youngest', () => {
  const heard = new ScanRadios(Float64Array.of(3, 7, 2 ** 53 - 1));
  // biome-ignore format: one line
  heard.read(columnsOf([[7, -50, 6000], [3, -60, Number.NaN], [7, -60, 12_000], [2 ** 53 - 1, -70, -1]]));
  expect(heard.count).toBe(3);
  expect([...heard.index]).toEqual([1, 0, 2]);
  expect([...heard.levelDbm]).toEqual([-55, -60, -70]);
  expect(heard.weight[0]).toBeCloseTo(Math.exp(-1), 12);
  expect([...heard.weight.slice(1)]).toEqual([1, 1]);
  expect(heard.strength(5)).toBeCloseTo(Math.exp(-1) * strengthOf(-50) + strengthOf(-55) + strengthOf(-65), 12);
});

test('the share that is known is by strength, and nothing is left of the scan before', () => {
  const heard = new ScanRadios(Float64Array.of(3, 7));
  heard.read(columnsOf([[3, -50, 0], [7, -50, 0]])); // biome-ignore format: one line
  expect(heard.share).toBe(1);
  heard.read(columnsOf([[7, -50, 0], [8, -50, 0], [3, 1, 0], [3, -128, 0]])); // biome-ignore format: one line
  expect(heard.count).toBe(1);
  expect(heard.share).toBe(0.5);
  heard.read(columnsOf([]));
  expect([heard.count, heard.share]).toEqual([0, 0]);
});
