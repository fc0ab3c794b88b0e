import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportAt } from '../../../bench/reports.ts';
import { createWorld } from '../../../bench/world.ts';
import { Tally } from '../../../src/intake/tally.ts';
import { OBSERVATION_BYTES } from '../../../src/radio/query/layout.ts';
import {
  decodeReport,
  encodeReport,
  packReports,
  packZeros,
  type Report,
  reportIdentity,
  trackOf,
  trackOfBatch,
  unpackReports,
  unpackZeros,
} from '../../../src/tables/observations/report.ts';
import { packBatch } from '../../../src/tasks/pack_reports.ts';
import { anyReport, numberedReport } from '../../kits/radio/reports.ts';

describe('a record', () => {
  test('holds every report as it was', () => {
    fc.assert(
      fc.property(anyReport, report => {
        expect(decodeReport(encodeReport(report))).toEqual(report);
      }),
    );
  });

  test('takes no room for what was not sent', () => {
    const bare = numberedReport(1, { accuracyMetres: Number.NaN });
    const full = { ...bare, accuracyMetres: 0, positionAgeMs: 0, altitude: 0, heading: 0, speed: 0 };
    expect(encodeReport(full).length - encodeReport(bare).length).toBeGreaterThanOrEqual(40);
    expect(decodeReport(encodeReport(full))).toEqual(full);
  });

  test('may stand anywhere in a buffer', () => {
    const report = numberedReport(2);
    for (const offset of [0, 1, 3, 8]) {
      const record = encodeReport(report);
      const buffer = new Uint8Array(offset + record.length + 5).fill(255);
      buffer.set(record, offset);
      expect(decodeReport(buffer.subarray(offset, offset + record.length))).toEqual(report);
    }
  });

  test('cut short is refused with an error, wherever the cut is', () => {
    const record = encodeReport(numberedReport(3));
    for (let length = 0; length < record.length; length++) {
      expect(() => decodeReport(record.subarray(0, length))).toThrow(
        `The record of a report is damaged: it ends after ${length} bytes.`,
      );
    }
  });

  test('with any byte changed is a report or an error message, never anything else', () => {
    const record = encodeReport(numberedReport(4, { observations: new Uint8Array(2 * OBSERVATION_BYTES) }));
    const sentences = new Set<string>();
    for (let at = 0; at < record.length; at++) {
      for (const value of [0, 1, 127, 128, 255]) {
        const changed = record.slice();
        changed[at] = value;
        try {
          expect(decodeReport(changed).observations.length % OBSERVATION_BYTES).toBe(0);
        } catch (error) {
          sentences.add((error as Error).message.replaceAll(/\d+/g, 'N'));
        }
      }
    }
    expect([...sentences].sort()).toEqual([
      'The record of a report is damaged: field N is N, neither true nor false.',
      'The record of a report is damaged: field N stands outside of its table.',
      'The record of a report is damaged: it ends after N bytes.',
      'The record of a report is damaged: it has no observations.',
      'The record of a report is damaged: it has no position on the globe.',
      'The record of a report is damaged: it has no time.',
      'The record of a report is damaged: it has the floor N.',
      'The record of a report is damaged: its list of fields is none.',
      'The record of a report is damaged: its track is no whole number.',
    ]);
  });

  test('is not made of half an observation', () => {
    expect(() => encodeReport(numberedReport(5, { observations: new Uint8Array(41) }))).toThrow(
      '41 bytes are no whole number of observations.',
    );
  });
});

describe('the identity of a report', () => {
  const hex = (report: Report) => Buffer.from(reportIdentity(report)).toString('hex');

  test('is the same after a restart and in the next version', () => {
    expect(
      hex(numberedReport(0, { longitude: 4.5, accuracyMetres: 10, observations: new Uint8Array(40).fill(7) })),
    ).toBe('50aaa6ac5a944c212c2ceb0f41b4851f');
  });

  test('does not depend on whether the sender was trusted, nor on the arrival of a report without a time', () => {
    const report = numberedReport(1);
    expect(hex({ ...report, isTrusted: true })).toBe(hex(report));
    expect(hex({ ...report, isTimed: false, timeMs: 5 })).toBe(hex({ ...report, isTimed: false }));
    expect(hex({ ...report, isTimed: false })).not.toBe(hex(report));
  });

  test.each<Partial<Report>>([
    { timeMs: 1 },
    { contributor: 4 },
    { track: 78 },
    { latitude: 51 },
    { longitude: 3 },
    { accuracyMetres: Number.NaN },
    { positionAgeMs: 0 },
    { altitude: 0 },
    { heading: 0 },
    { speed: 0 },
    { floor: 0 },
    { observations: new Uint8Array(40) },
  ])('depends on %o', changes => {
    expect(hex(numberedReport(1, changes))).not.toBe(hex(numberedReport(1)));
  });

  test('knows one NaN and one zero', () => {
    const otherNaN = new Float64Array(new BigUint64Array([0xfff8_0000_0000_0001n]).buffer)[0];
    expect(hex(numberedReport(1, { speed: otherNaN, heading: -0, floor: -0 }))).toBe(
      hex(numberedReport(1, { speed: Number.NaN, heading: 0, floor: 0 })),
    );
  });
});

describe('the pseudonym of a device', () => {
  test('is a whole number that depends on the device and its account', () => {
    const tracks = [
      trackOf(1, 'a'),
      trackOf(1, 'b'),
      trackOf(2, 'a'),
      trackOf(1, ''),
      trackOf(11, ''),
      trackOf(1, '1'),
    ];
    expect(new Set(tracks).size).toBe(tracks.length);
    for (const track of tracks) expect(Number.isSafeInteger(track) && track >= 1).toBe(true);
    expect(trackOf(1, 'a')).toBe(58_444_651_292_475);
  });
});

describe('the pseudonym of a batch', () => {
  test('is none that a device can have, and no part of the identity', () => {
    const tracks = [trackOfBatch(1, 'a'), trackOfBatch(1, 'b'), trackOfBatch(2, 'a')];
    expect(new Set(tracks).size).toBe(3);
    for (const track of tracks) expect(Number.isSafeInteger(track) && track >= 2 ** 52).toBe(true);
    const [first, ...others] = [...tracks, 0].map(track =>
      Buffer.from(reportIdentity(numberedReport(1, { track }))).toString('hex'),
    );
    for (const other of others) expect(other).toBe(first);
    expect(Buffer.from(reportIdentity(numberedReport(1, { track: trackOf(1, 'a') }))).toString('hex')).not.toBe(first);
  });
});

describe('packed reports', () => {
  test('come out with their identities, in their order', () => {
    const reports = [
      numberedReport(1),
      numberedReport(2, { isTimed: false }),
      numberedReport(3, { observations: new Uint8Array() }),
    ];
    const found = [...unpackReports(packReports(reports))];
    expect(found.map(({ record }) => decodeReport(unpackZeros(record)))).toEqual(reports);
    expect(found.map(({ isTimed }) => isTimed)).toEqual([true, false, true]);
    expect(found.map(({ identity }) => Buffer.from(identity))).toEqual(
      reports.map(report => Buffer.from(reportIdentity(report))),
    );
  });

  test('stand alone in their buffer, which another thread can take over', () => {
    const packed = packReports([numberedReport(1)]);
    expect(packed.buffer.byteLength).toBe(packed.byteLength);
    expect([...unpackReports(structuredClone(packed, { transfer: [packed.buffer] }))]).toHaveLength(1);
    expect(packed.byteLength).toBe(0);
    expect([...unpackReports(packReports([]))]).toEqual([]);
  });

  test('cut short are refused with a sentence', () => {
    const packed = packReports([numberedReport(1), numberedReport(2)]);
    const first = packReports([numberedReport(1)]).length;
    for (let length = 1; length < packed.length; length++) {
      if (length === first) continue;
      expect(() => [...unpackReports(packed.subarray(0, length))]).toThrow(
        `Packed reports are damaged at byte ${length < first ? 0 : first} of ${length}.`,
      );
    }
  });
});

const pack = (hex: string) => Buffer.from(packZeros(Buffer.from(hex, 'hex'))).toString('hex');

test('a word is a tag and its bytes that are not zero', () => {
  expect(pack('0800000003000200')).toBe('51080302');
  expect(pack('0102030405060708')).toBe('ff0102030405060708');
  expect(pack('')).toBe('');
});

test('words of zeros are counted', () => {
  expect(pack('00'.repeat(8))).toBe('0000');
  expect(pack('00'.repeat(24) + '0000000000000009')).toBe('00028009');
  expect(pack('00'.repeat(8 * 257))).toBe('00ff0000');
});

test('what was packed comes out again, with zeros up to a whole word', () => {
  const bytes = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(255)), {
    maxLength: 5_000,
    size: 'max',
  });
  fc.assert(
    fc.property(bytes, values => {
      const packed = packZeros(Uint8Array.from(values));
      expect(packed.length).toBeLessThanOrEqual(values.length + Math.ceil(values.length / 8) + 1);
      const padded = [...values, ...Array<number>((8 - (values.length % 8)) % 8).fill(0)];
      expect([...unpackZeros(packed)]).toEqual(padded);
    }),
  );
});

test.each(['00', 'ff', '01', 'ff01020304050607', '03' + '01'])(
  'an end within a word, as in %s, is refused with an error',
  hex => {
    const bytes = Buffer.from(hex, 'hex');
    expect(() => unpackZeros(bytes)).toThrow(
      `Packed bytes are damaged: they end after ${bytes.length} bytes, within a word.`,
    );
  },
);

test("packing leaves 442 of 775 bytes of a record of the benchmark's town", () => {
  const world = createWorld(50_000, 1);
  const items = Array.from({ length: 2_000 }, (_, number) => reportAt(world, number));
  const origin = { account: 1, isTrusted: false, deviceId: 'device', arrivalMs: Date.parse('2026-06-01T00:00:00Z') };
  const packed = packBatch(items, origin, new Tally()).flatMap(part =>
    [...unpackReports(part)].map(({ record }) => record),
  );
  const plain = packed.map(record => encodeReport(decodeReport(unpackZeros(record))));
  expect([meanBytes(plain), meanBytes(packed)]).toEqual([775, 442]);
});

function meanBytes(records: readonly Uint8Array[]): number {
  return Math.round(records.reduce((bytes, record) => bytes + record.length, 0) / records.length);
}
