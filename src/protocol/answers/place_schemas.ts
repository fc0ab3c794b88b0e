// Schemas of the answers about places, one for each form that place_forms.ts and geocodejson.ts write.

import { LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { closedObject, numberIn, openObject, ref, type Schema } from '../json_schema.ts';
import { KINDS, LEVELS } from './geocodejson.ts';

const NAME = { type: 'string', minLength: 1 };
/** Degrees as text, which clients of OpenStreetMap's geocoder expect. */
const DEGREES_TEXT = { type: 'string', pattern: '^-?\\d{1,3}\\.\\d{7}$' };
const POINT = closedObject({
  type: { const: 'Point' },
  coordinates: { type: 'array', prefixItems: [numberIn(LONGITUDE), numberIn(LATITUDE)], minItems: 2, maxItems: 2 },
});

const POSITIONS = { type: 'array', items: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 } };
const RINGS = { type: 'array', items: POSITIONS };
/** What geocodejson.ts writes. */
const SHAPE = {
  anyOf: [
    POINT,
    ...[
      ['LineString', POSITIONS],
      ['Polygon', RINGS],
      ['MultiPolygon', { type: 'array', items: RINGS }],
    ].map(([type, coordinates]) => closedObject({ type: { const: type }, coordinates: coordinates as Schema })),
  ],
};

/** The identity of a place. Countries that come only from the borders have none. */
const IDENTITY = {
  'place_id?': { type: 'integer', minimum: 1, description: 'Stable within one version of the data.' },
  'osm_type?': { enum: ['node', 'way', 'relation'], description: 'Absent where the place is not from OpenStreetMap.' },
  'osm_id?': { type: 'integer', minimum: 1, description: 'Absent where the place is not from OpenStreetMap.' },
};
const LICENCE = { type: 'string', minLength: 1, description: 'Whose data it is, and under which licence.' };
const BOUNDING_BOX = {
  type: 'array',
  items: DEGREES_TEXT,
  minItems: 4,
  maxItems: 4,
  description: 'South, north, west, east. Across the antimeridian the west is east of the east.',
};
const RANK = {
  type: 'integer',
  minimum: 0,
  maximum: 30,
  description: '4 country, 8 state, 16 town, 26 road, 30 house.',
};
const IMPORTANCE = { type: 'number', minimum: 0, maximum: 1 };
const TAGS = {
  ...openObject({}, [], 'Further tags of the object, by the keys of OpenStreetMap.'),
  additionalProperties: NAME,
};

/** The members that `described` in place_forms.ts writes. */
const DESCRIBED = {
  type: NAME,
  place_rank: RANK,
  importance: IMPORTANCE,
  addresstype: { ...NAME, description: 'Key that the place itself has in an address.' },
  name: { type: 'string', description: 'Empty where it has none.' },
  display_name: { type: 'string', description: 'The names of the address in one line, in the order of its country.' },
  'address?': ref('AddressRows'),
  'namedetails?': { ...openObject({}, [], 'All names, by the keys of OpenStreetMap.'), additionalProperties: NAME },
  'extratags?': TAGS,
};
function item(category: 'class' | 'category', description: string): Schema {
  const properties = {
    ...IDENTITY,
    licence: LICENCE,
    lat: DEGREES_TEXT,
    lon: DEGREES_TEXT,
    [category]: NAME,
    ...DESCRIBED,
    boundingbox: BOUNDING_BOX,
    'geojson?': ref('Shape'),
    'geokml?': { type: 'string', description: 'The shape in KML.' },
    'svg?': { type: 'string', description: 'The shape as a path of SVG, or a point as the centre of a circle.' },
    'geotext?': { type: 'string', description: 'The shape as well-known text.' },
    'explain?': EXPLAIN,
  };
  return closedObject(properties, description);
}

/** Of a point, or of a whole search on its first place. */
const EXPLAIN = { anyOf: [ref('ExplainedPoint'), ref('ExplainedSearch')] };

/** A feature collection. @param more members besides `type` and `features` */
function collection(feature: Schema, more: Record<string, Schema>, description: string): Schema {
  return closedObject(
    { type: { const: 'FeatureCollection' }, ...more, features: { type: 'array', items: feature }, 'explain?': EXPLAIN },
    description,
  );
}

/** Schemas by name. */
export const PLACE_ANSWERS: { readonly [name: string]: Schema } = {
  Reverse: closedObject({ address: ref('Address'), 'explain?': ref('ExplainedPoint') }, 'The address of a point.'),
  Place: closedObject(
    {
      ...IDENTITY,
      licence: LICENCE,
      boundingbox: BOUNDING_BOX,
      lat: DEGREES_TEXT,
      lon: DEGREES_TEXT,
      display_name: { type: 'string' },
      place_rank: RANK,
      category: NAME,
      type: NAME,
      importance: IMPORTANCE,
      'explain?': ref('ExplainedSearch'),
    },
    'A place that a search finds.',
  ),
  PlaceJson: item('class', 'A place in `format=json`.'),
  PlaceJsonV2: item('category', 'A place in `format=jsonv2`.'),
  PlacesGeoJson: collection(
    closedObject({
      type: { const: 'Feature' },
      properties: closedObject({ ...IDENTITY, category: NAME, ...DESCRIBED }),
      bbox: {
        type: 'array',
        items: { type: 'number' },
        minItems: 4,
        maxItems: 4,
        description: 'West, south, east, north.',
      },
      geometry: ref('Shape'),
    }),
    { licence: { type: 'string', description: 'Whose data it is; empty without features.' } },
    'Places in `format=geojson`.',
  ),
  PlacesGeocodeJson: collection(
    closedObject({
      type: { const: 'Feature' },
      properties: closedObject({
        geocoding: closedObject({
          ...IDENTITY,
          osm_key: NAME,
          osm_value: NAME,
          type: { enum: [...KINDS.map(([, kind]) => kind), 'house'] },
          label: { type: 'string' },
          'name?': NAME,
          ...Object.fromEntries(LEVELS.map(([level]) => [`${level}?`, NAME])),
          'country_code?': { type: 'string', pattern: '^[a-z]{2}$' },
          'extra?': TAGS,
        }),
      }),
      geometry: ref('Shape'),
    }),
    {
      geocoding: closedObject({
        version: { const: '0.1.0' },
        attribution: { type: 'string', description: 'Whose data it is; empty without features.' },
        'query?': { type: 'string', description: 'What was searched for; absent in a reverse answer.' },
      }),
    },
    'Places in `format=geocodejson`: GeocodeJSON 0.1.0.',
  ),
  Shape: SHAPE,
  Status: {
    anyOf: [
      closedObject({ status: { const: 0 }, message: { const: 'OK' }, data_updated: NAME, software_version: NAME }),
      closedObject({ status: { const: 700 }, message: NAME }),
    ],
  },
  AddressRows: {
    ...openObject({}, [], 'Rows of an address from small to large, under the keys of OpenStreetMap’s geocoder.'),
    propertyNames: { pattern: '^(ISO3166-2-lvl\\d{1,2}|[^A-Z ]+)$' },
    additionalProperties: NAME,
  },
  UnableToGeocode: closedObject(
    { error: { const: 'Unable to geocode' }, 'explain?': ref('ExplainedPoint') },
    'There is no place here. With a `format`, /reverse says so with status 200, as the clients of ' +
      'OpenStreetMap’s geocoder expect.',
  ),
};
