import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportAt } from '../../../bench/reports.ts';
import { createWorld } from '../../../bench/world.ts';
import { Tally } from '../../../src/intake/tally.ts';
import { decodeReport, encodeReport, unpackReports } from '../../../src/tables/observations/report.ts';
import { packZeros, unpackZeros } from '../../../src/tables/observations/zero_packing.ts';
import { packBatch } from '../../../src/tasks/pack_reports.ts';

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
