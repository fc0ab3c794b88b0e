// What counts as a right answer of a program. `npm run clients` asks the programs themselves.

import { expect, test } from 'vitest';
import { BETWEEN } from '../api/dialects/stations.ts';
import { HOUSE } from '../kits/places/extracts.ts';
import { askPlaces, type Finding, type Findings, judge } from './questions.ts';

const house = { text: '3, Äulestrasse, Vaduz', ...HOUSE };
const right: Findings = {
  search: house,
  reverse: { text: house.text },
  nothing: null,
  sea: { error: 'Unable to geocode' },
  locate: { lat: BETWEEN.latitude, lon: BETWEEN.longitude },
  nowhere: null,
  wrongKey: { error: 'Unauthorized' },
};

test('places where they are, nothing where there is none, and an error for the key are right', () => {
  expect(judge(right)).toEqual([]);
});

test.each<[sentence: RegExp, Findings]>([
  [/^It found nothing at all/, {}],
  [/^search has no place: null/, { search: null }],
  [/^reverse has no place/, { reverse: { error: 'Timed out' } }],
  [/^search has other words/, { search: { ...house, text: 'Vaduz' } }],
  [/^search is elsewhere/, { search: { ...house, lat: HOUSE.lat + 0.01 } }],
  [/^locate is elsewhere/, { locate: { lat: BETWEEN.latitude, lon: 0 } }],
  [/^nothing has a place/, { nothing: house }],
  [/^sea has the error of a wrong key/, { sea: { error: 'Unauthorized' }, wrongKey: { error: 'Unauthorized' } }],
  [/^wrongKey is no error: null/, { wrongKey: null }],
])('%s', (sentence, findings) => {
  expect(judge(findings)).toEqual([expect.stringMatching(sentence)]);
});

test('all is asked with the own key but one question', async () => {
  const asked: string[] = [];
  const client = (key: string) => {
    const ask = async (...words: unknown[]): Promise<Finding> => {
      asked.push([key, ...words].join(' '));
      if (key !== 'own') throw new Error('refused');
      return null;
    };
    return { search: ask, reverse: ask };
  };
  const findings = await askPlaces(client, 'own');
  expect(findings.wrongKey).toEqual({ error: 'Error: refused' });
  expect(asked.map(line => line.split(' ')[0])).toEqual(['own', 'own', 'own', 'own', 'wrong']);
});
