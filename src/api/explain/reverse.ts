// Explains the place of a point, as an object and in words, for people who support others.

import type { Answerer } from '../../answer/answerer.ts';
import type { ExplainedPoint, LayerName } from '../../geocoding/explained_point.ts';
import { reverseText } from '../../protocol/answers/place_forms.ts';
import { readReverse } from '../../protocol/requests/place_question.ts';
import { type Explained, line, type Section } from './explained.ts';

type Answer = NonNullable<ExplainedPoint['answer']>;
type Level = ExplainedPoint['levels'][number];

const RULES: Readonly<Record<Answer['rule'], string>> = {
  contains: 'it is the smallest house, shop or square with the point in it',
  nearest: 'it is the nearest house, shop or road',
  houseOfRoad: 'its road is the nearest, and it is the house of that road nearest to where the road is nearest',
  nodeInside: 'it is the nearest house or shop inside the house with the point in it',
  houseNumber: 'a line of house numbers is nearer than all else',
  region: 'no house or road is near, and it is the smallest area with the point in it',
  placeInRegion: 'no house or road is near, and it is a nearby place in the smallest area with the point in it',
  placeInCountry: 'no house, road or area is near, and it is a nearby place in the country',
  country: 'nothing smaller is known here',
  town: 'it has the least distance of all towns, where larger towns reach farther',
  partOfTown: 'it is the nearest part of the town with the least distance',
  state: 'it is the state of the nearest town',
};
const NOTES: Readonly<Record<ExplainedPoint['notes'][number], string>> = {
  abroad: 'The nearest place is in another country, so an area answers.',
  extractHasNone: 'The extract has nothing here, so the gazetteer is asked.',
  extractIsCoarse: 'The extract has only the country here, so the gazetteer is asked.',
  atSea: 'The point is beyond the territorial sea, where nothing answers.',
  townOfWorld: 'The extract has no town around the place; the gazetteer names it.',
};
const STAGES: Readonly<Record<ExplainedPoint['stages'][number]['stage'], string>> = {
  country: 'country',
  extract: 'extract',
  world: 'gazetteer',
  describe: 'description',
};
const DEGREE_DECIMALS = 7;
const KILOMETRE = 1_000;

/** An explanation in words. */
export function describePoint({
  latitude,
  longitude,
  zoom,
  countryCode,
  answer,
  notes,
  levels,
  stages,
}: ExplainedPoint): Section[] {
  const found = answer && `${answer.displayName} (${LAYERS[answer.layer]}), ${farOf(answer.distanceMetres)} away`;
  return [
    line(
      `Point: ${latitude}, ${longitude}, zoom ${zoom}, ` +
        `${countryCode === undefined ? 'in no country' : `country ${countryCode}`}`,
    ),
    answer === undefined
      ? line('Answer: none')
      : { title: `Answer: ${found}: ${RULES[answer.rule]}`, about: 'answer', items: [] },
    ...notes.map(note => line(NOTES[note])),
    ...levels.map(describeLevel),
    line(`Time: ${stages.map(({ stage, microseconds }) => `${STAGES[stage]} ${microseconds} µs`).join(', ')}`),
  ];
}

function describeLevel({ level, layer, candidates }: Level): Section {
  return {
    title: `Around, ${level} (${LAYERS[layer]})`,
    items: candidates.map(each => ({ ...(each.isAnswer && { about: 'answer' }), lines: [describeCandidate(each)] })),
  };
}

function describeCandidate(candidate: Level['candidates'][number]): string {
  const { displayName, distanceMetres, distanceDegrees, weightedMetres, contains, isAnswer } = candidate;
  const compared = [
    ...(weightedMetres === undefined ? [] : [`counts as ${farOf(weightedMetres)}`]),
    ...(distanceDegrees === undefined || contains ? [] : [`${distanceDegrees.toFixed(DEGREE_DECIMALS)}°`]),
  ];
  const far = contains ? 'the point is in it' : farOf(distanceMetres);
  return `${displayName}: ${[far, ...compared].join(', ')}${isAnswer ? ' (the answer)' : ''}`;
}

function farOf(metres: number): string {
  return metres < KILOMETRE ? `${metres} m` : `${(metres / KILOMETRE).toFixed(1)} km`;
}

/** A layer by its name in sentences. */
export const LAYERS: Readonly<Record<LayerName, string>> = { extract: 'extract', world: 'gazetteer' };

/**
 * @param query parameters of a request, as `lat=47.1&lon=9.5` @throws ApiError when one cannot be used
 */
export async function explainReverse({ geocoder }: Answerer, query: string): Promise<Explained> {
  const { question, form } = readReverse(`/reverse?${query}`, undefined);
  const { place, explained } = geocoder.explainReverse(question);
  const response = place && JSON.parse(reverseText(place, { ...form, ...PUBLIC_FORM }, undefined));
  return { object: explained, sections: describePoint(explained), ...(response && { response }) };
}

/** The form of an answer that says most of a place. */
export const PUBLIC_FORM = { format: 'jsonv2', hasAddress: true } as const;
