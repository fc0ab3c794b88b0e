// The JSON schemas of the map: what it is, and places by words and by a point.

import { closed, listOf, NUMBER, open, TEXT } from './schema_parts.ts';

const LANGUAGES = { ...TEXT, description: 'Languages of names, best first: de-AT,de,en.' };
const PLACE = open(
  {
    osm_type: TEXT,
    osm_id: { type: 'integer' },
    lat: { ...TEXT, description: 'Degrees.' },
    lon: TEXT,
    category: TEXT,
    type: TEXT,
    name: TEXT,
    display_name: TEXT,
    addresstype: { ...TEXT, description: 'The key of its own row in the address.' },
    importance: NUMBER,
    boundingbox: { ...listOf(TEXT), description: 'South, north, west, east, degrees.' },
    address: {
      type: 'object',
      additionalProperties: TEXT,
      description: 'Rows of the address, from small to large.',
    },
  },
  ['lat', 'lon', 'category', 'type', 'name', 'display_name', 'boundingbox', 'address'],
);

/** Schemas of answers. */
export const MAP_ANSWERS = {
  Map: open(
    {
      attribution: { ...TEXT, description: 'Whose data it shows, with their licences.' },
      bounds: {
        type: 'array',
        items: NUMBER,
        minItems: 4,
        maxItems: 4,
        description: 'West, south, east, north of what is imported, degrees; of the world without an extract.',
      },
      ground: {
        ...TEXT,
        description: 'Where the page finds the map of `--map`: a file of PMTiles, or tiles by {z}, {x} and {y}.',
      },
    },
    ['attribution', 'bounds'],
  ),
  MapFile: { description: 'Bytes of a file of PMTiles.' },
  Places: listOf(PLACE),
  Place: PLACE,
} as const;

/** Parameters of queries. */
export const MAP_QUERIES = {
  search: closed(
    {
      q: { ...TEXT, minLength: 1, maxLength: 1_000 },
      limit: { ...TEXT, pattern: '^\\d{1,2}$' },
      autocomplete: { enum: ['0', '1'], description: '1: the last word is unfinished.' },
      viewbox: { ...TEXT, description: 'West, south, east, north: places in it come first.' },
      'accept-language': LANGUAGES,
    },
    ['q'],
  ),
  reverse: closed(
    {
      lat: TEXT,
      lon: TEXT,
      zoom: { ...TEXT, pattern: '^\\d{1,2}$', description: 'How fine: 18 a house, 10 a town, 3 a country.' },
      'accept-language': LANGUAGES,
    },
    ['lat', 'lon'],
  ),
} as const;
