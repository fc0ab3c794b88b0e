// Explanations of the corpus: every search and every point is answered as without an explanation, and the answer can be
// computed again from what is explained.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExplainedPoint } from '../../src/geocoding/explained_point.ts';
import type { FoundPlace } from '../../src/geocoding/found_place.ts';
import type { Geocoder } from '../../src/geocoding/geocoder.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import type { ReverseQuestion } from '../../src/geocoding/reverse/hit.ts';
import { freeTextQuestion, type SearchQuestion } from '../../src/geocoding/search/question.ts';
import { SEARCH_STAGES } from '../../src/geocoding/search/search_record.ts';
import { readReverse, readSearch } from '../../src/protocol/requests/place_question.ts';
import { currentLayer, placesFolder, WORLD_FOLDER } from '../../src/tables/places/generations.ts';
import { placeRequests } from '../corpus/requests/places.ts';
import { writeExtract } from '../corpus/world/places.ts';
import { openGeocoder } from '../kits/places/layers.ts';

/** Terms are rounded to six decimals. */
const ROUNDING = 1e-5;

/** Searches of kinds that the corpus has not. */
const MORE_SEARCHES = ['restaurant 47.14, 9.53', 'Adler, Äulestrasse, Vaduz', 'Äulestrasse and Städtle'];

let folder: string;
let geocoder: Geocoder;
let close: () => Promise<void>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'explained-'));
  const extract = join(folder, 'drawn.osm.pbf');
  writeExtract(extract);
  await importExtracts({ folder, files: [extract], onProgress: () => {} });
  ({ geocoder, close } = await openGeocoder({
    world: currentLayer(WORLD_FOLDER)!,
    extract: currentLayer(placesFolder(folder))!,
  }));
});

afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

/** The questions of the corpus that can be read. */
function questionsOf<Q>(path: string, read: (url: string, languages: string | undefined) => { question: Q }): Q[] {
  const questions: Q[] = [];
  for (const { method, path: url, headers } of placeRequests()) {
    if (method !== 'GET' || !url.replace(/^\/k\/[^/]+/, '').startsWith(path)) continue;
    try {
      questions.push(read(url, headers?.['accept-language']).question);
    } catch {
      // It is refused, so there is nothing to explain.
    }
  }
  return questions;
}

/** The place that the rule of an explanation finds among its candidates. */
function answerBy({ answer, levels }: ExplainedPoint): number | undefined {
  const at = (...names: string[]) =>
    levels.filter(({ level }) => names.includes(level)).flatMap(({ candidates }) => candidates);
  const least = (candidates: ReturnType<typeof at>, of: 'distanceDegrees' | 'weightedMetres') =>
    candidates.reduce((best, each) => (each[of]! < best[of]! ? each : best));
  switch (answer?.rule) {
    case 'nearest':
      return least(at('house', 'street'), 'distanceDegrees').placeId;
    case 'houseOfRoad':
      // A road is nearer than any house, and one of the houses answers.
      expect(least(at('house', 'street'), 'distanceDegrees')).toEqual(least(at('street'), 'distanceDegrees'));
      return at('house').find(({ isAnswer }) => isAnswer)?.placeId;
    case 'region':
      return at('area')[0].placeId;
    case 'town':
      return least(at('town'), 'weightedMetres').placeId;
    default:
      // Nothing is compared.
      return answer?.placeId;
  }
}

function plain(places: readonly FoundPlace[]): unknown {
  return places.map(({ geometry: _, ...place }) => place);
}

describe('searches', () => {
  let questions: SearchQuestion[];
  beforeAll(() => {
    questions = [...questionsOf('/search', readSearch), ...MORE_SEARCHES.map(text => freeTextQuestion(text))];
  });

  test('there are some of every kind', () => {
    const explained = questions.map(question => geocoder.explainSearch(question).explained);
    const outcomes = new Set(explained.flatMap(({ candidates }) => candidates.map(({ outcome }) => outcome)));
    const terms = new Set(
      explained.flatMap(({ candidates }) => candidates.flatMap(candidate => Object.keys(candidate.terms))),
    );
    const stages = new Set(explained.flatMap(each => each.stages.map(({ stage }) => stage)));
    expect(questions.length).toBeGreaterThan(500);
    expect([...outcomes].sort()).toEqual([
      'answered',
      'behind',
      'inExtract',
      'limit',
      'nameUnsaid',
      'noHouse',
      'otherLetters',
      'outsideView',
      'samePlaceInExtract',
      'wordsLeft',
    ]);
    expect([...terms].sort()).toEqual([
      'away',
      'extract',
      'importance',
      'kind',
      'otherName',
      'outside',
      'readings',
      'unexplained',
      'unsaid',
      'wholeName',
    ]);
    expect([...stages].sort()).toEqual([...SEARCH_STAGES].sort());
  });

  test('they are answered as without an explanation', () => {
    for (const question of questions)
      expect([question, plain(geocoder.explainSearch(question).places)]).toEqual([
        question,
        plain(geocoder.search(question)),
      ]);
  });

  test('the terms of each candidate add up to its penalty, and the penalties are the order of the answer', () => {
    for (const question of questions) {
      const { places, explained } = geocoder.explainSearch(question);
      for (const { terms, penalty } of explained.candidates) {
        const sum = Object.values(terms).reduce((all, term) => all + term, 0);
        expect([question, Math.abs(sum - penalty) < ROUNDING, sum, penalty]).toEqual([question, true, sum, penalty]);
      }
      if (explained.point !== undefined) continue;
      const answered = explained.candidates.filter(({ outcome }) => outcome === 'answered');
      expect([question, answered.map(({ placeId }) => placeId)]).toEqual([
        question,
        places.map(({ placeId }) => placeId).slice(0, 10),
      ]);
      expect(answered.map(({ penalty }) => penalty)).toEqual(
        answered.map(({ penalty }) => penalty).sort((a, b) => a - b),
      );
    }
  });

  test('a candidate explains its words, and leaves the others', () => {
    for (const question of questions) {
      const { words, candidates } = geocoder.explainSearch(question).explained;
      for (const candidate of candidates) {
        const explained = candidate.words.flatMap(each => each.words.split(' '));
        expect([question, new Set([...explained, ...candidate.left])]).toEqual([
          question,
          new Set(words.map(({ word }) => word)),
        ]);
      }
    }
  });

  test('the second lacks what its terms lack', () => {
    for (const question of questions) {
      const { candidates, second } = geocoder.explainSearch(question).explained;
      if (second === undefined) continue;
      expect(second.penalty).toBeCloseTo(candidates[1].penalty - candidates[0].penalty, 5);
      expect(Object.values(second.terms).reduce((all, term) => all + term, 0)).toBeCloseTo(second.penalty, 5);
    }
  });
});

describe('points', () => {
  let questions: ReverseQuestion[];
  beforeAll(() => {
    questions = questionsOf('/reverse', readReverse);
  });

  test('there are some of every kind', () => {
    const explained = questions.map(question => geocoder.explainReverse(question).explained);
    const rules = new Set(explained.map(({ answer }) => answer?.rule));
    const notes = new Set(explained.flatMap(each => each.notes));
    const levels = new Set(explained.flatMap(each => each.levels.map(({ level }) => level)));
    expect(questions.length).toBeGreaterThan(500);
    expect([...rules].sort()).toEqual(['country', 'houseOfRoad', 'nearest', 'region', 'state', 'town', undefined]);
    expect([...notes].sort()).toEqual(['atSea', 'extractHasNone', 'extractIsCoarse']);
    expect([...levels].sort()).toEqual(['area', 'house', 'street', 'town']);
  });

  test('they are answered as without an explanation', () => {
    for (const question of questions) {
      const { place, explained } = geocoder.explainReverse(question);
      expect([question, plain(place === undefined ? [] : [place])]).toEqual([
        question,
        plain([geocoder.reverse(question)].filter(each => each !== undefined)),
      ]);
      expect(explained.answer?.placeId).toBe(place?.placeId);
      expect(explained.answer?.displayName).toBe(place?.displayName);
    }
  });

  test('the answer follows from its rule and the distances', () => {
    for (const question of questions) {
      const { explained } = geocoder.explainReverse(question);
      expect([question, answerBy(explained)]).toEqual([question, explained.answer?.placeId]);
    }
  });
});
