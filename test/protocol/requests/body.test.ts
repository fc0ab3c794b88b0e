import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError, ERRORS, type ErrorRow } from '../../../src/protocol/errors.ts';
import { inflate, inflateFailure, parseBody, ShapeCheck } from '../../../src/protocol/requests/body.ts';

const parse = (text: string) => parseBody(Buffer.from(text));
const refused = (row: ErrorRow, message?: string) =>
  expect.objectContaining({ row, ...(message === undefined ? {} : { message }) });
const refusalOf = (text: string): unknown => {
  try {
    return parse(text);
  } catch (error) {
    return error;
  }
};

describe('parseBody', () => {
  test.each(['', ' ', '\r\n\t ', 'null', ' null '])('"%s" is an empty object', text => {
    expect(parse(text)).toEqual({});
  });

  test('JSON is parsed, behind a byte order mark too', () => {
    expect(parse('{"a":[1,"ü"]}')).toEqual({ a: [1, 'ü'] });
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
    expect([parse('0'), parse('false'), parse('"x"'), parse('[]')]).toEqual([0, false, 'x', []]);
  });

  test.each(['{', '{"a":1', "{'a':1}", '{"a":1}}', 'x', '{"a":NaN}', '\u0000'])('%s is refused', text => {
    expect(refusalOf(text)).toEqual(refused(ERRORS.parseError));
  });

  test('any bytes are JSON or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array(), bytes => {
        try {
          parseBody(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});

describe('keys that reach a prototype', () => {
  test.each([
    ['{"__proto__":{"polluted":1}}', '__proto__'],
    ['{"gps":{"__proto__":null}}', '__proto__'],
    ['{"cellTowers":[{"a":[{"__proto__":1}]}]}', '__proto__'],
    ['{"\\u005f_proto__":1}', '__proto__'],
    ['{"__pr\\u006fto__":1}', '__proto__'],
    ['{"\\u005F\\u005F\\u0070\\u0072\\u006F\\u0074\\u006F\\u005F\\u005F":1}', '__proto__'],
    ['{"constructor":{"prototype":{"polluted":1}}}', 'constructor'],
    ['{"c\\u006fnstructor":{"prototype":1}}', 'constructor'],
    ['{"constructor":{"pr\\u006ftotype":1}}', 'constructor'],
  ])('%s is refused', (text, key) => {
    expect(refusalOf(text)).toEqual(refused(ERRORS.parseError, `The key ${key} is not allowed.`));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each([
    '{"ssid":"__proto__"}',
    '{"constructor":1}',
    '{"constructor":{"name":1}}',
    '{"prototype":1}',
    '{"ssid":"caf\\u00e9"}',
    '{"constructor":null,"prototype":1}',
  ])('%s is harmless', text => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  test('are found at any depth', () => {
    const deep = `${'['.repeat(200_000)}{"__proto__":1}${']'.repeat(200_000)}`;
    expect(refusalOf(deep)).toEqual(refused(ERRORS.parseError));
  });
});

describe('inflate', () => {
  test.each([
    ['nested too deeply', '[', ERRORS.parseError],
    ['of too many empty entries', '{},', ERRORS.bodyTooLarge],
  ])('a body %s is refused before it is whole', async (_, piece, row) => {
    const bomb = gzipSync(piece.repeat(2_000_000));
    expect(bomb.length).toBeLessThan(8_000);
    await expect(inflate(bomb, 'gzip', 10_000_000)).rejects.toEqual(refused(row));
  });

  const body = Buffer.from(`{"cellTowers":[${'{},'.repeat(500)}{}]}`);

  test.each([
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['GZIP', gzipSync(body)],
    [' gzip ', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['br', brotliCompressSync(body)],
  ])('undoes %s', async (encoding, bytes) => {
    expect(await inflate(bytes, encoding, body.length)).toEqual(body);
  });

  test.each([undefined, '', 'identity'])('leaves bytes of encoding %s as they are', async encoding => {
    expect(await inflate(body, encoding, 1)).toBe(body);
  });

  test.each(['zstd', 'compress', 'gzip, br', 'constructor'])('refuses the encoding %s', async encoding => {
    await expect(inflate(gzipSync(body), encoding, 1e6)).rejects.toEqual(refused(ERRORS.encodingUnsupported));
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('stops %s that would become larger than the cap', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(1_000_000));
    await expect(inflate(bomb, encoding, 999_999)).rejects.toEqual(refused(ERRORS.bodyTooLarge));
    expect(await inflate(bomb, encoding, 1_000_000)).toHaveLength(1_000_000);
  });

  test.each([
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
  ])('refuses %s that is cut off, damaged or something else', async (encoding, bytes) => {
    for (const bad of [
      bytes.subarray(0, bytes.length - 10),
      Buffer.from('{"a":1}'),
      Buffer.alloc(0),
      Buffer.concat([Buffer.of(1, 2, 3), bytes]),
    ]) {
      await expect(inflate(bad, encoding, 1e6)).rejects.toEqual(refused(ERRORS.parseError));
    }
  });
});

test('what fails in inflating is the fault of the client, but for a lack of memory', () => {
  const failure = (code: string) => inflateFailure(Object.assign(new Error(code), { code }), 'gzip', 9);
  expect(failure('ERR_BUFFER_TOO_LARGE')).toMatchObject({ row: ERRORS.bodyTooLarge });
  expect(failure('Z_DATA_ERROR')).toMatchObject({ row: ERRORS.parseError });
  expect(failure('Z_MEM_ERROR')).not.toBeInstanceOf(ApiError);
});

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
