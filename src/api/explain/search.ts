// Explains a search by words, as an object and in words, for people who support others. The names of the terms are
// those of the table in src/geocoding/search/rank.ts.

import type { Answerer } from '../../answer/answerer.ts';
import type { ExplainedSearch } from '../../geocoding/explained_search.ts';
import { searchText } from '../../protocol/answers/place_forms.ts';
import { readSearch } from '../../protocol/requests/place_question.ts';
import { type Explained, line, type Section, section } from './explained.ts';
import { describePoint, LAYERS, PUBLIC_FORM } from './reverse.ts';

type Candidate = ExplainedSearch['candidates'][number];
type Crossing = NonNullable<ExplainedSearch['crossings']>[number];
type Reading = ExplainedSearch['readings'][number];
type Stage = ExplainedSearch['stages'][number];

const READINGS: Readonly<Record<Reading['reading'], string>> = {
  spelling: 'is also written',
  number: 'is the same number as',
  joined: 'may be one word',
  cut: 'may be the beginning of',
  unfinished: 'may be the beginning of',
  edited: 'may be a typing error for',
  split: 'may be two words, the first being',
  shifted: 'may have its space in the wrong place, for',
  countryName: 'is what people call the country',
  subdivision: 'names a state of the country',
  kind: 'names the kind',
  houseNumber: 'may be the house number',
};
const ROLES: Readonly<Record<NonNullable<ExplainedSearch['words'][number]['role']>, string>> = {
  number: 'says that a number is one',
  corpus: 'is a part of an estate',
  between: 'joins two numbers',
  unit: 'is a part of a house',
  floor: 'is a floor',
  alone: 'is a place in a house',
  postal: 'is a mark of the post',
  car: 'is the country of a postcode',
  suffix: 'belongs to the number before it',
  recipient: 'names who lives there',
  street: 'says that something is a street',
  direction: 'is a direction',
  title: 'is a title',
  initial: 'is an initial',
};
const LEAVERS: Readonly<Record<NonNullable<ExplainedSearch['words'][number]['leftBy']>, string>> = {
  any: 'a result need not explain it',
  street: 'a street, or what is on one, need not explain it',
  house: 'a house need not explain it',
  named: 'a street or town need not explain it',
};
const READ_IN: Readonly<Record<Candidate['words'][number]['in'], string>> = {
  name: 'its name',
  otherName: 'another of its names',
  kind: 'its kind',
  postcode: 'its postcode',
  street: 'its street',
  area: 'an area around it',
  country: 'its country',
  houseNumber: 'its house number',
};
const OUTCOMES: Readonly<Record<Candidate['outcome'], string>> = {
  answered: 'in the answer',
  wordsLeft: 'dropped: it leaves words that a result must explain',
  nameUnsaid: 'dropped: too little of its name was said for words that are mistyped',
  otherLetters: 'dropped: it has no name in the letters of the query',
  noHouse: 'dropped: words this short may be mistyped only beside a house number that exists',
  behind: 'dropped: it is far behind the best',
  outsideView: 'dropped: it is outside of the view',
  samePlace: 'dropped: a better part of the same thing is close by',
  inExtract: 'dropped: the extract has this country',
  samePlaceInExtract: 'dropped: the extract has the same place',
  limit: 'dropped: more places were found than wanted',
};
const STAGES: Readonly<Record<Stage['stage'], string>> = {
  read: 'reading',
  asWritten: 'words as they are written',
  oneEdit: 'words with one letter mistyped',
  twoEdits: 'words with two letters mistyped',
  shortWords: 'short words with one letter mistyped',
  unknownArea: 'houses in an area that nothing knows',
  merge: 'joining the layers',
  describe: 'description',
  crossing: 'streets that cross',
};
const NO_PLACES = {
  rated: 'No place explains a third of the query.',
  notRated: 'No place was rated: some word is in the name of none, however it is read.',
};
const DECIMALS = 3;

/** An explanation in words. */
export function describeSearch(search: ExplainedSearch): Section[] {
  const { kind, near, words, readings, crossings = [], stages, candidates, second, point } = search;
  if (point !== undefined) return [line('The query is coordinates.'), ...describePoint(point)];
  const noPlaces = NO_PLACES[stages.some(({ rated = 0 }) => rated > 0) ? 'rated' : 'notRated'];
  return [
    ...(kind === undefined ? [] : [line(`Kind: ${kind}`)]),
    ...(near === undefined ? [] : [line(`Near: ${near.latitude}, ${near.longitude}`)]),
    { title: 'Words', items: [...words.map(describeWord), ...readings.map(describeReading)].map(itemOf) },
    ...(crossings.length === 0 ? [] : [{ title: 'Crossings', items: crossings.map(describeCrossing).map(itemOf) }]),
    { title: 'Steps', items: stages.map(describeStage).map(itemOf) },
    ...(candidates.length === 0 ? [line(noPlaces)] : section('Places', candidates.map(describeCandidate))),
    ...(second === undefined ? [] : [line(describeSecond(second))]),
  ];
}

function itemOf(text: string): Section['items'][number] {
  return { lines: [text] };
}

function describeWord({ word, role, leftBy, layers }: ExplainedSearch['words'][number]): string {
  const known = layers.map(
    ({ layer, places, share }) => `${LAYERS[layer]}: ${placesOf(places)}, ${percent(share)} of the query`,
  );
  const says = role === undefined ? '' : ` ${ROLES[role]}`;
  const leaver = leftBy === undefined ? '' : `; ${LEAVERS[leftBy]}`;
  return `${word}${says}${leaver} (${known.join('; ')})`;
}

function describeCrossing({ first, second, streets, isAnswer }: Crossing): string {
  const both = `${first} and ${second}`;
  if (streets === undefined) return `${both}: not looked for, as the best place, or an area around it, has both names`;
  const found = isAnswer ? 'they cross, which is the first answer' : 'none of them cross';
  return `${both}: ${streets.map(count => `${count} street${count === 1 ? '' : 's'}`).join(' and ')}; ${found}`;
}

function describeReading({ layer, words, reading, as, places, penalty }: Reading): string {
  const known = places === undefined ? LAYERS[layer] : `${LAYERS[layer]}: ${placesOf(places)}`;
  return `${words} ${READINGS[reading]} ${as} (${known}${penalty === 0 ? '' : `, penalty ${penalty} by share`})`;
}

function describeStage({ stage, layer, rated, answered, skipped, microseconds }: Stage): string {
  const found = skipped
    ? 'left out, as no place of it could be in the answer'
    : `${placesOf(rated ?? 0)} rated, ${answered ? 'there are answers' : 'no answer yet'}`;
  const said = layer === undefined ? STAGES[stage] : `${STAGES[stage]}, ${LAYERS[layer]}: ${found}`;
  return `${said}; ${microseconds} µs`;
}

function describeCandidate(candidate: Candidate, at: number): Section['items'][number] {
  const { placeId, displayName, layer, outcome, penalty, terms, termsOfWorld, words, left } = candidate;
  const reads = words.map(
    ({ words: said, as, in: readIn }) =>
      `${said}${as === undefined || as === said ? '' : ` as ${as}`} in ${READ_IN[readIn]}`,
  );
  return {
    ...(outcome === 'answered' && placeId !== undefined && { about: `place:${placeId}` }),
    lines: [
      `${at + 1}. ${displayName} (${LAYERS[layer]}), ${OUTCOMES[outcome]}`,
      `   penalty ${fixed(penalty)} = ${describeTerms(terms)}${termsOfWorld ? ', as the gazetteer rates it' : ''}`,
      `   ${[reads.join(', '), ...(left.length === 0 ? [] : [`left: ${left.join(' ')}`])].join('; ')}`,
    ],
  };
}

function describeSecond({ penalty, terms }: NonNullable<ExplainedSearch['second']>): string {
  if (penalty === 0) return 'The second is as good as the first.';
  return (
    `The second would be the first with a penalty smaller by ${fixed(penalty)}. It differs by ` +
    `${describeTerms(terms)}.`
  );
}

function describeTerms(terms: Candidate['terms']): string {
  const counting = Object.entries(terms).filter(([, value]) => Number(fixed(value)) !== 0);
  return counting.map(([name, value]) => `${name} ${value < 0 ? '' : '+'}${fixed(value)}`).join(', ') || '0';
}

/** Without a sign if it is rounded to 0. */
function fixed(value: number): string {
  const text = value.toFixed(DECIMALS);
  return Number(text) === 0 ? Math.abs(value).toFixed(DECIMALS) : text;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function placesOf(count: number): string {
  return `${count.toLocaleString('en')} place${count === 1 ? '' : 's'}`;
}

/**
 * @param query parameters of a request, as `q=vaduz&limit=5` @throws ApiError when one cannot be used
 */
export async function explainSearch({ geocoder }: Answerer, query: string): Promise<Explained> {
  const { question, form } = readSearch(`/search?${query}`, undefined);
  const { places, explained } = geocoder.explainSearch(question);
  const response = JSON.parse(searchText(places, { ...form, ...PUBLIC_FORM }, question.text));
  return { object: explained, sections: describeSearch(explained), response };
}
