import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FIRST_SURVEY_MAC,
  formatMac,
  isGroupOrNullMac,
  isLocalMac,
  isSameDevice,
  parseMac,
  parseUuid,
  radioOfMac,
} from '../../src/radio/mac.ts';

describe('parseMac', () => {
  test.each(['00:14:bf:aa:bb:01', '00-14-BF-AA-BB-01', '0014.bfaa.bb01', '0014bfaabb01', '00:14-bf.AAbb01'])(
    '%s is one address',
    text => {
      expect(parseMac(text)).toBe(0x0014bfaabb01);
    },
  );

  test.each([
    ['34:31:c4:3d:ee:7', 0x3431c43dee07],
    ['0-4-b-a-B-1', 0x00040b0a0b01],
    ['0.14.bf.aa.bb.1', 0x0014bfaabb01],
  ])('%s is one whose octets lack their zeroes', (text, mac) => {
    expect(parseMac(text)).toBe(mac);
  });

  test.each([
    '0014:b:aa:b:1',
    '0:14:bf::bb:1',
    '0:14:bf:aa:bb:1:',
    '0:14:bf:aa:1',
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

describe('addresses of one device', () => {
  const areOne = (a: string, b: string) => isSameDevice(radioOfMac(parseMac(a)), radioOfMac(parseMac(b)));

  test.each([
    ['the same', '00:14:bf:aa:bb:10', '00:14:bf:aa:bb:10'],
    ['networks, which change the first octet', '00:14:bf:aa:bb:10', '06:14:bf:aa:bb:10'],
    ['a band, whose last octet is another', '00:14:bf:aa:bb:10', '00:14:bf:aa:bb:14'],
    ['the last octet far away', '00:14:bf:aa:bb:01', '02:14:bf:aa:bb:f1'],
    ['a band that is told by the fourth octet', '00:14:bf:2a:bb:10', '00:14:bf:aa:bb:10'],
    ['a carry', '00:14:bf:aa:bb:fe', '00:14:bf:aa:bc:0e'],
    ['a band and a network, in two octets', '00:14:bf:2a:bb:10', '02:14:bf:aa:bb:1f'],
    ['a carry over a whole octet', '00:14:bf:aa:bb:01', '00:14:bf:aa:bc:00'],
    ['the second octet of the vendor and the last', '00:14:bf:aa:bb:10', '00:17:bf:aa:bb:12'],
  ])('%s', (_, a, b) => {
    expect([areOne(a, b), areOne(b, a)]).toEqual([true, true]);
  });

  test.each([
    ['the last two octets differ, as in a delivery of an operator', '00:14:bf:aa:bb:10', '00:14:bf:aa:c1:24'],
    ['numbers are a carry and one apart', '00:14:bf:aa:bb:01', '00:14:bf:aa:bc:02'],
    ['three octets differ', '00:14:bf:aa:bb:10', '00:14:bf:ab:bc:21'],
    ['the vendor and the number are others', '00:14:bf:aa:bb:10', '00:15:c0:ab:cc:10'],
  ])('not where %s', (_, a, b) => {
    expect([areOne(a, b), areOne(b, a)]).toEqual([false, false]);
  });

  test('iBeacons, columns of a survey and access points of documents are devices by themselves', () => {
    expect(areOne('02:00:5e:00:00:d3', '02:00:5e:00:00:d4')).toBe(false);
    expect(isSameDevice(2 ** 52 + 1, 2 ** 52 + 2)).toBe(false);
    expect(isSameDevice(2 ** 52 + 1, 2 ** 52 + 1)).toBe(true);
    expect(isSameDevice(radioOfMac(FIRST_SURVEY_MAC + 1), radioOfMac(FIRST_SURVEY_MAC + 2))).toBe(false);
  });

  test('are those that differ in one octet, in two that are not the last, or by less than 256', () => {
    const radio = fc.integer({ min: 0, max: 2 ** 40 - 1 });
    const octetsOf = (of: number) => [...Buffer.from(of.toString(16).padStart(10, '0'), 'hex')];
    fc.assert(
      fc.property(radio, radio, fc.uniqueArray(fc.integer({ min: 0, max: 4 })), (a, other, changed) => {
        const b = changed.reduce(
          (of, octet) => of + (octetsOf(other)[octet] - octetsOf(a)[octet]) * 256 ** (4 - octet),
          a,
        );
        const differing = octetsOf(a).filter((value, at) => value !== octetsOf(b)[at]).length;
        const isStandIn = Math.floor(a / 65_536) === 0x554a49 || Math.floor(a / 16_777_216) === 0x5e;
        const isOfDelivery = Math.floor(a / 65_536) === Math.floor(b / 65_536) && Math.abs(a - b) > 255;
        expect(isSameDevice(a, b)).toBe(isStandIn ? a === b : differing < 2 || (differing === 2 && !isOfDelivery));
      }),
      { numRuns: 2_000 },
    );
  });
});

test('an address that a device made up itself is told by a bit of its first octet', () => {
  expect([0x02, 0x06, 0xc2, 0xff].every(octet => isLocalMac(octet * 2 ** 40))).toBe(true);
  expect([0x00, 0x04, 0xc0, 0xfc].some(octet => isLocalMac(octet * 2 ** 40))).toBe(false);
});

const read = (text: string) => {
  const bytes = new Uint8Array(16).fill(0xee);
  return parseUuid(text, bytes) ? Buffer.from(bytes).toString('hex') : undefined;
};

test('a uuid reads the same with and without dashes, in any case', () => {
  const hex = 'f7826da64fa24e988024bc5b71e0893e';
  expect(['F7826DA6-4FA2-4E98-8024-BC5B71E0893E', 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', hex].map(read)).toEqual([
    hex,
    hex,
    hex,
  ]);
});

test.each([
  '',
  'f7826da64fa24e988024bc5b71e0893',
  'f7826da64fa24e988024bc5b71e0893e0',
  'g7826da64fa24e988024bc5b71e0893e',
  '-f7826da64fa24e988024bc5b71e0893e',
  '0'.repeat(32),
  'f'.repeat(1e6),
])('%.40s is no uuid', text => {
  expect(read(text)).toBeUndefined();
});
