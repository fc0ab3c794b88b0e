import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ERRORS } from '../../../src/protocol/errors.ts';
import { ShapeCheck } from '../../../src/protocol/requests/shape.ts';

/** Checks a body, cut into pieces of this size. */
const check =
  (text: string, size = text.length) =>
  () => {
    const shape = new ShapeCheck();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) shape.read(bytes.subarray(at, at + size));
  };
const refusal = (row: object, message: RegExp) =>
  expect.objectContaining({ row, message: expect.stringMatching(message) });

test('64 levels are allowed, 65 are not', () => {
  expect(check('[{"a":'.repeat(32))).not.toThrow();
  expect(check(`${'[{"a":'.repeat(32)}[`)).toThrow(refusal(ERRORS.parseError, /64 levels/));
  expect(check('[]{}'.repeat(100))).not.toThrow();
});

test('300,000 objects and lists are allowed, one more is not', () => {
  const entries = (count: number) => `[${'{},'.repeat(count - 2)}[]]`;
  expect(check(entries(300_000), 65_536)).not.toThrow();
  expect(check(entries(300_001), 65_536)).toThrow(refusal(ERRORS.bodyTooLarge, /300000 objects and lists/));
});

test('brackets in text do not count, however the body is cut', () => {
  const text = JSON.stringify({ 'a["': '['.repeat(100), b: ['\\', '\\"[[', '{'.repeat(100)] });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: text.length }), size => {
      expect(check(text, size)).not.toThrow();
      expect(check(`${text.slice(0, -1)},"c":${'['.repeat(64)}`, size)).toThrow(
        refusal(ERRORS.parseError, /64 levels/),
      );
    }),
  );
});
