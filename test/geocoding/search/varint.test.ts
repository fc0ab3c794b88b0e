import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter, encodeAscending, forEachAscending } from '../../../src/geocoding/search/varint.ts';

test('numbers and texts come back as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.nat(0xffffffff)), (signed, unsigned) => {
      const writer = new ByteWriter();
      for (const number of signed) writer.signed(number);
      writer.text('33a');
      for (const number of unsigned) writer.varint(number);
      const reader = new ByteReader(writer.take());
      expect(signed.map(() => reader.signed())).toEqual(signed);
      expect(reader.isText('33a')).toBe(true);
      expect(unsigned.map(() => reader.varint())).toEqual(unsigned);
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

test('another text is passed over', () => {
  const writer = new ByteWriter();
  writer.text('33a');
  writer.varint(7);
  const reader = new ByteReader(writer.take());
  expect(reader.isText('33')).toBe(false);
  expect(reader.varint()).toBe(7);
});

test('ascending numbers come back, as many as asked for', () => {
  const numbers = Uint32Array.of(0, 1, 200, 70_000, 4_000_000_000);
  const bytes = encodeAscending(new ByteWriter(), numbers);
  const read = (limit: number) => {
    const found: number[] = [];
    forEachAscending(bytes, limit, number => found.push(number));
    return found;
  };
  expect(read(10)).toEqual([...numbers]);
  expect(read(2)).toEqual([0, 1]);
});
