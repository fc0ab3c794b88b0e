import { expect, test } from 'vitest';
import { ApiError, ERRORS } from '../../../src/protocol/errors.ts';
import { readDeviceId, readRequestNumber } from '../../../src/protocol/requests/parameters.ts';

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
