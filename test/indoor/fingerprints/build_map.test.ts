import { expect, test } from 'vitest';
import { buildFingerprintMap } from '../../../src/indoor/fingerprints/build_map.ts';
import { decodeMap } from '../../../src/indoor/fingerprints/map_record.ts';
import { survey } from '../../kits/fingerprints/drawn_building.ts';
import { uniform } from '../../kits/random.ts';

const ORIGIN = { latitude: -33.9, longitude: 151.2 };

test('the levels of a radio are listed by place', () => {
  const columns = decodeMap(
    buildFingerprintMap(
      [
        { floor: 1, eastMetres: 5, northMetres: 1, readings: [{ radio: 9, levelDbm: -50 }] },
        // biome-ignore format: one line
        { floor: 0, eastMetres: 1, northMetres: 1, readings: [{ radio: 9, levelDbm: -60 }, { radio: 4, levelDbm: -70 }] },
        { floor: 0, eastMetres: 0, northMetres: 0, readings: [] },
      ],
      ORIGIN,
    ),
  );
  expect(columns).toMatchObject({ ...ORIGIN, scans: 3 });
  expect([...columns.radio]).toEqual([4, 9]);
  expect([...columns.firstLevel]).toEqual([0, 1, 3]);
  expect([...columns.levelPlace]).toEqual([0, 0, 1]);
  expect([...columns.floor]).toEqual([0, 1]);
});

test('a place keeps its 255 strongest radios', () => {
  const readings = Array.from({ length: 300 }, (_, radio) => ({ radio, levelDbm: radio < 45 ? -90 : -60 }));
  const { radio } = decodeMap(buildFingerprintMap([{ floor: 0, eastMetres: 0, northMetres: 0, readings }], ORIGIN));
  expect(radio).toHaveLength(255);
  expect(radio[0]).toBe(45);
});

test('a map has at most six places of three bytes a level for four square metres, however much is measured there', () => {
  const random = uniform(3);
  const radios = Array.from({ length: 40 }, (_, radio) => ({
    radio,
    floor: 0,
    east: 20 * random(),
    north: 20 * random(),
  }));
  const points = Array.from({ length: 2000 }, () => [0, 4 * random(), 4 * random()] as const);
  const columns = decodeMap(buildFingerprintMap(survey(radios, points, 15, 12, random), ORIGIN));
  expect(columns.east.length).toBeLessThanOrEqual(4 * 6);
  expect(columns.levelPlace.length).toBeLessThanOrEqual(4 * 6 * 40);
});
