import { expect, test } from 'vitest';
import { ApiError, ERRORS } from '../../../src/protocol/errors.ts';
import {
  readDeviceId,
  readLanguages,
  readQueryString,
  readRequestNumber,
} from '../../../src/protocol/requests/parameters.ts';

test('a device id has at most 20 characters', () => {
  const longest = 'a'.repeat(20);
  expect([readDeviceId('a'), readDeviceId(longest), readDeviceId('😀'.repeat(20))]).toEqual([
    'a',
    longest,
    '😀'.repeat(20),
  ]);
  for (const id of ['a'.repeat(21), '😀'.repeat(21), 'a'.repeat(1e6)]) {
    expect(() => readDeviceId(id)).toThrow(new ApiError(ERRORS.parseError, 'id must have at most 20 characters.'));
  }
});

test('a missing, empty or repeated id is no error', () => {
  expect([readDeviceId(undefined), readDeviceId(''), readDeviceId(['a', 'b']), readDeviceId([])]).toEqual([
    undefined,
    undefined,
    'a',
    undefined,
  ]);
});

test('a request number is a whole number, and a bad one is ignored', () => {
  expect(['1', '7', '0', ['3', '4']].map(readRequestNumber)).toEqual([1, 7, 0, 3]);
  expect([undefined, '', 'x', '-1', '1.5', '1e300', '9007199254740993'].map(readRequestNumber)).toEqual(
    Array(7).fill(undefined),
  );
});

const KNOWN = new Set(['q', 'accept-language']);
const valuesOf = (url: string) => Object.fromEntries(readQueryString(url, KNOWN));

test('values are decoded, and of a repeated parameter the first counts', () => {
  expect(valuesOf('/search')).toEqual({});
  expect(valuesOf('/search?')).toEqual({});
  expect(valuesOf('/search?q=Z%C3%BCrich+8001%2B&x=1&accept%2Dlanguage=de&q=other')).toEqual({
    q: 'Zürich 8001+',
    'accept-language': 'de',
  });
  expect(valuesOf('/search?&&q&q=1')).toEqual({ q: '' });
  expect(valuesOf('/search?q=a=b')).toEqual({ q: 'a=b' });
});

test.each(['%ff', '%C3', '%C3%28', 'M%FCller', '100%', '%zz', '%u00e4', '%ED%A0%80', '%C0%AF'])(
  'what is no UTF-8 is refused with the name of the parameter: %s',
  text => {
    expect(() => valuesOf(`/search?q=${text}`)).toThrow(
      new ApiError(expect.anything(), 'q is not percent-encoded UTF-8.'),
    );
  },
);

test('what nobody asks for may hold anything', () => {
  expect(valuesOf('/search?email=%ff&%ff=1&q=a')).toEqual({ q: 'a' });
});

test.each([
  [undefined, []],
  ['', []],
  ['*', []],
  ['de', ['de']],
  ['de-AT,de;q=0.9,en;q=0.5', ['de-AT', 'de', 'en']],
  ['en;q=0.5, fr;q=0.8 ,zh-Hant-TW', ['zh-Hant-TW', 'fr', 'en']],
  ['de,de;q=0.1', ['de']],
  ['de;q=0,en', ['en']],
  ['de; q=1.000, en; q=0.999', ['de', 'en']],
  // A quality that is none says nothing.
  ['de;q=2,en', ['de', 'en']],
  ['__proto__,d e,de_AT,x,en', ['en']],
  ['name:de,en', ['en']],
])('%j means %j', (text, languages) => {
  expect(readLanguages(text)).toEqual(languages);
});

test('after ten nobody listens any more', () => {
  const tags = Array.from({ length: 1000 }, (_, i) => `aa-${i}`);
  expect(readLanguages(tags.join(','))).toEqual(tags.slice(0, 10));
});
