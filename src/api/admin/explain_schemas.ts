// The schemas of explanations: what may be asked, and what is answered besides the explanation that the command prints.

import { COUNT, FLAG, listOf, NUMBER, open, type Schema, TEXT, TIME } from './schema_parts.ts';

const NUMBER_TEXT = { type: 'string', minLength: 1, maxLength: 40 };

/** Parameters. Those of the public routes are read by their own readers, which refuse what is wrong. */
export const EXPLAIN_QUERIES = {
  search: {
    type: 'object',
    properties: { q: { ...TEXT, description: 'Words; all other parameters of the public `/search` may be set too.' } },
  },
  reverse: {
    type: 'object',
    properties: {
      lat: { ...NUMBER_TEXT, description: 'Latitude in degrees.' },
      lon: { ...NUMBER_TEXT, description: 'Longitude; all other parameters of the public `/reverse` may be set too.' },
      zoom: { ...NUMBER_TEXT, description: '0 country .. 18 house.' },
    },
    required: ['lat', 'lon'],
  },
} as const;

/** What every explanation has. */
const IN_WORDS: Schema = {
  sections: {
    ...listOf(
      open(
        {
          title: TEXT,
          about: { ...TEXT, description: 'As of an item.' },
          items: listOf(
            open(
              {
                about: {
                  ...TEXT,
                  description:
                    '`answer`, `building`, `floor`, `room`, `track`, or, by their place in the list, `station:N`, ' +
                    '`estimate:N` and `fallback:N`, or `place:ID`.',
                },
                lines: listOf(TEXT),
              },
              ['lines'],
            ),
          ),
        },
        ['title', 'items'],
      ),
    ),
    description: 'The explanation in words, as the command prints it.',
  },
};

const POSITION: Schema = {
  sent: { type: 'object', description: 'Entries of each list, and what of them is left out or not read.' },
  stations: listOf(
    open(
      {
        list: TEXT,
        entry: COUNT,
        station: TEXT,
        taken: TEXT,
        strategy: TEXT,
        known: open({ latitude: NUMBER, longitude: NUMBER, r50Metres: NUMBER }),
      },
      ['list', 'entry', 'taken'],
    ),
  ),
  estimates: listOf(open({ strategy: TEXT, latitude: NUMBER, longitude: NUMBER, radiusMetres: NUMBER, joined: FLAG })),
  absent: { ...listOf(open({ strategy: TEXT, why: TEXT })), description: 'Strategies without an estimate.' },
  fallbacks: {
    ...listOf(
      open(
        {
          fallback: TEXT,
          result: TEXT,
          guesses: {
            ...listOf(open({ latitude: NUMBER, longitude: NUMBER, typicalMetres: NUMBER })),
            description: 'Cells or areas that resemble those that were sent, with the usual error of such a guess.',
          },
        },
        ['fallback', 'result'],
      ),
    ),
    description: 'Fallbacks that were tried.',
  },
  shapes: {
    ...listOf(open({ about: { enum: ['building', 'floor', 'room'] }, name: TEXT, geometry: { type: 'object' } })),
    description: 'Outlines in which the answer lies, GeoJSON, the largest first.',
  },
  before: {
    ...listOf(open({ time: TIME, latitude: NUMBER, longitude: NUMBER })),
    description: 'Where the device of a logged request was before, the latest last.',
  },
  answer: {
    ...open({ latitude: NUMBER, longitude: NUMBER }),
    description: 'Position and radius; absent where nothing was found.',
  },
  stages: listOf(open({ stage: TEXT, microseconds: COUNT })),
  response: { type: 'object', description: 'What the public address answers, without `logId`.' },
  circles: {
    ...listOf(open({ confidence: { type: 'integer' }, metres: NUMBER })),
    description: 'Radii that hold this share of the truths, percent.',
  },
};

const PLACES: Schema = {
  response: { description: 'What the public address answers with `format=jsonv2&addressdetails=1`.' },
};

/** Answers. */
export const EXPLAIN_ANSWERS = {
  Explanation: open({ ...POSITION, ...IN_WORDS }, [
    'sent',
    'stations',
    'estimates',
    'absent',
    'fallbacks',
    'stages',
    'sections',
  ]),
  ExplainedPlaces: open({ ...PLACES, ...IN_WORDS }, ['sections']),
  ExplainedLogged: open(
    {
      logged: { ...open({ logId: COUNT, time: TEXT, status: COUNT }), description: 'What was answered then.' },
      asked: open({ route: TEXT, query: TEXT, body: { type: 'object' } }, ['route']),
      ...POSITION,
      ...IN_WORDS,
      response: { description: 'What would be answered now.' },
    },
    ['logged', 'asked', 'sections'],
  ),
} as const;
