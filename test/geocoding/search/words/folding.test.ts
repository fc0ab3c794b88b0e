import { expect, test } from 'vitest';
import { ADDRESS_WORDS } from '../../../../src/geocoding/search/words/address_table.ts';
import { type Folding, folded } from '../../../../src/geocoding/search/words/folding.ts';
import { SUBDIVISIONS } from '../../../../src/geocoding/search/words/subdivision_words.ts';
import { ABBREVIATIONS, KINDS } from '../../../../src/geocoding/search/words/vocabulary.ts';

const TABLES: readonly Folding<readonly unknown[]>[] = [SUBDIVISIONS, ABBREVIATIONS, KINDS, ADDRESS_WORDS];

test.each(TABLES)('the build has the table $name as it is folded now', table => {
  const notFolded = (): never => {
    throw new Error('The build lacks it: npm run prepare');
  };
  expect(folded({ ...table, fold: notFolded })).toEqual(table.fold());
});

test('a table that has changed since the build, or is not in it, is folded where it is used', () => {
  const fold = () => 'folded now';
  expect(folded({ ...KINDS, sources: ['kinds.csv'], fold })).toBe('folded now');
  expect(folded({ ...KINDS, name: 'none', fold })).toBe('folded now');
});
