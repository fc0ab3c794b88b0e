// Explains the place of a point, as an object and as text, for people who support others.

import type { Answerer } from '../../answer/answerer.ts';
import type { ExplainedPoint, LayerName } from '../../geocoding/explained_point.ts';
import { readReverse } from '../../protocol/requests/place_question.ts';
import type { Explained } from './with_answerer.ts';

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

/** The lines of an explanation. */
export function describePoint({
  latitude,
  longitude,
  zoom,
  countryCode,
  answer,
  notes,
  levels,
  stages,
}: ExplainedPoint): string {
  const lines = [
    `Point: ${latitude}, ${longitude}, zoom ${zoom}, ` +
      `${countryCode === undefined ? 'in no country' : `country ${countryCode}`}`,
    answer === undefined
      ? 'Answer: none'
      : `Answer: ${answer.displayName} (${LAYERS[answer.layer]}), ${farOf(answer.distanceMetres)} away: ` +
        `${RULES[answer.rule]}`,
    ...notes.map(note => NOTES[note]),
    ...levels.flatMap(describeLevel),
    `Time: ${stages.map(({ stage, microseconds }) => `${STAGES[stage]} ${microseconds} µs`).join(', ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

function describeLevel({ level, layer, candidates }: Level): string[] {
  return [`Around, ${level} (${LAYERS[layer]})`, ...candidates.map(each => `  ${describeCandidate(each)}`)];
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

const PATH = '/reverse?';

/**
 * @param asked latitude and longitude, or the path of a request with its parameters @throws ApiError when one cannot be
 * used
 */
export async function explainReverse({ geocoder }: Answerer, asked: string): Promise<Explained> {
  const [latitude, longitude = ''] = asked.split(',', 2);
  const path = asked.startsWith(PATH)
    ? asked
    : `${PATH}${new URLSearchParams({ lat: latitude.trim(), lon: longitude.trim() })}`;
  const { explained } = geocoder.explainReverse(readReverse(path, undefined).question);
  return { object: explained, text: describePoint(explained) };
}
