import { describe, expect, test } from 'vitest';
import { mayHoldKeys, redactKeys } from '../../../src/tables/requests/redact.ts';

const TAIL = '0123456789abcdefghjkmnpqrs';
const KEY = `sx_${TAIL}`;

function redacted(text: string): string {
  const bytes = Buffer.from(text);
  redactKeys(bytes);
  return bytes.toString();
}

describe('a key is blanked out', () => {
  test.each([
    ['alone', KEY, ''],
    ['in JSON', `{"key":"${KEY}","a":1}`, '{"key":"","a":1}'],
    ['twice', `${KEY} ${KEY}`, ' '],
    ['in JSON that breaks off', `{"wifi":[{"ssid":"${KEY}`, '{"wifi":[{"ssid":"'],
    ['in capitals', `x${KEY.toUpperCase()}.`, 'x.'],
    ['behind letters', `as${KEY}`, 'as'],
    ['cut', KEY.slice(0, 12), ''],
    ['with more letters', `${KEY}abc"`, '"'],
    ['percent-encoded', `q=%73%58%5f${TAIL}&b`, 'q=&b'],
    ['with a percent-encoded letter', `sx%5F012%334567`, ''],
    ['escaped as in JSON', `"\\u0073\\u0078\\u005f${TAIL}"`, '""'],
    ['escaped in capitals', `"s\\u0078\\u005F0\\u0031234567"`, '""'],
    ['behind an underscore', `_${KEY}`, '_'],
    ['among umlauts', `ä${KEY}ö`, 'äö'],
  ])('%s', (_, text, left) => {
    expect(redacted(text).replace(/\*+/g, '')).toBe(left);
    expect(redacted(text)).toHaveLength(text.length);
    expect(mayHoldKeys(Buffer.from(text))).toBe(true);
  });

  test('however each of its characters is written', () => {
    const forms = (letter: string): string[] => {
      const digits = letter.charCodeAt(0).toString(16).padStart(2, '0');
      return [letter, `%${digits}`, `\\u00${digits}`];
    };
    for (let shift = 0; shift < 3; shift++) {
      const text = [...KEY].map((letter, i) => forms(letter)[(i + shift) % 3]).join('');
      expect(redacted(`<${text}>`)).toMatch(/^<\*+>$/);
      expect(mayHoldKeys(Buffer.from(text))).toBe(true);
    }
  });
});

test('underscores that end no prefix of a key are passed over', () => {
  expect(mayHoldKeys(Buffer.from('_ my_wifi __ 7_8 s%5'))).toBe(false);
});

test('bodies without an underscore are passed over', () => {
  expect(
    mayHoldKeys(Buffer.from('{"wifiAccessPoints":[{"macAddress":"02:00:5e:00:00:d3","signalStrength":-50}]}')),
  ).toBe(false);
});

test.each([
  '',
  'sx_',
  'sx_1234567',
  'sx-0123456789',
  'ax_0123456789',
  '_',
  'x_',
  '%5f',
  '\\u005f',
  'country_code',
  'sx_éééééééééé',
  '50 %5',
])('%s stays', text => {
  expect(redacted(text)).toBe(text);
});
