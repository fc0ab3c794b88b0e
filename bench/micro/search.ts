// What does a search by words cost? The questions are addresses of a real country as written on letters, the same with
// a mistyped street, and other common questions.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../../lab/evaluation/quantile.ts';
import { freeTextQuestion, type SearchQuestion } from '../../src/geocoding/search/question.ts';
import { searchLayers } from '../../src/geocoding/search/search.ts';
import { SearchIndex } from '../../src/geocoding/search/word_index/search_index.ts';
import { LayerReader } from '../../src/tables/places/layer.ts';
import { RANK_CITY } from '../../src/tables/places/ranks.ts';
import { uniform } from '../../test/kits/random.ts';
import { importLand, LIECHTENSTEIN } from '../house_folder.ts';
import { probeStealTime } from '../machine.ts';
import type { Table } from '../result.ts';
import type { MicroCase, MicroGroup } from './harness.ts';

const SEARCHES_A_CALL = 10;
const EXACT_LIMIT_NANOSECONDS = 300_000;
const TYPO_LIMIT_NANOSECONDS = 3_000_000;
const QUESTIONS = 2_000;

/** A search group, the tails of its cases, and how to close it. */
export interface SearchBench {
  group: MicroGroup;
  tails: Table;
  close(): Promise<void>;
}

interface Asked {
  name: string;
  questions: SearchQuestion[];
  limitNanoseconds?: number;
}

/** Search in Liechtenstein; undefined, with a message, if its extract is missing. */
export async function searchGroup(seed: number): Promise<SearchBench | undefined> {
  if (!existsSync(LIECHTENSTEIN)) {
    console.log(`Search is left out: there is no ${LIECHTENSTEIN}.`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const reader = new LayerReader(await importLand(folder));
  const index = new SearchIndex(reader, reader.sections);
  const answer = (question: SearchQuestion) => {
    const [hits] = searchLayers([index], question).hits;
    reader.release();
    return hits.length;
  };
  const asked = questionsAbout(reader, uniform(seed));
  return {
    group: { title: 'Search in Liechtenstein', cases: asked.map(each => caseOf(each, answer)) },
    tails: {
      title: `Search in Liechtenstein, each of up to ${QUESTIONS} questions once`,
      columns: ['case', 'p50 us', 'p99 us', 'largest us'],
      rows: asked.map(({ name, questions }) => [name, ...tailOf(questions, answer)]),
      loss: await probeStealTime(),
    },
    close: async () => {
      await reader.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function questionsAbout(reader: LayerReader, random: () => number): Asked[] {
  const addresses = addressesOf(reader, random);
  const towns = [...new Set(addresses.map(({ town }) => town))];
  const written = (street: string, { number, postcode, town }: Address) =>
    freeTextQuestion(`${street} ${number}, ${postcode} ${town}`);
  return [
    {
      name: 'address',
      questions: addresses.map(address => written(address.street, address)),
      limitNanoseconds: EXACT_LIMIT_NANOSECONDS,
    },
    {
      name: 'address, mistyped',
      questions: addresses.map(address => written(mistyped(address.street, random), address)),
      limitNanoseconds: TYPO_LIMIT_NANOSECONDS,
    },
    {
      name: 'address without its number',
      questions: addresses.map(address => written(address.street, { ...address, number: '9999' })),
    },
    { name: 'kind in a town', questions: towns.map(town => freeTextQuestion(`restaurants in ${town}`)) },
    {
      name: 'unfinished word',
      questions: addresses.map(({ street }) => ({ ...freeTextQuestion(street.slice(0, 4)), isAutocomplete: true })),
    },
    {
      name: 'nothing',
      questions: addresses.map(() => freeTextQuestion(`${Math.floor(random() * 1e12).toString(36)} qqq`)),
    },
  ];
}

interface Address {
  street: string;
  number: string;
  postcode: string;
  town: string;
}

/** Addresses of houses from all over the country. */
function addressesOf(reader: LayerReader, random: () => number): Address[] {
  const addresses: Address[] = [];
  while (addresses.length < QUESTIONS) {
    const house = reader.place(1 + Math.floor(random() * reader.meta.count));
    if (house === undefined || house.houseNumber === '' || house.parent === 0 || house.postcode === '') continue;
    const road = reader.place(house.parent)!;
    const rows = house.rows.length === 0 ? road.rows : house.rows;
    const town = rows.map(row => reader.place(row)!).find(({ addressRank }) => addressRank <= RANK_CITY);
    if (road.names.name === undefined || town?.names.name === undefined) continue;
    addresses.push({
      street: road.names.name,
      number: house.houseNumber,
      postcode: house.postcode,
      town: town.names.name,
    });
  }
  return addresses;
}

/** Swaps two neighbouring letters. */
function mistyped(street: string, random: () => number): string {
  const at = Math.floor(random() * (street.length - 1));
  return street.slice(0, at) + street[at + 1] + street[at] + street.slice(at + 2);
}

function caseOf({ name, questions, limitNanoseconds }: Asked, answer: (question: SearchQuestion) => number): MicroCase {
  let next = 0;
  const run = () => {
    let found = 0;
    for (let i = 0; i < SEARCHES_A_CALL; i++) found += answer(questions[next++ % questions.length]);
    return found;
  };
  return { name, operations: SEARCHES_A_CALL, run, ...(limitNanoseconds === undefined ? {} : { limitNanoseconds }) };
}

function tailOf(questions: readonly SearchQuestion[], answer: (question: SearchQuestion) => number): string[] {
  const microseconds = questions.map(question => {
    const start = performance.now();
    answer(question);
    return (performance.now() - start) * 1000;
  });
  return [0.5, 0.99, 1].map(share => quantile(microseconds, share).toFixed(1));
}
