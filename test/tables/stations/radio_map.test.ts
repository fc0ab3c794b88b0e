import { expect, test } from 'vitest';
import { KIND_GSM, KIND_LTE } from '../../../src/radio/kind.ts';
import { cellNumber } from '../../../src/radio/station_key.ts';
import {
  type Candidate,
  decodeLearned,
  encodeLearned,
  type Learned,
  newLearned,
  type ReferencePoint,
} from '../../../src/tables/stations/learned_record.ts';
import { MAP_POINTS, RadioMap } from '../../../src/tables/stations/radio_map.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { cellKey, recordOf } from '../../kits/radio/stations.ts';

test('a record that is written and read again is the same', () => {
  const learned = drawn();
  expect(decodeLearned(encodeLearned(learned))).toEqual(learned);
});

test('a map has the points of the main candidate and what was heard there', () => {
  const map = mapOf(drawn());
  expect(map.points).toBe(2);
  expect([...map.latitudeE7.subarray(0, 2)]).toEqual([498_700_000, 498_700_100]);
  expect([...map.longitudeE7.subarray(0, 2)]).toEqual([86_500_000, 86_500_200]);
  expect([...map.levelDbm.subarray(0, 2)]).toEqual([-80, -91.5]);
  expect([...map.slot.subarray(0, 2)]).toEqual([0, 3]);
  expect(map.observations).toBe(12);
  expect([...map.heardFrom.subarray(0, 3)]).toEqual([0, 2, 3]);
  expect([...map.heardNeighbour.subarray(0, 3)]).toEqual([1, 0, 1]);
  expect([...map.heardLevelDbm.subarray(0, 3)]).toEqual([-99.25, -70, -101]);
  expect([...map.heardShare.subarray(0, 3)]).toEqual([0.5, 0.25, 1]);
  expect(map.neighbours).toBe(2);
  expect([...map.neighbour.subarray(0, 2)]).toEqual([21, 22].map(cell => cellNumber(keyOf(cell), 0)));
});

test('an imported record behind it counts with its samples, unless it is disowned', () => {
  const base = recordOf({ ...stationAt(49.87, 8.65, 300, 700), samples: 33 });
  expect(mapOf({ ...drawn(), base })).toMatchObject({ points: 2, importedSamples: 33 });
  expect(mapOf({ ...drawn(), base, isBaseDisowned: true })).toMatchObject({ points: 2, importedSamples: 0 });
  expect(mapOf({ ...newLearned(base), state: 2 })).toMatchObject({ points: 0, importedSamples: 33, observations: 0 });
});

test('a map that is used again holds nothing of the one before', () => {
  const map = new RadioMap();
  const many = drawn();
  many.candidates[1].points = Array.from({ length: MAP_POINTS + 5 }, () => many.candidates[1].points[0]);
  read(map, many);
  expect(map.points).toBe(MAP_POINTS);
  read(map, drawn());
  expect(map).toMatchObject({ points: 2, observations: 12, neighbours: 2 });
});

test('a record of another format, or cut short, is refused with an error', () => {
  const bytes = encodeLearned(drawn());
  const map = new RadioMap();
  for (const length of [21, 60, 90, bytes.length - 1]) expect(() => map.read(bytes, length)).toThrow(/is damaged/);
  expect(() => map.read(bytes, 5)).toThrow(/has format/);
  bytes[0] = 99;
  expect(() => map.read(bytes, bytes.length)).toThrow('has format 99; this version reads format 2');
});

test('cells have numbers of their own', () => {
  const keys = [
    ...Array.from({ length: 300 }, (_, cell) => keyOf(cell * 257)),
    ...Array.from({ length: 300 }, (_, area) => keyOf(7, KIND_LTE, 1, area)),
    ...Array.from({ length: 30 }, (_, network) => keyOf(7, KIND_LTE, network + 2)),
    keyOf(7, KIND_GSM),
    keyOf(2 ** 36 - 1),
  ];
  const numbers = keys.map(key => cellNumber(key, 0));
  expect(new Set(numbers).size).toBe(new Set(keys.map(key => key.join())).size);
  expect(Math.max(...numbers)).toBeLessThan(2 ** 53);
});

function drawn(): Learned {
  const learned = newLearned(undefined);
  const point = (values: Partial<ReferencePoint>): ReferencePoint => ({
    latitudeE7: 498_700_000,
    longitudeE7: 86_500_000,
    weight: 1.5,
    levelDbm: -80,
    count: 4,
    lastDay: 20_000,
    slot: 0,
    heard: [],
    ...values,
  });
  const candidate = (contributors: number[], points: ReferencePoint[]): Candidate => ({
    points,
    contributors,
    reports: 12,
    firstSeconds: 1_700_000_000,
    lastSeconds: 1_700_000_100,
    claimant: 0,
    claimDay: 0,
  });
  learned.state = 2;
  learned.main = 1;
  learned.neighbours = [21, 22].map(cell => Buffer.from(keyOf(cell)).toString('latin1'));
  const heard = [
    { neighbour: 1, count: 2, levelE2: -9_925 },
    { neighbour: 0, count: 1, levelE2: -7_000 },
  ];
  const other = point({
    latitudeE7: 498_700_100,
    longitudeE7: 86_500_200,
    levelDbm: -91.5,
    count: 8,
    slot: 3,
    heard: [{ neighbour: 1, count: 8, levelE2: -10_100 }],
  });
  learned.candidates = [
    candidate([5, 6], [point({ heard: [{ neighbour: 0, count: 1, levelE2: -1 }] })]),
    candidate([7, 8, 9], [point({ heard }), other]),
  ];
  return learned;
}

function mapOf(learned: Learned): RadioMap {
  const map = new RadioMap();
  read(map, learned);
  return map;
}

/** The buffer that LMDB hands out is longer than the record. */
function read(map: RadioMap, learned: Learned): void {
  const bytes = encodeLearned(learned);
  map.read(Buffer.concat([bytes, Buffer.alloc(100, 0xff)]), bytes.length);
}

function keyOf(cell: number, kind = KIND_LTE, network = 1, area = 1): Uint8Array {
  return cellKey(kind, 262, network, area, cell);
}
