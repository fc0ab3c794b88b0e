import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../../src/geocoding/index/varint.ts';

const read = (...bytes: number[]) => new ByteReader(Buffer.from(bytes));

function written(write: (out: ByteWriter) => void): ByteReader {
  const out = new ByteWriter();
  write(out);
  return new ByteReader(Buffer.from(out.view()));
}

describe('numbers', () => {
  test('come back as they were written', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.maxSafeNat(), fc.integer({ min: -(2 ** 51), max: 2 ** 51 }), fc.string({ unit: 'grapheme' })),
        ),
        items => {
          const reader = written(out => {
            for (const [unsigned, signed, text] of items) {
              out.unsigned(unsigned);
              out.signed(signed);
              out.text(text);
            }
          });
          for (const [unsigned, signed, text] of items) {
            expect(reader.unsigned()).toBe(unsigned);
            expect(reader.signed()).toBe(signed);
            expect(reader.text()).toBe(text.toWellFormed());
          }
          expect(reader.at).toBe(reader.end);
        },
      ),
      { seed: 1 },
    );
  });

  test.each([0, 1, 127, 128, 2 ** 28 - 1, 2 ** 28, 2 ** 31, 2 ** 32, 2 ** 49 - 1, 2 ** 49, 2 ** 53 - 1])(
    '%i',
    value => {
      expect(written(out => out.unsigned(value)).unsigned()).toBe(value);
      expect(written(out => out.unsigned(value)).int64()).toBe(value);
    },
  );

  test('below zero take ten bytes where the sign is not folded', () => {
    expect(read(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01).int64()).toBe(-1);
    expect(() => read(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01).unsigned()).toThrow(
      /must not be negative/,
    );
  });

  test('that are too large, too long or cut off are refused', () => {
    expect(() => read(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f).unsigned()).toThrow(/too large/);
    expect(() => read(...new Array(11).fill(0x80)).int64()).toThrow(/longer than ten bytes/);
    expect(() => read(0x80).unsigned()).toThrow(/end inside of a number/);
    expect(() => read().unsigned()).toThrow(/end inside of a number/);
    expect(() => read(5, 65).text()).toThrow(/end inside of a field/);
  });
});

test('a text that is not the one asked for is stepped over', () => {
  const out = new ByteWriter();
  for (const text of ['33a', '33a', '33b']) out.text(text);
  out.unsigned(7);
  const reader = new ByteReader(out.take());
  expect([reader.isText('33'), reader.isText('33a'), reader.isText('33a')]).toEqual([false, true, false]);
  expect(reader.unsigned()).toBe(7);
});

test('what is taken stays as it is when more is written', () => {
  const out = new ByteWriter();
  out.text('Vaduz');
  const taken = out.take();
  out.text('Balzers');
  expect(new ByteReader(taken).text()).toBe('Vaduz');
  expect(new ByteReader(out.take()).text()).toBe('Balzers');
});
