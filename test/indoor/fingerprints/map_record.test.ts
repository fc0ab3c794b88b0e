import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildFingerprintMap } from '../../../src/indoor/fingerprints/build_map.ts';
import { FingerprintMap } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { decodeMap, encodeMap, type MapColumns } from '../../../src/indoor/fingerprints/map_record.ts';
import { scanOf, survey } from '../../kits/fingerprints/drawn_building.ts';
import { uniform } from '../../kits/random.ts';

const columns = (): MapColumns => ({
  latitude: 47.1,
  longitude: 9.5,
  scans: 3,
  radio: Float64Array.of(5, 2 ** 53 - 1),
  firstLevel: Uint32Array.of(0, 2, 3),
  levelPlace: Uint16Array.of(0, 1, 1),
  levelStrength: Uint8Array.of(100, 1, 255),
  east: Float32Array.of(-1.5, 20),
  north: Float32Array.of(0, 3.25),
  floor: Int16Array.of(-1, 200),
  logPrior: Float32Array.of(0, -0.5),
});

test('a map is read as it was written', () => {
  expect(decodeMap(encodeMap(columns()))).toEqual(columns());
});

test('a map is read at any place in a buffer', () => {
  const record = encodeMap(columns());
  const buffer = new Uint8Array(record.length + 3);
  buffer.set(record, 3);
  expect(decodeMap(buffer.subarray(3))).toEqual(columns());
});

test.each<[string, Partial<MapColumns>]>([
  ['an origin that is nowhere', { latitude: 90.1 }],
  ['an origin that is no number', { longitude: Number.NaN }],
  ['radios that are not in order', { radio: Float64Array.of(5, 5) }],
  ['a radio that is no number', { radio: Float64Array.of(Number.NaN, 7) }],
  ['a radio beyond 2^53', { radio: Float64Array.of(5, 2 ** 53) }],
  ['a radio without levels', { firstLevel: Uint32Array.of(0, 0, 3) }],
  ['levels beyond the last', { firstLevel: Uint32Array.of(0, 9, 3) }],
  ['levels of no radio', { firstLevel: Uint32Array.of(0, 1, 2) }],
  ['a place that is not there', { levelPlace: Uint16Array.of(0, 2, 1) }],
  ['a place twice', { levelPlace: Uint16Array.of(1, 1, 1) }],
  ['a level of nothing', { levelStrength: Uint8Array.of(0, 1, 1) }],
  ['a place at no number', { east: Float32Array.of(Number.NaN, 0) }],
  ['a place at infinity', { north: Float32Array.of(Number.POSITIVE_INFINITY, 0) }],
  ['a prior above 1', { logPrior: Float32Array.of(0.1, 0) }],
  ['a prior that is no number', { logPrior: Float32Array.of(0, Number.NaN) }],
])('%s is refused although the checksum is right', (_, wrong) => {
  expect(() => decodeMap(encodeMap({ ...columns(), ...wrong }))).toThrow(/^A fingerprint map is damaged: .+\.$/);
});

test('a record of another format or kind is refused', () => {
  const record = encodeMap(columns());
  record[4] = 9;
  expect(() => decodeMap(record)).toThrow('A fingerprint map has format 9; this version reads format 1.');
  record[0] = 0;
  expect(() => decodeMap(record)).toThrow('These bytes are no fingerprint map.');
  expect(() => decodeMap(new Uint8Array(63))).toThrow('A fingerprint map of 63 bytes is too short.');
});

test('a record with a byte too many or too few is refused', () => {
  const record = encodeMap(columns());
  for (let length = 0; length < record.length; length++)
    expect(() => decodeMap(record.slice(0, length))).toThrow(/fingerprint map/);
  expect(() => decodeMap(Uint8Array.of(...record, 0))).toThrow(/is damaged/);
});

test('every flipped byte is refused, or changes nothing that is used out of bounds', () => {
  const random = uniform(14);
  const radios = [1, 2, 3].map(radio => ({ radio, floor: 0, east: 5 * radio, north: 0 }));
  // biome-ignore format: one line
  const fingerprints = survey(radios, [[0, 0, 0], [0, 5, 0], [1, 9, 3]], 15, 2, random);
  const record = buildFingerprintMap(fingerprints, { latitude: 1, longitude: 2 });
  const scan = scanOf(fingerprints[1].readings);
  for (let at = 0; at < record.length; at++) {
    for (const bits of [1, 128, 255]) {
      const harmed = record.slice();
      harmed[at] ^= bits;
      let map: FingerprintMap | undefined;
      try {
        map = new FingerprintMap(harmed);
      } catch (error) {
        expect((error as Error).message).toMatch(/fingerprint map/);
      }
      // The number of scans, the origin and what is not used are outside of the checksum.
      if (map === undefined) continue;
      expect(at).toBeGreaterThanOrEqual(28);
      expect(at).toBeLessThan(64);
      expect(map.match(scan)?.count).toBe(3);
    }
  }
});

test('harm with a new checksum is refused or matched without a crash', () => {
  const random = uniform(15);
  const record = encodeMap(columns());
  const scan = scanOf([{ radio: 5, levelDbm: -50 }]);
  for (let round = 0; round < 3000; round++) {
    const harmed = record.slice();
    harmed[16 + Math.floor(random() * (record.length - 16))] = Math.floor(random() * 256);
    new DataView(harmed.buffer).setUint32(12, crc32(harmed.subarray(64)), true);
    try {
      new FingerprintMap(harmed).match(scan);
    } catch (error) {
      expect((error as Error).message).toMatch(/^A fingerprint map .+\.$/);
    }
  }
});
