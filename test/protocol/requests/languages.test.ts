import { expect, test } from 'vitest';
import { readLanguages } from '../../../src/protocol/requests/languages.ts';

test.each([
  [undefined, []],
  ['', []],
  ['*', []],
  ['de', ['de']],
  ['de-AT,de;q=0.9,en;q=0.5', ['de-AT', 'de', 'en']],
  ['en;q=0.5, fr;q=0.8 ,zh-Hant-TW', ['zh-Hant-TW', 'fr', 'en']],
  ['de,de;q=0.1', ['de']],
  ['de;q=0,en', ['en']],
  ['de; q=1.000, en; q=0.999', ['de', 'en']],
  // A quality that is none says nothing.
  ['de;q=2,en', ['de', 'en']],
  ['__proto__,d e,de_AT,x,en', ['en']],
  ['name:de,en', ['en']],
])('%j means %j', (text, languages) => {
  expect(readLanguages(text)).toEqual(languages);
});

test('after ten nobody listens any more', () => {
  const tags = Array.from({ length: 1000 }, (_, i) => `aa-${i}`);
  expect(readLanguages(tags.join(','))).toEqual(tags.slice(0, 10));
});
