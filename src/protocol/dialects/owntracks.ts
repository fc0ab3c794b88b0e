// What the OwnTracks Recorder asks for the place of a device: `GET /rev`, as of its own program revgeod. It keeps an
// answer with status 200 for ever, so nothing found must not be one.

import { LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { ERRORS } from '../errors.ts';
import { closedObject, numberIn, ref } from '../json_schema.ts';
import { readLanguages, readQueryString } from '../requests/parameters.ts';
import { readCoordinate, ZOOM_MAX } from '../requests/place_question.ts';
import { type AnsweredPlace, type Asked, type Dialect, type DialectRequest, JSON_TYPE, parameter } from './dialect.ts';

const PARAMETERS = new Set(['lat', 'lon', 'lang']);
/** Rows of an address that can be the locality, best first. */
const LOCALITIES = ['city', 'town', 'village', 'hamlet', 'municipality', 'county'];

function read({ url, languages }: DialectRequest): Asked {
  const parameters = readQueryString(url, PARAMETERS);
  return {
    reverse: {
      latitude: readCoordinate('lat', parameters.get('lat'), LATITUDE),
      longitude: readCoordinate('lon', parameters.get('lon'), LONGITUDE),
      zoom: ZOOM_MAX,
      languages: readLanguages(parameters.get('lang') || languages),
    },
    write: ([place]: readonly AnsweredPlace[]) => (place === undefined ? ERRORS.notFound : placeText(place)),
  };
}

function placeText({ display_name, address }: AnsweredPlace): string {
  const locality = LOCALITIES.map(key => address[key]).find(name => name);
  return JSON.stringify({ address: { village: display_name, locality, cc: address.country_code?.toUpperCase() } });
}

const TEXT = { type: 'string', minLength: 1 };

/** The dialect. */
export const OWNTRACKS: Dialect = {
  title: 'OwnTracks',
  wording: {
    contentType: JSON_TYPE,
    error: (row, _asker, message = row.message) => JSON.stringify({ error: message }),
  },
  error: closedObject({ error: TEXT }, ['error']),
  schemas: {
    OwnTracksPlace: closedObject(
      {
        address: closedObject({ village: TEXT, locality: TEXT, cc: { type: 'string', pattern: '^[A-Z]{2}$' } }, [
          'village',
        ]),
      },
      ['address'],
    ),
  },
  routes: [
    {
      method: 'GET',
      paths: ['/rev'],
      logged: 'reverse',
      read,
      operation: {
        name: 'ownTracksReverse',
        summary: 'As revgeod: find the place of a device of OwnTracks',
        description: 'The whole address is in `village`. A success costs one credit.',
        parameters: [
          { ...parameter('lat', numberIn(LATITUDE), 'Degrees, WGS-84.', 47.141), required: true },
          { ...parameter('lon', numberIn(LONGITUDE), 'Degrees, WGS-84.', 9.521), required: true },
        ],
        success: { 'application/json': ref('OwnTracksPlace') },
      },
    },
  ],
};
