import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isCell,
  KIND_BEACON,
  KIND_BLUETOOTH,
  KIND_CDMA,
  KIND_GSM,
  KIND_LTE,
  KIND_NR,
  KIND_WIFI,
  RADIO_TYPES,
  radioOfKind,
} from '../../src/radio/kind.ts';
import { parseMac } from '../../src/radio/mac.ts';
import {
  areaOfKey,
  beaconOfKey,
  cellOfKey,
  describeKey,
  keyBytesOfKind,
  macOfKey,
  mccOfKey,
  mncOfKey,
  networkNumber,
  paddedKeyBytes,
  radioNumber,
  writeBeaconKey,
  writeCellKey,
  writeMacKey,
} from '../../src/radio/station_key.ts';

/** Bytes that are not zero before, so that a byte left unwritten shows. */
const dirty = () => new Uint8Array(32).fill(0xee);

const cellKey = (kind: number, mcc: number, mnc: number, area: number, cell: number) => {
  const bytes = dirty();
  writeCellKey(bytes, 4, kind, networkNumber(kind, mcc, mnc), area, cell);
  return Buffer.from(bytes.subarray(4, 4 + keyBytesOfKind(kind)));
};

describe('a cell key', () => {
  const identity = fc.record({
    kind: fc.integer({ min: KIND_GSM, max: KIND_NR }),
    mcc: fc.integer({ min: 0, max: 999 }),
    mnc: fc.integer({ min: 0, max: 999 }),
    area: fc.integer({ min: 0, max: 2 ** 24 - 1 }),
    cell: fc.integer({ min: 0, max: 2 ** 36 - 1 }),
  });

  test('gives back what was written', () => {
    fc.assert(
      fc.property(identity, ({ kind, mcc, mnc, area, cell }) => {
        const key = cellKey(kind, mcc, mnc, area, cell);
        expect([key[0], mccOfKey(key, 0), mncOfKey(key, 0), areaOfKey(key, 0), cellOfKey(key, 0)]).toEqual([
          kind,
          kind === KIND_CDMA ? -1 : mcc,
          mnc,
          area,
          cell,
        ]);
      }),
    );
  });

  test('is ordered by kind, network, cell id, then area', () => {
    const rank = (c: { kind: number; mcc: number; mnc: number; area: number; cell: number }) => [
      c.kind,
      c.kind === KIND_CDMA ? 0 : c.mcc,
      c.mnc,
      c.cell,
      c.area,
    ];
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        const [left, right] = [rank(a), rank(b)];
        const differs = left.findIndex((value, i) => value !== right[i]);
        const expected = differs < 0 ? 0 : Math.sign(left[differs] - right[differs]);
        expect(
          Buffer.compare(cellKey(a.kind, a.mcc, a.mnc, a.area, a.cell), cellKey(b.kind, b.mcc, b.mnc, b.area, b.cell)),
        ).toBe(expected);
      }),
    );
  });

  test('of cdma holds system ids up to 32767 and no country', () => {
    expect(mncOfKey(cellKey(KIND_CDMA, 310, 32_767, 1, 2), 0)).toBe(32_767);
    expect(cellKey(KIND_CDMA, 310, 5, 1, 2)).toEqual(cellKey(KIND_CDMA, 0, 5, 1, 2));
  });

  test('is readable in a message', () => {
    expect(describeKey(cellKey(KIND_LTE, 206, 1, 251, 51_764))).toContain('206-1-251-51764');
  });
});

describe('a hardware address key', () => {
  test('gives back its address and differs between WiFi and Bluetooth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), mac => {
        const bytes = dirty();
        writeMacKey(bytes, 8, KIND_WIFI, mac);
        expect([bytes[8], macOfKey(bytes, 8), bytes[15], bytes[16], bytes[7]]).toEqual([KIND_WIFI, mac, 0, 0xee, 0xee]);
      }),
    );
    const bytes = dirty();
    writeMacKey(bytes, 0, KIND_BLUETOOTH, parseMac('0a:0b:0c:0d:0e:0f'));
    expect(describeKey(bytes)).toBe('bluetooth 0a:0b:0c:0d:0e:0f');
  });
});

test('a beacon key is uuid, major, minor, and zero to its padded length', () => {
  const bytes = dirty();
  const uuid = Uint8Array.from({ length: 16 }, (_, i) => i * 16);
  writeBeaconKey(bytes, 0, uuid, 0x0102, 0xfffe);
  expect(Buffer.from(bytes.subarray(0, 25)).toString('hex')).toBe(
    '03' + '00102030405060708090a0b0c0d0e0f0' + '0102' + 'fffe' + '000000' + 'ee',
  );
  expect(describeKey(bytes)).toBe('beacon 00102030405060708090a0b0c0d0e0f00102fffe');
});

test('lengths in memory are those on disk rounded up to whole words', () => {
  const lengths = [KIND_WIFI, KIND_BLUETOOTH, KIND_BEACON, KIND_GSM, KIND_NR].map(kind => [
    keyBytesOfKind(kind),
    paddedKeyBytes(kind),
  ]);
  expect(lengths).toEqual([
    [7, 8],
    [7, 8],
    [21, 24],
    [12, 12],
    [12, 12],
  ]);
});

test('kinds of cells are the radio types in their order', () => {
  expect([8, 9, 10, 11, 12, 13].map(radioOfKind)).toEqual([...RADIO_TYPES]);
  expect([radioOfKind(KIND_WIFI), radioOfKind(14)]).toEqual([undefined, undefined]);
  expect([KIND_WIFI, KIND_BEACON, KIND_GSM, KIND_NR, 14].map(isCell)).toEqual([false, false, true, true, false]);
});

test('the key of an iBeacon gives back its numbers, with the dashes of a uuid', () => {
  const bytes = new Uint8Array(32);
  writeBeaconKey(bytes, 4, Buffer.from('f7826da64fa24e988024bc5b71e0893e', 'hex'), 1, 65_534);
  expect(beaconOfKey(bytes, 4)).toEqual({ uuid: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', major: 1, minor: 65_534 });
});

describe('the number of a radio', () => {
  const numberOf = (write: (bytes: Uint8Array) => void): number => {
    const bytes = dirty();
    write(bytes);
    return radioNumber(bytes, new Int32Array(bytes.buffer), 4);
  };
  const macNumber = (kind: number, mac: string) => numberOf(bytes => writeMacKey(bytes, 4, kind, parseMac(mac)));
  const beaconNumber = (major: number, minor: number) =>
    numberOf(bytes => writeBeaconKey(bytes, 4, new Uint8Array(16).fill(7), major, minor));

  test('is the same for all networks of an access point, and no other has it', () => {
    expect(macNumber(KIND_WIFI, '06:74:9c:2e:9e:f3')).toBe(0x749c2e9ef3);
    expect(macNumber(KIND_WIFI, '12:74:9c:2e:9e:f3')).toBe(0x749c2e9ef3);
    expect(macNumber(KIND_BLUETOOTH, '00:74:9c:2e:9e:f3')).toBe(2 ** 48 + 0x749c2e9ef3);
    expect(macNumber(KIND_BLUETOOTH, 'ff:ff:ff:ff:ff:fe')).toBeLessThan(2 ** 52);
  });

  test('of an iBeacon lies above all addresses and is its own', () => {
    const numbers = [beaconNumber(0, 0), beaconNumber(0, 1), beaconNumber(1, 0), beaconNumber(65_535, 65_535)];
    expect(numbers.every(number => number >= 2 ** 52 && Number.isSafeInteger(number))).toBe(true);
    expect(new Set(numbers).size).toBe(4);
  });

  test('is none for a cell', () => {
    expect(numberOf(bytes => writeCellKey(bytes, 4, KIND_LTE, networkNumber(KIND_LTE, 262, 1), 5, 6))).toBe(-1);
  });
});
