import { expect, test } from 'vitest';
import { bool, may, must, or, record, text, texts, uint } from '../../../src/tables/environment/record.ts';

test('a record keeps its fields where numbers between them are no longer used', () => {
  const codec = record('gap', {
    count: must(0, uint(0, 10), 'A number.'),
    name: may(3, text, 'A text.'),
    isLast: or(7, bool, undefined, 'A flag.'),
    tags: may(5, texts, 'Texts.'),
  });
  for (const values of [
    { count: 7, name: 'seven', isLast: true, tags: ['a', 'b'] },
    { count: 0, isLast: false },
    { count: 3, tags: ['c'], isLast: undefined },
  ])
    expect(codec.decode(codec.encode(values))).toEqual(values);
});
