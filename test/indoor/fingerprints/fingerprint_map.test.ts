import { expect, test } from 'vitest';
import { buildFingerprintMap } from '../../../src/indoor/fingerprints/build_map.ts';
import type { Fingerprint, Reading, Scan } from '../../../src/indoor/fingerprints/fingerprint.ts';
import { FingerprintMap } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { posteriorOf, summarise } from '../../../src/indoor/fingerprints/posterior.ts';

const ORIGIN = { latitude: 47.1, longitude: 9.5 };

function scanOf(readings: readonly Reading[]): Scan {
  return {
    count: readings.length,
    radio: Float64Array.from(readings, ({ radio }) => radio),
    levelDbm: Float64Array.from(readings, ({ levelDbm }) => levelDbm),
    ageMs: new Float64Array(readings.length).fill(Number.NaN),
  };
}

/** A corridor of 40 m on two floors, a radio every 10 m; a floor takes 20 dB. */
const levelAt = (radio: number, floor: number, eastMetres: number): number =>
  -40 - 20 * Math.log10(1 + Math.abs(eastMetres - 10 * (radio % 5))) - 20 * Math.abs(floor - Math.floor(radio / 5));
const heardAt = (floor: number, eastMetres: number): Reading[] =>
  Array.from({ length: 10 }, (_, radio) => ({ radio, levelDbm: levelAt(radio, floor, eastMetres) }));
const corridor: Fingerprint[] = [0, 1].flatMap(floor =>
  Array.from({ length: 21 }, (_, i) => ({ floor, eastMetres: 2 * i, northMetres: 0, readings: heardAt(floor, 2 * i) })),
);

test('a scan is found on its floor and within two metres', () => {
  const map = new FingerprintMap(buildFingerprintMap(corridor, ORIGIN));
  expect(map).toMatchObject(ORIGIN);
  expect([...map.radios()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const floor of [0, 1]) {
    for (const eastMetres of [3, 13, 24, 37]) {
      const answer = summarise(posteriorOf(map.match(scanOf(heardAt(floor, eastMetres)))!));
      expect(answer.floor).toBe(floor);
      expect(Math.abs(answer.eastMetres - eastMetres)).toBeLessThan(2);
      expect(answer.northMetres).toBeCloseTo(0, 6);
    }
  }
});

test('a scan of unknown radios has no match, one without levels neither', () => {
  const map = new FingerprintMap(buildFingerprintMap(corridor, ORIGIN));
  expect(map.match(scanOf([{ radio: 99, levelDbm: -50 }]))).toBeUndefined();
  expect(map.match(scanOf([{ radio: 1, levelDbm: 1 }]))).toBeUndefined();
  expect(map.match(scanOf([]))).toBeUndefined();
});

test('a map of nothing has no match', () => {
  expect(new FingerprintMap(buildFingerprintMap([], ORIGIN)).match(scanOf(heardAt(0, 0)))).toBeUndefined();
});
