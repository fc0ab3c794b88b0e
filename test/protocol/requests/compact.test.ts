import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../../src/protocol/errors.ts';
import { formatCompact, formatCompactError, readCompact } from '../../../src/protocol/requests/compact.ts';
import { queryOf } from '../../kits/radio/query_in_memory.ts';

const seen = (wifi: unknown) => queryOf(readCompact(wifi)).wifi.map(({ mac, signal }) => [mac, signal]);
const A = '00:14:bf:aa:bb:01';
const B = '00:14:bf:aa:bb:02';

describe('the cells parameter', () => {
  const cells = (parameter: unknown) =>
    queryOf(readCompact(undefined, parameter)).cells.map(({ cell, area }) => [cell, area]);

  test.each([
    [
      'cells with all values',
      'lte,1,1,1,256001,-90;lte,1,1,1,256002,-95',
      [
        [256_001, 1],
        [256_002, 1],
      ],
    ],
    [
      'several parameters',
      ['gsm,1,1,7,5,-70', 'gsm,1,1,7,6'],
      [
        [5, 7],
        [6, 7],
      ],
    ],
    ['no radio type, no level, blanks', ' ,1 , 1,7,5 ', [[5, 7]]],
    ['no cells', ['', ';', 'lte', 'lte,1,1', 'x,y,z,a,b,c'], []],
    ['another type', 5, []],
  ])('%s', (_, parameter, expected) => {
    expect(cells(parameter)).toEqual(expected);
  });

  test('the first cell is the serving one, and access points may stand beside', () => {
    expect(readCompact(`${A},home,-60`, 'lte,1,1,1,256001,-90')).toMatchObject({
      wifiAccessPoints: [{ macAddress: A }],
      cellTowers: [{ radioType: 'lte', cellId: '256001' }],
    });
  });
});

describe('the wifi parameter', () => {
  test('lists access points', () => {
    expect(seen(`${A},home,-60;${B},other,-70`)).toEqual([
      [A, -60],
      [B, -70],
    ]);
  });

  test.each([
    ['a trailing separator', `${A},home,-60;`, [[A, -60]]],
    ['any spelling of the address', '0014BFAABB01,home,-60', [[A, -60]]],
    ['a name with commas', `${A},a,b,c,-60`, [[A, -60]]],
    [
      'a name with a semicolon',
      `${A},a;b,-60;${B},x,-70`,
      [
        [A, undefined],
        [B, -70],
      ],
    ],
    ['no name', `${A},,-60`, [[A, -60]]],
    ['the address and the level only', `${A},-60`, [[A, -60]]],
    ['the address only', A, [[A, undefined]]],
    ['no level', `${A},home`, [[A, undefined]]],
    ['an empty level', `${A},home,`, [[A, undefined]]],
    ['a level out of range', `${A},home,5`, [[A, undefined]]],
    ['spaces', ` ${A} , home , -60 `, [[A, -60]]],
    ['a broken entry', `x,home,-60;${B},y,-70`, [[B, -70]]],
  ])('may have %s', (_, wifi, expected) => {
    expect(seen(wifi)).toEqual(expected);
  });

  test('keeps names for the owners who opted out', () => {
    expect(seen(`${A},home_nomap,-60;${B},x_nomap`)).toEqual([]);
  });

  test('may be repeated, missing or empty', () => {
    expect(seen([`${A},a,-60`, `${B},b,-70`])).toHaveLength(2);
    expect([seen(undefined), seen(''), seen(5)]).toEqual([[], [], []]);
  });
});

test('a success is one line with plain decimals', () => {
  expect(formatCompact(59.1234567, 18.5, 42.4)).toBe('status=0;lat=59.1234567;lon=18.5000000;acc=42');
  expect(formatCompact(-0.0000004, 1e-8, 0)).toMatch(/^status=0;lat=-?0\.0000004;lon=0\.0000000;acc=0$/);
});

test('an error is one line whose status is not 0', () => {
  const lines = (
    [
      'notFound',
      'keyInvalid',
      'creditsExceeded',
      'deviceLimitExceeded',
      'userRateLimitExceeded',
      'parseError',
      'internalError',
      'backendError',
    ] as const
  ).map(name => formatCompactError(ERRORS[name]));
  expect(lines).toEqual([
    'status=1',
    'status=2',
    'status=3',
    'status=3',
    'status=3',
    'status=4',
    'status=4',
    'status=4',
  ]);
});
