// The routes of the map beside its tiles: what the map is, and places by words, by a point and by their objects.

import { MAP_FILE_TYPE, sendMapFile } from '../console/map_ground.ts';
import { groupOf, route } from './operation.ts';
import { closed, listOf, NUMBER, open, TEXT } from './schema_parts.ts';

const LANGUAGES = { ...TEXT, description: 'Languages of names, best first: de-AT,de,en.' } as const;
const ON = { enum: ['0', '1'] } as const;
/** What a page about one place shows of it. */
const DETAILS = {
  'namedetails?': { ...ON, description: '1: all its names.' },
  'extratags?': { ...ON, description: '1: what else the map says of it.' },
  'polygon_geojson?': { ...ON, description: '1: its shape.' },
  'polygon_threshold?': {
    ...TEXT,
    pattern: '^0\\.\\d{1,9}$',
    'x-must': 'degrees below one',
    description: 'By how much a simpler shape may be off.',
  },
} as const;
const TEXTS = { type: 'object', additionalProperties: TEXT } as const;
const PLACE = open({
  'place_id?': { type: 'integer' },
  'licence?': TEXT,
  'osm_type?': TEXT,
  'osm_id?': { type: 'integer' },
  lat: { ...TEXT, description: 'Degrees.' },
  lon: TEXT,
  category: TEXT,
  type: TEXT,
  name: TEXT,
  display_name: TEXT,
  'addresstype?': { ...TEXT, description: 'The key of its own row in the address.' },
  'place_rank?': { type: 'integer', description: 'How large: 4 a country, 16 a town, 26 a street, 30 a house.' },
  'importance?': NUMBER,
  boundingbox: { ...listOf(TEXT), description: 'South, north, west, east, degrees.' },
  address: {
    type: 'object',
    additionalProperties: TEXT,
    description: 'Rows of the address, from small to large.',
  },
  'namedetails?': TEXTS,
  'extratags?': TEXTS,
  'geojson?': { type: 'object' },
});

const BOUNDS = { type: 'array', items: NUMBER, minItems: 4, maxItems: 4 } as const;

const ANSWERS = {
  Map: open({
    attribution: { ...TEXT, description: 'Whose data it shows, with their licences.' },
    bounds: {
      ...BOUNDS,
      description: 'West, south, east, north of what is imported, degrees; of the world without an extract.',
    },
    parts: {
      ...listOf(open({ name: TEXT, bounds: BOUNDS })),
      description: 'What is imported, where it lies far apart: the largest part first.',
    },
    'ground?': {
      ...TEXT,
      description: 'Where the page finds the map of `--map`: a file of PMTiles, or tiles by {z}, {x} and {y}.',
    },
  }),
  MapFile: { description: 'Bytes of a file of PMTiles.' },
  Places: listOf(PLACE),
  Place: PLACE,
} as const;

/** The group. */
export const MAP = groupOf(ANSWERS, [
  route('GET /map', {
    name: 'map',
    summary: 'What the map shows, and where',
    success: [200, 'The map.', 'Map'],
    answer: ({ places }) => places.describe(),
  }),
  route('GET /map/file', {
    name: 'mapFile',
    summary: 'A range of the file that --map names, by the field Range',
    mediaType: MAP_FILE_TYPE,
    errors: { 416: 'The file has no such range.' },
    success: [206, 'The bytes.', 'MapFile'],
    answer: ({ map }, { request, reply }) => sendMapFile(map, request, reply, 'admin'),
  }),
  route('GET /search', {
    name: 'search',
    summary: 'Places by words, as the public route finds them, without a key',
    query: closed({
      q: { ...TEXT, minLength: 1, maxLength: 1_000 },
      'limit?': { ...TEXT, pattern: '^\\d{1,2}$', 'x-must': 'a number of up to two digits' },
      'autocomplete?': { enum: ['0', '1'], description: '1: the last word is unfinished.' },
      'viewbox?': { ...TEXT, description: 'West, south, east, north: places in it come first.' },
      ...DETAILS,
      'accept-language?': LANGUAGES,
    }),
    success: [200, 'Places, best first.', 'Places'],
    answer: ({ places }, { query, reply }) => places.search(query, reply),
  }),
  route('GET /reverse', {
    name: 'reverse',
    summary: 'The place at a point, as the public route finds it, without a key',
    query: closed({
      lat: TEXT,
      lon: TEXT,
      'zoom?': {
        ...TEXT,
        pattern: '^\\d{1,2}$',
        'x-must': 'a number of up to two digits',
        description: 'How fine: 18 a house, 10 a town, 3 a country.',
      },
      ...DETAILS,
      'accept-language?': LANGUAGES,
    }),
    success: [200, 'The place.', 'Place'],
    answer: ({ places }, { query, reply }) => places.reverse(query, reply),
  }),
  route('GET /lookup', {
    name: 'lookup',
    summary: 'Places by their objects, as the public route finds them, without a key',
    query: closed({
      osm_ids: { ...TEXT, minLength: 1, maxLength: 1_000, description: 'As R1155956,N240079149.' },
      ...DETAILS,
      'accept-language?': LANGUAGES,
    }),
    success: [200, 'Those that there are.', 'Places'],
    answer: ({ places }, { query, reply }) => places.lookup(query, reply),
  }),
]);
