import { expect, test } from 'vitest';
import { encodeEntries, floorKey, indexOfKey, roomKey } from '../../../src/indoor/tables/buildings/building_tables.ts';
import { fingerprintKey } from '../../../src/indoor/tables/fingerprints/fingerprint_tables.ts';
import {
  keyOfBefore,
  keyOfPlace,
  keyOfRegion,
  keyOfTrack,
  placeOfVotes,
  VOTES,
} from '../../../src/tables/calibration/rows.ts';
import { decodeOpenTrack, encodeOpenTrack } from '../../../src/tables/calibration/tracks.ts';
import {
  f32,
  f64,
  i32,
  Row,
  readSequence,
  sequenceKey,
  u8,
  u16Key,
  u32,
  u32Key,
  u48Key,
  u64Key,
} from '../../../src/tables/environment/row.ts';
import { decodeIdentity, identityRow } from '../../../src/tables/observations/log_row.ts';
import { timeKey } from '../../../src/tables/requests/chunk.ts';
import { decodeTrack, encodeTrack } from '../../../src/tables/stations/knowledge.ts';

const ALL = new Row({ a: u8, b: u32, c: i32, d: f32, e: f64, f: u16Key, g: u32Key, h: u48Key, i: u64Key });
const VALUES = { a: 255, b: 2 ** 32 - 1, c: -5, d: 0.5, e: -1e300, f: 65_535, g: 1, h: 2 ** 48 - 1, i: 2 ** 53 - 1 };

test('a row gives back what was written, whatever the type and wherever it stands', () => {
  expect(ALL.bytes).toBe(41);
  expect(ALL.decode(ALL.encode(VALUES), 'The row')).toEqual(VALUES);
  const rows = Buffer.alloc(3 * ALL.bytes, 0xee);
  ALL.write(rows, VALUES, ALL.bytes);
  expect(ALL.read(rows, ALL.bytes)).toEqual(VALUES);
  expect([rows[ALL.bytes - 1], rows[2 * ALL.bytes]]).toEqual([0xee, 0xee]);
});

test('a row of another length is none', () => {
  const row = ALL.encode(VALUES);
  expect(ALL.readWhole(row)).toEqual(VALUES);
  expect([undefined, row.subarray(1), Buffer.concat([row, row])].map(each => ALL.readWhole(each))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(() => ALL.decode(row.subarray(1), 'The row')).toThrow('The row is damaged: it has 40 bytes instead of 41.');
});

test('LMDB orders sequences by value', () => {
  const sequences = [0, 1, 255, 256, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1];
  const keys = sequences.map(sequenceKey);
  expect(keys.toSorted(Buffer.compare)).toEqual(keys);
  expect(keys.map(readSequence)).toEqual(sequences);
});

// As version 0.6 wrote them, before there was one codec for all.
test('rows and keys have the bytes that folders on disk have', () => {
  const place = { timeMs: 1.7e12, latitude: -1.25, longitude: 2.5 };
  const device = { ...place, accuracyMetres: 10.5, sequence: 2 ** 40 + 1 };
  const track = {
    ...place,
    first: 7,
    contributor: 9,
    device: 2 ** 50,
    set: 5,
    isTested: true,
    sequence: 8,
    stations: 3,
    tests: 4,
  };
  const written: [Buffer, string][] = [
    [encodeTrack(device), '00008056febc7842000000000000f4bf0000000000000440000028410010000000007042'],
    [
      encodeOpenTrack(track),
      '0000000000001c40000000000000104300008056febc7842000000000000f4bf0000000000000440000000000000204003000000' +
        '04000000090000000b',
    ],
    [keyOfTrack(77, 2 ** 40 + 1), '540000004d0000010000000001'],
    [keyOfBefore(2 ** 40 + 1, Buffer.of(1, 2)), '4200000100000000010102'],
    [keyOfRegion(513), '520201'],
    [keyOfPlace(VOTES, placeOfVotes(70, 513)), '56460201'],
    [encodeEntries([{ id: 7, west: -1, south: -2, east: 3, north: 4 }]), '07000000fffffffffeffffff0300000004000000'],
    [floorKey(3, -2), '000000037ffe'],
    [roomKey(3, 4, 65_535), '000000038004ffff'],
    [fingerprintKey(3, 4, 2 ** 47 + 5), '0000000300000004800000000005'],
    [identityRow(4_711, 1.7e12), '000000000067b24000008056febc7842'],
    [timeKey(1.7e12 + 0.5, 2 ** 33 + 1), '0000018bcfe568000000000200000001'],
  ];
  for (const [row, bytes] of written) expect(row.toString('hex')).toBe(bytes);
  expect(decodeTrack(written[0][0])).toEqual(device);
  expect(decodeOpenTrack(written[1][0])).toEqual(track);
  expect(decodeIdentity(written[10][0])).toEqual({ sequence: 4_711, receivedMs: 1.7e12 });
  expect(indexOfKey(written[7][0])).toBe(-2);
});
