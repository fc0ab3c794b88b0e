// Explains a search by words, as an object and as text, for people who support others. The names of the terms are those
// of the table in src/geocoding/search/rank.ts.

import type { Answerer } from '../../answer/answerer.ts';
import type { ExplainedSearch } from '../../geocoding/explained_search.ts';
import { readSearch } from '../../protocol/requests/place_question.ts';
import { describePoint, LAYERS } from './reverse.ts';
import type { Explained } from './with_answerer.ts';

type Candidate = ExplainedSearch['candidates'][number];
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
};
const NO_PLACES = {
  rated: 'No place explains a third of the query.',
  notRated: 'No place was rated: some word is in the name of none, however it is read.',
};
const DECIMALS = 3;

/** The lines of an explanation. */
export function describeSearch(search: ExplainedSearch): string {
  const { kind, near, words, readings, stages, candidates, second, point } = search;
  if (point !== undefined) return `The query is coordinates.\n${describePoint(point)}`;
  const lines = [
    ...(kind === undefined ? [] : [`Kind: ${kind}`]),
    ...(near === undefined ? [] : [`Near: ${near.latitude}, ${near.longitude}`]),
    'Words',
    ...words.map(describeWord),
    ...readings.map(describeReading),
    'Steps',
    ...stages.map(describeStage),
    candidates.length === 0 ? NO_PLACES[stages.some(({ rated = 0 }) => rated > 0) ? 'rated' : 'notRated'] : 'Places',
    ...candidates.flatMap(describeCandidate),
    ...(second === undefined ? [] : [describeSecond(second)]),
  ];
  return `${lines.join('\n')}\n`;
}

function describeWord({ word, role, layers }: ExplainedSearch['words'][number]): string {
  const known = layers.map(
    ({ layer, places, share }) => `${LAYERS[layer]}: ${placesOf(places)}, ${percent(share)} of the query`,
  );
  return `  ${word}${role === undefined ? '' : ` ${ROLES[role]}`} (${known.join('; ')})`;
}

function describeReading({ layer, words, reading, as, places, penalty }: Reading): string {
  const known = places === undefined ? LAYERS[layer] : `${LAYERS[layer]}: ${placesOf(places)}`;
  return `  ${words} ${READINGS[reading]} ${as} (${known}${penalty === 0 ? '' : `, penalty ${penalty} by share`})`;
}

function describeStage({ stage, layer, rated, answered, skipped, microseconds }: Stage): string {
  const found = skipped
    ? 'left out, as no place of it could be in the answer'
    : `${placesOf(rated ?? 0)} rated, ${answered ? 'there are answers' : 'no answer yet'}`;
  const said = layer === undefined ? STAGES[stage] : `${STAGES[stage]}, ${LAYERS[layer]}: ${found}`;
  return `  ${said}; ${microseconds} µs`;
}

function describeCandidate(candidate: Candidate, at: number): string[] {
  const { displayName, layer, outcome, penalty, terms, termsOfWorld, words, left } = candidate;
  const reads = words.map(
    ({ words: said, as, in: readIn }) =>
      `${said}${as === undefined || as === said ? '' : ` as ${as}`} in ${READ_IN[readIn]}`,
  );
  return [
    `  ${at + 1}. ${displayName} (${LAYERS[layer]}), ${OUTCOMES[outcome]}`,
    `     penalty ${fixed(penalty)} = ${describeTerms(terms)}${termsOfWorld ? ', as the gazetteer rates it' : ''}`,
    `     ${[reads.join(', '), ...(left.length === 0 ? [] : [`left: ${left.join(' ')}`])].join('; ')}`,
  ];
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

const PATH = '/search?';

/** @param asked words, or the path of a request with its parameters @throws ApiError when a parameter cannot be used */
export async function explainSearch({ geocoder }: Answerer, asked: string): Promise<Explained> {
  const path = asked.startsWith(PATH) ? asked : `${PATH}q=${encodeURIComponent(asked)}`;
  const { explained } = geocoder.explainSearch(readSearch(path, undefined).question);
  return { object: explained, text: describeSearch(explained) };
}
