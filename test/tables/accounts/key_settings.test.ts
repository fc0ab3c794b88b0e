import { expect, test } from 'vitest';
import { KEY_SETTINGS, readNetwork, readOrigin } from '../../../src/tables/accounts/key_settings.ts';

test('what an operator types is read in the form in which it is compared', () => {
  expect(['position', 'other', 'Position', ''].map(text => KEY_SETTINGS.routes.entry!(text))).toEqual([
    'position',
    undefined,
    undefined,
    undefined,
  ]);
  expect(readOrigin('https://Shop.Example/')).toBe('https://shop.example');
  expect(readOrigin('https://shop.example:443')).toBe('https://shop.example');
  expect(readOrigin('http://localhost:3000')).toBe('http://localhost:3000');
  for (const text of ['shop.example', 'https://shop.example/page', 'https://a@shop.example', 'null', '*', 'data:x', ''])
    expect(readOrigin(text), text).toBeUndefined();
  expect(readNetwork('2001:DB8::/32')).toBe('2001:db8::/32');
  for (const text of ['loopback', '10.0.0.0/33', '::/129', '10.0.0', 'host', '10.0.0.0/8/8', ''])
    expect(readNetwork(text), text).toBeUndefined();
});
