import { expect, test } from 'vitest';
import { ApiError } from '../../../src/protocol/errors.ts';
import { readQueryString } from '../../../src/protocol/requests/query_string.ts';

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
