// The routes that say how an answer comes about. The parameters of the public routes are read by their own readers,
// which refuse what is wrong.

import type { FastifyRequest } from 'fastify';
import { orRefuse } from '../console/tiles.ts';
import { groupOf, route } from './operation.ts';
import { COUNT, FLAG, listOf, NUMBER, open, optional, type Schema, TEXT, TIME } from './schema_parts.ts';

const NUMBER_TEXT = { type: 'string', minLength: 1, maxLength: 40 };

/** What every explanation has. */
const IN_WORDS: Schema = {
  sections: {
    ...listOf(
      open({
        title: TEXT,
        'about?': { ...TEXT, description: 'As of an item.' },
        items: listOf(
          open({
            'about?': {
              ...TEXT,
              description:
                '`answer`, `building`, `floor`, `room`, `track`, or, by their place in the list, `station:N`, ' +
                '`estimate:N` and `fallback:N`, or `place:ID`.',
            },
            lines: listOf(TEXT),
          }),
        ),
      }),
    ),
    description: 'The explanation in words, as the command prints it.',
  },
};

const POSITION: Schema = {
  sent: { type: 'object', description: 'Entries of each list, and what of them is left out or not read.' },
  stations: listOf(
    open({
      list: TEXT,
      entry: COUNT,
      'station?': TEXT,
      taken: TEXT,
      'strategy?': TEXT,
      'known?': open({ latitude: NUMBER, longitude: NUMBER, r50Metres: NUMBER }),
    }),
  ),
  estimates: listOf(open({ strategy: TEXT, latitude: NUMBER, longitude: NUMBER, radiusMetres: NUMBER, joined: FLAG })),
  absent: { ...listOf(open({ strategy: TEXT, why: TEXT })), description: 'Strategies without an estimate.' },
  fallbacks: {
    ...listOf(
      open({
        fallback: TEXT,
        result: TEXT,
        'guesses?': {
          ...listOf(open({ latitude: NUMBER, longitude: NUMBER, typicalMetres: NUMBER })),
          description: 'Cells or areas that resemble those that were sent, with the usual error of such a guess.',
        },
      }),
    ),
    description: 'Fallbacks that were tried.',
  },
  'shapes?': {
    ...listOf(open({ about: { enum: ['building', 'floor', 'room'] }, name: TEXT, geometry: { type: 'object' } })),
    description: 'Outlines in which the answer lies, GeoJSON, the largest first.',
  },
  'before?': {
    ...listOf(open({ time: TIME, latitude: NUMBER, longitude: NUMBER })),
    description: 'Where the device of a logged request was before, the latest last.',
  },
  'answer?': {
    ...open({ latitude: NUMBER, longitude: NUMBER }),
    description: 'Position and radius; absent where nothing was found.',
  },
  stages: listOf(open({ stage: TEXT, microseconds: COUNT })),
  'response?': { type: 'object', description: 'What the public address answers, without `logId`.' },
  'circles?': {
    ...listOf(open({ confidence: { type: 'integer' }, metres: NUMBER })),
    description: 'Radii that hold this share of the truths, percent.',
  },
};

const PLACES: Schema = {
  'response?': { description: 'What the public address answers with `format=jsonv2&addressdetails=1`.' },
};

const EXAMPLES = open({
  requests: {
    ...listOf(open({ id: TEXT, body: { type: 'object', description: 'As of `POST /explain`.' } })),
    description: 'About stations that the tables hold. Each is answered.',
  },
  words: { ...TEXT, description: 'Words of a search that finds something; empty without any places.' },
  point: open({ latitude: NUMBER, longitude: NUMBER }),
});

const ANSWERS = {
  Examples: EXAMPLES,
  Explanation: open({ ...POSITION, ...IN_WORDS }),
  ExplainedPlaces: open({ ...PLACES, ...IN_WORDS }),
  ExplainedLogged: open({
    logged: { ...open({ logId: COUNT, time: TEXT, status: COUNT }), description: 'What was answered then.' },
    asked: open({ route: TEXT, 'query?': TEXT, 'body?': { type: 'object' } }),
    ...optional(POSITION),
    ...IN_WORDS,
    'response?': { description: 'What would be answered now.' },
  }),
} as const;

/** The group. */
export const EXPLAIN = groupOf(ANSWERS, [
  route('GET /examples', {
    name: 'examples',
    summary: 'Requests, words and a point to begin with, of what the tables hold',
    success: [200, 'The examples.', 'Examples'],
    answer: ({ background, folder }) => orRefuse(background.run('examples', { folder })),
  }),
  route('POST /explain', {
    name: 'explain',
    needsToken: true,
    summary: 'Say how the answer to a request for a position comes about',
    body: { type: 'object', description: 'The body of `POST /` of the public address.' },
    isReading: true,
    success: [200, 'The explanation, with the positions of stations.', 'Explanation'],
    answer: ({ explainer }, { body }) => explainer.position(body),
  }),
  route('GET /explain/search', {
    name: 'explainSearch',
    needsToken: true,
    summary: 'Say how the answer to a search comes about',
    query: open({
      'q?': { ...TEXT, description: 'Words; all other parameters of the public `/search` may be set too.' },
    }),
    success: [200, 'The explanation.', 'ExplainedPlaces'],
    answer: ({ explainer }, { request }) => explainer.search(sentIn(request)),
  }),
  route('GET /explain/reverse', {
    name: 'explainReverse',
    needsToken: true,
    summary: 'Say how the place of a point comes about',
    query: open({
      lat: { ...NUMBER_TEXT, description: 'Latitude in degrees.' },
      lon: { ...NUMBER_TEXT, description: 'Longitude; all other parameters of the public `/reverse` may be set too.' },
      'zoom?': { ...NUMBER_TEXT, description: '0 country .. 18 house.' },
    }),
    success: [200, 'The explanation.', 'ExplainedPlaces'],
    answer: ({ explainer }, { request }) => explainer.reverse(sentIn(request)),
  }),
  route('GET /explain/log/{id}', {
    name: 'explainLogged',
    needsToken: true,
    summary: 'Say how the answer to a logged position, search or point comes about, by the tables as they are now',
    success: [200, 'The explanation, with what was asked.', 'ExplainedLogged'],
    answer: ({ explainer }, { id }) => explainer.logged(id),
  }),
]);

/** The parameters as they were sent. */
function sentIn({ url }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}
