// The operations that only clients of OpenStreetMap's geocoder know: places by their objects, and the status.

import { ref } from '../json_schema.ts';
import { LOOKUP as LOOKUP_QUERY, STATUS as STATUS_QUERY } from '../requests/place_parameters.ts';
import * as examples from './examples.ts';
import { ALWAYS, jsonContent, OPEN_HEADERS, type Operation, PLACE_LIST, placeContent } from './operations.ts';
import { LANGUAGE_HEADER } from './parameters.ts';

/** GET /lookup. */
export const LOOKUP: Operation = {
  name: 'lookup',
  tag: 'places',
  summary: 'Find places by their objects of OpenStreetMap',
  description:
    'Answers with the places in the order of the objects, without those that the extract does not have. None ' +
    'at all is an empty list and costs nothing; a success costs one credit.',
  parameters: [...LOOKUP_QUERY.documented, LANGUAGE_HEADER],
  success: {
    200: {
      description: 'The places.',
      headers: OPEN_HEADERS,
      content: placeContent(PLACE_LIST, { none: { value: [] } }),
    },
  },
  errors: [...ALWAYS, 'creditsExceeded'],
};

/** GET /status. */
export const STATUS: Operation = {
  name: 'status',
  tag: 'places',
  summary: 'Ask whether the geocoder is ready',
  description:
    'Needs no key and costs nothing. `data_updated` is up to when the changes of the map are in the places; where an ' +
    'extract does not say it, when they were built.',
  parameters: STATUS_QUERY.documented,
  success: {
    200: {
      description: 'The status.',
      headers: OPEN_HEADERS,
      content: {
        'text/plain': { schema: { type: 'string', pattern: '^(OK|ERROR: .+)$' }, example: 'OK' },
        ...jsonContent(ref('Status'), { ready: { value: examples.STATUS } }),
      },
    },
  },
  errors: ['parseError', 'internalError'],
  isOpen: true,
};
