import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import { KIND_LTE, KIND_WIFI } from '../../../src/radio/kind.ts';
import { CODE_ABSENT } from '../../../src/radio/query/layout.ts';
import { codeKey, recordsOfCode } from '../../../src/tables/stations/codes.ts';
import { STATE_BLOCKED, type Station, stationAt } from '../../../src/tables/stations/station.ts';
import { cellKey, recordOf } from '../../kits/radio/stations.ts';

const CODE = 77;

test('a cell is listed when it counts and has a code', () => {
  const at = (station: Partial<Station>) =>
    codeKey(keyOf(1), recordOf({ ...stationAt(50, 8, 100, 200), code: CODE, ...station }));
  expect(at({})).toHaveLength(18);
  expect(at({ code: CODE_ABSENT })).toBeUndefined();
  expect(at({ state: STATE_BLOCKED })).toBeUndefined();
  expect(
    codeKey(Uint8Array.of(KIND_WIFI, 0, 0, 0, 0, 0, 0), recordOf({ ...stationAt(50, 8, 100, 200), code: CODE })),
  ).toBeUndefined();
});

test('cells of a code are found around a position, wherever in a tile it is', () => {
  const codes = tableOf([50.01, 8.01, 1], [50.19, 8.19, 2], [50.01, 9, 3], [51, 8.01, 4], [49.99, 7.99, 5]);
  const found = (latitude: number, longitude: number) =>
    recordsOfCode(codes, keyOf(9), 0, CODE, { latitude, longitude })?.length;
  expect(found(50.1, 8.1)).toBe(3);
  expect(found(50.01, 9.1)).toBe(1);
  expect(found(52, 8)).toBe(0);
  expect(recordsOfCode(codes, keyOf(9), 0, CODE, undefined)).toHaveLength(5);
  expect(recordsOfCode(codes, keyOf(9), 0, CODE + 1, undefined)).toHaveLength(0);
});

test('a position near the date line sees both sides', () => {
  const codes = tableOf([10, 179.95, 1], [10, -179.95, 2], [10, 170, 3]);
  for (const longitude of [179.99, -179.99, 180, -180])
    expect(recordsOfCode(codes, keyOf(9), 0, CODE, { latitude: 10, longitude })).toHaveLength(2);
});

test('the poles have a tile', () => {
  const codes = tableOf([90, 8, 1], [-90, 8, 2]);
  expect(recordsOfCode(codes, keyOf(9), 0, CODE, { latitude: 90, longitude: 8 })).toHaveLength(1);
  expect(recordsOfCode(codes, keyOf(9), 0, CODE, { latitude: -90, longitude: 8 })).toHaveLength(1);
});

test('too many cells of a code are none', () => {
  const codes = tableOf(...Array.from({ length: 65 }, (_, i): [number, number, number] => [50, 8 + i / 10_000, i]));
  expect(recordsOfCode(codes, keyOf(9), 0, CODE, { latitude: 50, longitude: 8 })).toBeUndefined();
});

function tableOf(...cells: [latitude: number, longitude: number, cell: number][]): Database<Buffer, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-codes-'));
  const codes = open<Buffer, Buffer>({ path: folder, encoding: 'binary', keyEncoding: 'binary' });
  onTestFinished(async () => {
    await codes.close();
    rmSync(folder, { recursive: true });
  });
  for (const [latitude, longitude, cell] of cells) {
    const record = recordOf({ ...stationAt(latitude, longitude, 100, 200), code: CODE });
    codes.putSync(codeKey(keyOf(cell), record)!, Buffer.from(record));
  }
  return codes;
}

function keyOf(cell: number): Uint8Array {
  return cellKey(KIND_LTE, 262, 1, 1, cell);
}
