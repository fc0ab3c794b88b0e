import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packZeros, unpackZeros } from '../../../src/tables/observations/zero_packing.ts';

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
  const bytes = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(255)), { maxLength: 5_000, size: 'max' });
  fc.assert(
    fc.property(bytes, values => {
      const packed = packZeros(Uint8Array.from(values));
      expect(packed.length).toBeLessThanOrEqual(values.length + Math.ceil(values.length / 8) + 1);
      const padded = [...values, ...Array<number>((8 - (values.length % 8)) % 8).fill(0)];
      expect([...unpackZeros(packed)]).toEqual(padded);
    }),
  );
});

test.each(['00', 'ff', '01', 'ff01020304050607', '03' + '01'])('an end within a word, as in %s, is refused with a sentence', hex => {
  const bytes = Buffer.from(hex, 'hex');
  expect(() => unpackZeros(bytes)).toThrow(`Packed bytes are damaged: they end after ${bytes.length} bytes, within a word.`);
});
