// What the OwnTracks Recorder asks for the place of a device: `GET /rev`, as of its own program revgeod. It keeps an
// answer with status 200 for ever, so nothing found must not be one.

import { LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { ERRORS } from '../errors.ts';
import { closedObject, ref } from '../json_schema.ts';
import { readLanguages } from '../requests/parameters.ts';
import { ZOOM_MAX } from '../requests/place_parameters.ts';
import { coordinate, plain, Query } from '../requests/query.ts';
import { type AnsweredPlace, type Asked, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';

const PARAMETERS = new Query({
  lat: coordinate(LATITUDE, 'Degrees, WGS-84.', 47.141),
  lon: coordinate(LONGITUDE, 'Degrees, WGS-84.', 9.521),
  lang: plain('Language of names.', 'de'),
});
/** Rows of an address that can be the locality, best first. */
const LOCALITIES = ['city', 'town', 'village', 'hamlet', 'municipality', 'county'];

function read({ url, languages }: DialectRequest): Asked {
  const { lat, lon, lang } = PARAMETERS.read(url);
  return {
    reverse: { latitude: lat, longitude: lon, zoom: ZOOM_MAX, languages: readLanguages(lang ?? languages) },
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
  error: closedObject({ error: TEXT }),
  schemas: {
    OwnTracksPlace: closedObject({
      address: closedObject({ village: TEXT, 'locality?': TEXT, 'cc?': { type: 'string', pattern: '^[A-Z]{2}$' } }),
    }),
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
        parameters: PARAMETERS.documented,
        success: { 'application/json': ref('OwnTracksPlace') },
      },
    },
  ],
};
