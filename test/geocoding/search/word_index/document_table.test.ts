import { expect, test } from 'vitest';
import { DocumentTable } from '../../../../src/geocoding/search/word_index/document_table.ts';
import {
  DOCUMENT_COUNTRY,
  DOCUMENT_LATITUDE,
  DOCUMENT_PLACE,
  DOCUMENT_RANKS,
  DOCUMENT_WORDS,
} from '../../../../src/geocoding/search/word_index/layout.ts';

const ROAD = { latitude: -47.1, longitude: 9.5, searchRank: 26, addressRank: 20, importance: 2 };

test('a document is its record, ranks and importance in one word', () => {
  const documents = new DocumentTable();
  const document = documents.add({ id: 9, place: ROAD, set: 4, country: 3, parent: 2 });
  expect(document).toBe(1);
  expect(documents.count).toBe(2);
  expect(documents.searchRank(document)).toBe(26);
  expect(documents.addressRank(document)).toBe(20);
  // Importance goes up to 1.
  expect(documents.get(document, DOCUMENT_RANKS) >>> 16).toBe(65_535);
  expect(documents.get(document, DOCUMENT_LATITUDE) | 0).toBe(-471_000_000);
  expect([...documents.toArray().subarray(DOCUMENT_WORDS)]).toEqual([
    9,
    -471_000_000 >>> 0,
    95_000_000,
    2,
    4,
    0,
    documents.get(document, DOCUMENT_RANKS),
    3,
  ]);
});

test('a copy is changed by itself', () => {
  const documents = new DocumentTable();
  const road = documents.add({ id: 9, place: ROAD, set: 4, country: 3, parent: 2 });
  const copy = documents.copy(road);
  documents.set(copy, DOCUMENT_PLACE, 10);
  expect(copy).toBe(road + 1);
  expect(documents.get(copy, DOCUMENT_COUNTRY)).toBe(3);
  expect([documents.get(road, DOCUMENT_PLACE), documents.get(copy, DOCUMENT_PLACE)]).toEqual([9, 10]);
});
