import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { mapSetting } from '../../src/config/map_setting.ts';

test('a file is made absolute, and an address stays as it is', () => {
  expect(mapSetting('maps/world.pmtiles')).toEqual({ file: resolve('maps/world.pmtiles') });
  for (const url of [
    'https://maps.example/world.pmtiles',
    'https://maps.example:8443/{z}/{x}/{y}.png',
    'http://[::1]:3000/tiles/{z}/{x}/{y}.mvt?key=a',
  ])
    expect(mapSetting(url)).toEqual({ url });
});

test.each([
  '',
  'world.mbtiles',
  'https://maps.example/',
  'https://maps.example/{z}/{x}.png',
  'https://a:b@maps.example/a.pmtiles',
  'https://',
  "https://maps.example; script-src 'unsafe-inline'/a.pmtiles",
  'ftp://maps.example/a.mbtiles',
])('%j is refused', text => {
  expect(() => mapSetting(text)).toThrow('must be');
});
