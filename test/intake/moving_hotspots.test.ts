import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isMovingHotspot } from '../../src/intake/moving_hotspots.ts';

test.each([
  'AndroidAP',
  'AndroidAP_4711',
  'ANDROIDAP',
  'Anna’s iPhone',
  "Anna's iPhone (2)",
  'iPhone de Marie',
  'Galaxy S21 5G',
  'Pixel 7',
  'SM-G991B',
  'Moto G(7) 1234',
  'HUAWEI P30 lite',
  'DB',
  'WIFIonICE',
  'WIFI@DB',
  'ÖBB',
  'öbb',
  '_SNCF_WIFI_INOUI',
  'FlixBus Wi-Fi',
  'Tesla Model 3',
  'VIOFO_A129',
  'Telekom_FlyNet',
  'MiFi-1A2B',
  'DIRECT-7F-HP OfficeJet',
])('%s is a moving hotspot', name => {
  expect(isMovingHotspot(name, undefined)).toBe(true);
});

test.each([
  'FRITZ!Box 7590 AB',
  'Telekom_FON',
  'eduroam',
  'Vodafone-1234',
  'DBX',
  'My DB',
  'Galaxy Apartments',
  'Moto Garage',
  'SM-Guest',
  'Pixel Bar',
  'Volvo Cars Guest',
  'not AndroidAP',
  '',
])('%s is none', name => {
  expect(isMovingHotspot(name, undefined)).toBe(false);
});

test('the name may come in hex, which counts only without a text', () => {
  const hex = Buffer.from('ÖBB').toString('hex');
  expect(isMovingHotspot(undefined, hex)).toBe(true);
  expect(isMovingHotspot('', hex.toUpperCase())).toBe(true);
  expect(isMovingHotspot('eduroam', hex)).toBe(false);
  expect(isMovingHotspot(undefined, 'no hex')).toBe(false);
});

test('what is no name, or longer than a name can be, is none', () => {
  for (const value of [undefined, null, 7, {}, ['AndroidAP'], `AndroidAP${'x'.repeat(24)}`]) {
    expect(isMovingHotspot(value, value)).toBe(false);
  }
  expect(isMovingHotspot(`AndroidAP${'x'.repeat(23)}`, undefined)).toBe(true);
});

test('every line of the list is in order, in small letters, and finds its own name', () => {
  const lines = readFileSync('data/moving_hotspots.csv', 'utf8').trim().split('\n').slice(1);
  expect(lines.length).toBeGreaterThan(200);
  expect(new Set(lines.map(line => line.split(',').slice(0, 2).join())).size).toBe(lines.length);
  for (const line of lines) {
    expect(line).toMatch(/^(is|starts|contains),[^,A-Z]+,[^,]+$/);
    const name = line.split(',')[1].replaceAll('#', '7').replaceAll('?', 'x');
    expect(isMovingHotspot(name, undefined), line).toBe(true);
  }
});
