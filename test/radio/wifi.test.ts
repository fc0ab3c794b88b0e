import { expect, test } from 'vitest';
import { isOptedOut } from '../../src/radio/wifi.ts';

const hex = (text: string) => Buffer.from(text).toString('hex');

test('a name that ends in _nomap or contains _optout opts out, in any case, also with blanks behind it', () => {
  expect(
    ['home_nomap', '_nomap', 'a_optout', 'a_optout_b', '_OptOut_x', 'HOME_NOMAP', 'home_NoMap  '].map(ssid =>
      isOptedOut(ssid, undefined),
    ),
  ).toEqual(Array(7).fill(true));
  expect(
    ['home', 'home_nomap_', 'nomap', 'optout', 'home _noma p', ''].map(ssid => isOptedOut(ssid, undefined)),
  ).toEqual(Array(6).fill(false));
});

test('the name in hexadecimal opts out the same way', () => {
  for (const ssidHex of [
    hex('home_nomap'),
    hex('home_nomap').toUpperCase(),
    hex('HOME_NoMAP  '),
    hex('a_OPTout'),
    hex('a_optout_b'),
    hex('_optout').toUpperCase(),
  ]) {
    expect(isOptedOut(undefined, ssidHex)).toBe(true);
  }
  expect(isOptedOut(undefined, hex('home'))).toBe(false);
  // The seven bytes of _optout half a byte off are another name.
  expect(isOptedOut(undefined, `a${hex('_optout')}b`)).toBe(false);
});

test('the name in hexadecimal counts only if none is sent as text', () => {
  expect(isOptedOut('home', hex('home_nomap'))).toBe(false);
  expect(isOptedOut('', hex('home_nomap'))).toBe(true);
  expect(isOptedOut(null, hex('home_nomap'))).toBe(true);
  expect(isOptedOut(7, 8)).toBe(false);
});

test('hexadecimal longer than any name is ignored', () => {
  expect(isOptedOut(undefined, '00'.repeat(1e6) + hex('_nomap'))).toBe(false);
});
