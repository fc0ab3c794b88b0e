import { expect, test } from 'vitest';
import { parseUuid } from '../../src/radio/uuid.ts';

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
