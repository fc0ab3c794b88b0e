import { expect, test } from 'vitest';
import { ByteWriter } from '../../../../src/geocoding/index/varint.ts';
import {
  DOCUMENT_PARENT,
  DOCUMENT_RANKS,
  DOCUMENT_SET,
  DOCUMENT_WORDS,
  LISTED_MAX,
  NO_AREA,
} from '../../../../src/geocoding/search/word_index/layout.ts';
import { DocumentLists, encodeAscending, forEachAscending } from '../../../../src/geocoding/search/word_index/lists.ts';
import type { LayerWriter } from '../../../../src/tables/places/layer.ts';

const COUNTRY = 1;
const TOWN = 2;
const ROAD = 3;
const FIRST = 10;
const COUNT = LISTED_MAX + 1;

/**
 * Documents FIRST and up lie in the town and the country, every other one at the road. The last ones are the most
 * important.
 */
function drawnLists(): DocumentLists {
  const documents = new Uint32Array((FIRST + COUNT) * DOCUMENT_WORDS);
  const set = (document: number, word: number, value: number) => {
    documents[document * DOCUMENT_WORDS + word] = value;
  };
  set(COUNTRY, DOCUMENT_RANKS, 4);
  set(TOWN, DOCUMENT_RANKS, 16);
  for (let i = 0; i < COUNT; i++) {
    set(FIRST + i, DOCUMENT_SET, 1);
    set(FIRST + i, DOCUMENT_RANKS, i << 16);
    if (i % 2 === 0) set(FIRST + i, DOCUMENT_PARENT, ROAD);
  }
  return new DocumentLists(documents, Uint32Array.of(0, 2, TOWN, COUNTRY));
}

const ALL = Uint32Array.from({ length: COUNT }, (_, i) => FIRST + i);

function decoded(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  forEachAscending(Buffer.from(bytes), number => numbers.push(number));
  return numbers;
}

function around(some: Uint32Array): Map<string, number[]> {
  const written = new Map<string, number[]>();
  const writer = {
    append: (_: string, key: Uint8Array, value: Uint8Array) => written.set(String(key), decoded(value)),
  };
  drawnLists().writeAround(writer as unknown as LayerWriter, some, document => Buffer.from(`around ${document}`));
  return written;
}

test('a list of many documents has the most important ones', () => {
  const lists = drawnLists();
  expect(decoded(lists.encode(ALL))).toEqual([...ALL].slice(1));
  expect(decoded(lists.encode(ALL, 2))).toEqual([...ALL].slice(-2));
  expect(decoded(lists.encode(Uint32Array.of(11, 12)))).toEqual([11, 12]);
});

test('areas, and what is in an area or at a road, have lists of their own, if one list does not hold all', () => {
  expect([...around(ALL.subarray(1))]).toEqual([]);
  const written = around(Uint32Array.of(COUNTRY, TOWN, ...ALL));
  expect([...written.keys()]).toEqual([`around ${NO_AREA}`, `around ${TOWN}`, `around ${ROAD}`]);
  expect(written.get(`around ${NO_AREA}`)).toEqual([TOWN]);
  expect(written.get(`around ${TOWN}`)).toHaveLength(LISTED_MAX);
  expect(written.get(`around ${ROAD}`)).toEqual([...ALL].filter((_, i) => i % 2 === 0));
});

test('ascending numbers come back, and their count', () => {
  const numbers = Uint32Array.of(0, 1, 200, 70_000, 4_000_000_000);
  const bytes = encodeAscending(new ByteWriter(), numbers);
  const found: number[] = [];
  expect(forEachAscending(bytes, number => found.push(number))).toBe(5);
  expect(found).toEqual([...numbers]);
});
