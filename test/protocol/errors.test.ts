import { expect, test } from 'vitest';
import { ApiError, ERRORS, errorBody } from '../../src/protocol/errors.ts';

// The documented list: status, domain and reason of every error.
const DOCUMENTED = [
  [400, 'global', 'parseError'],
  [400, 'usageLimits', 'keyInvalid'],
  [400, 'usageLimits', 'settingsKeyInvalid'],
  [403, 'usageLimits', 'creditsExceeded'],
  [403, 'usageLimits', 'deviceLimitExceeded'],
  [403, 'usageLimits', 'accessNotConfigured'],
  [403, 'usageLimits', 'ipRefererBlocked'],
  [403, 'usageLimits', 'storageExceeded'],
  [404, 'geolocation', 'notFound'],
  [404, 'global', 'notFound'],
  [405, 'global', 'methodNotAllowed'],
  [408, 'global', 'requestTimeout'],
  [413, 'global', 'bodyTooLarge'],
  [415, 'global', 'encodingUnsupported'],
  [429, 'usageLimits', 'userRateLimitExceeded'],
  [429, 'usageLimits', 'strayLimitExceeded'],
  [500, 'global', 'internalError'],
  [503, 'global', 'backendError'],
];

test('the table holds exactly the documented errors', () => {
  expect(Object.values(ERRORS).map(row => [row.status, row.domain, row.reason])).toEqual(DOCUMENTED);
});

test.each(Object.entries(ERRORS))('the body of %s has the documented shape', (_, row) => {
  const entry = { domain: row.domain, reason: row.reason, message: row.message };
  const expected = { error: { errors: [entry], code: row.status, message: row.message }, logId: 9_007_199_254_740_991 };
  // Twice, since the first builds what the second reuses.
  expect(JSON.parse(errorBody(row, 9_007_199_254_740_991))).toEqual(expected);
  expect(JSON.parse(errorBody(row, 9_007_199_254_740_991))).toEqual(expected);
});

test('a body may have a message of its own, whatever it holds, and does not keep it', () => {
  const message = 'gps.latitude "\u0000\n" must\\ be';
  const { error, logId } = JSON.parse(errorBody(ERRORS.parseError, 1, message));
  expect([error.message, error.errors[0].message, error.errors[0].reason, logId]).toEqual([
    message,
    message,
    'parseError',
    1,
  ]);
  expect(JSON.parse(errorBody(ERRORS.parseError, 2)).error.message).toBe('Parse Error');
});

test('nothing found says Not found', () => {
  expect(JSON.parse(errorBody(ERRORS.notFound, 5))).toEqual({
    error: {
      errors: [{ domain: 'geolocation', reason: 'notFound', message: 'Not found' }],
      code: 404,
      message: 'Not found',
    },
    logId: 5,
  });
});

test('an error without a message of its own has that of its row', () => {
  expect(new ApiError(ERRORS.creditsExceeded).message).toBe('Out of credits.');
});
