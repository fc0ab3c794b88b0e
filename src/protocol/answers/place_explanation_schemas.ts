// Schemas of the explanations of searches and points. Their members are described where they are made:
// geocoding/explained_search.ts and geocoding/explained_point.ts.

import { LAYER_NAMES } from '../../geocoding/explained_point.ts';
import { LEAVERS, MEANINGS } from '../../geocoding/explained_search.ts';
import { POINT_RULES } from '../../geocoding/reverse/hit.ts';
import { POINT_LEVELS } from '../../geocoding/reverse/places_around.ts';
import { POINT_NOTES, POINT_STAGES } from '../../geocoding/reverse/point_record.ts';
import { OUTCOMES, READ_IN, TERMS } from '../../geocoding/search/match_record.ts';
import { SEARCH_STAGES } from '../../geocoding/search/search_record.ts';
import { READINGS } from '../../geocoding/search/terms.ts';
import { ADDRESS_ROLES } from '../../geocoding/search/words/address_table.ts';
import { LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { closedObject, numberIn, ref, type Schema } from '../json_schema.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const PENALTY = { type: 'number' };
const METRES = { type: 'number', minimum: 0 };
const MICROSECONDS = { type: 'integer', minimum: 0 };
const YES = { const: true };
const LAYER = { enum: LAYER_NAMES, description: 'The imported extract, or the gazetteer of the world.' };
const PLACE_ID = { type: 'integer', minimum: 1, description: 'As in the answer.' };
const LATITUDE_DEGREES = numberIn(LATITUDE);
const LONGITUDE_DEGREES = numberIn(LONGITUDE);

function listOf(items: Schema, description?: string): Schema {
  return { type: 'array', items, ...(description !== undefined && { description }) };
}

const TERMS_SCHEMA = closedObject(
  Object.fromEntries(TERMS.map(name => [`${name}?`, PENALTY])),
  'Those that are not 0. What a place is worth is negative.',
);

const WORD = closedObject({
  word: TEXT,
  'role?': { enum: [...ADDRESS_ROLES], description: 'What it says besides names, itself or as the value of a word.' },
  'leftBy?': { enum: LEAVERS, description: 'Results that may leave it; absent if they must explain it.' },
  layers: listOf(
    closedObject({
      layer: LAYER,
      places: COUNT,
      share: { type: 'number', minimum: 0, maximum: 1, description: 'Share of the query.' },
    }),
  ),
});

const READING = closedObject({
  layer: LAYER,
  words: TEXT,
  reading: { enum: [...READINGS.filter(reading => reading !== 'written'), ...MEANINGS] },
  as: TEXT,
  penalty: { ...PENALTY, description: 'What it would cost if it were the whole query.' },
  'places?': COUNT,
});

const CROSSING = closedObject({
  first: TEXT,
  second: TEXT,
  'streets?': {
    ...listOf(COUNT, 'How many streets each may be; absent if they were not looked for.'),
    minItems: 2,
    maxItems: 2,
  },
  'isAnswer?': { ...YES, description: 'They cross, and that is the first answer.' },
});

const CANDIDATE = closedObject({
  'placeId?': PLACE_ID,
  displayName: TEXT,
  layer: LAYER,
  outcome: { enum: OUTCOMES, description: 'What became of it.' },
  penalty: { ...PENALTY, description: 'The sum of the terms; the smallest is the first.' },
  terms: TERMS_SCHEMA,
  'termsOfWorld?': {
    ...YES,
    description: 'The terms are those of the same place in the gazetteer, which were better.',
  },
  words: listOf(
    closedObject({ words: TEXT, 'as?': TEXT, reading: { enum: READINGS }, in: { enum: READ_IN } }),
    'The words that it explains, and in what of it they stand.',
  ),
  left: listOf(TEXT, 'The words that it leaves.'),
});

/** Members that a candidate and an answer have in common. */
const SHOWN = {
  'placeId?': PLACE_ID,
  displayName: TEXT,
  distanceMetres: { ...METRES, description: 'On the ground; 0 inside.' },
};

/** Schemas by name. */
export const PLACE_EXPLANATIONS: { readonly [name: string]: Schema } = {
  ExplainedSearch: closedObject(
    {
      'kind?': { ...TEXT, description: 'A kind in brackets.' },
      'near?': closedObject({ latitude: LATITUDE_DEGREES, longitude: LONGITUDE_DEGREES }, 'Coordinates beside words.'),
      'crossings?': listOf(CROSSING, 'Streets that the query may name together.'),
      words: listOf(WORD),
      readings: listOf(READING, 'What words may mean beside what is written.'),
      stages: listOf(
        closedObject({
          stage: { enum: SEARCH_STAGES },
          'layer?': LAYER,
          'rated?': COUNT,
          'answered?': { type: 'boolean' },
          'skipped?': YES,
          microseconds: MICROSECONDS,
        }),
      ),
      candidates: { ...listOf(CANDIDATE, 'The best ten, those of the answer first.'), maxItems: 10 },
      'point?': ref('ExplainedPoint'),
      'second?': closedObject(
        { penalty: PENALTY, terms: TERMS_SCHEMA },
        'What the second place of the answer lacks to be the first.',
      ),
    },
    'Why a search was answered so, for keys that the operator has made with `--explain`.',
  ),
  ExplainedPoint: closedObject(
    {
      latitude: LATITUDE_DEGREES,
      longitude: LONGITUDE_DEGREES,
      zoom: { type: 'integer', minimum: 0, maximum: 18 },
      'countryCode?': { type: 'string', pattern: '^[a-z]{2}$' },
      'answer?': closedObject({ rule: { enum: POINT_RULES }, layer: LAYER, ...SHOWN }),
      notes: listOf({ enum: POINT_NOTES }),
      levels: listOf(
        closedObject({
          level: { enum: POINT_LEVELS },
          layer: LAYER,
          candidates: listOf(
            closedObject({
              ...SHOWN,
              'distanceDegrees?': {
                type: 'number',
                minimum: 0,
                description: 'By which the extract compares: longitude is not scaled.',
              },
              'weightedMetres?': {
                ...METRES,
                description: 'By which the gazetteer compares towns: larger ones count as nearer.',
              },
              'contains?': YES,
              'isAnswer?': YES,
            }),
          ),
        }),
      ),
      stages: listOf(closedObject({ stage: { enum: POINT_STAGES }, microseconds: MICROSECONDS })),
    },
    'Why a point was answered so, for keys that the operator has made with `--explain`.',
  ),
};
