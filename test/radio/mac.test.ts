import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMac, isGroupOrNullMac, parseMac, radioOfMac } from '../../src/radio/mac.ts';

describe('parseMac', () => {
  test.each(['00:14:bf:aa:bb:01', '00-14-BF-AA-BB-01', '0014.bfaa.bb01', '0014bfaabb01', '00:14-bf.AAbb01'])('%s is one address', text => {
    expect(parseMac(text)).toBe(0x0014bfaabb01);
  });

  test.each([
    '',
    '00:14:bf:aa:bb',
    '00:14:bf:aa:bb:01:02',
    '00:14:bf:aa:bb:0g',
    ':0014bfaabb01',
    '0014bfaabb01:',
    ' 0014bfaabb01',
    '0x14bfaabb01',
    '００14bfaabb01',
  ])('"%s" is not an address', text => {
    expect(parseMac(text)).toBe(-1);
  });

  test('the highest address keeps all 48 bits', () => {
    expect(parseMac('ff:ff:ff:ff:ff:ff')).toBe(2 ** 48 - 1);
  });

  test('an address survives being written and read', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), mac => parseMac(formatMac(mac)) === mac));
  });

  test('any text is an address or -1, never an error', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const mac = parseMac(text);
        return mac === -1 || (mac >= 0 && mac < 2 ** 48);
      }),
    );
  });
});

test('group addresses and the null address are not access points, locally administered ones are', () => {
  const sends = (text: string) => !isGroupOrNullMac(parseMac(text));
  expect(['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff', '01:00:5e:90:10:00', '33:33:00:00:00:01'].map(sends)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(['02:00:00:00:00:01', '00:00:00:00:00:01', 'fe:ff:ff:ff:ff:ff'].map(sends)).toEqual([true, true, true]);
});

test('virtual networks under several first octets are one radio', () => {
  expect(radioOfMac(parseMac('02:14:bf:aa:bb:01'))).toBe(radioOfMac(parseMac('00:14:bf:aa:bb:01')));
  expect(radioOfMac(parseMac('00:15:bf:aa:bb:01'))).not.toBe(radioOfMac(parseMac('00:14:bf:aa:bb:01')));
});
