// The routes of the map beside its tiles: what the map is, and places by words and by a point. They are rows of the
// table of routes (operations.ts).

import { MAP_FILE_TYPE } from './map_ground.ts';
import { MAP_QUERIES } from './map_schemas.ts';
import type { Routes } from './operation.ts';

/** The rows. */
export const MAP_OPERATIONS: Routes = {
  'GET /map': {
    name: 'map',
    summary: 'What the map shows, and where',
    success: [200, 'The map.', 'Map'],
  },
  'GET /map/file': {
    name: 'mapFile',
    summary: 'A range of the file that --map names, by the field Range',
    mediaType: MAP_FILE_TYPE,
    errors: { 416: 'The file has no such range.' },
    success: [206, 'The bytes.', 'MapFile'],
  },
  'GET /search': {
    name: 'search',
    summary: 'Places by words, as the public route finds them, without a key',
    query: MAP_QUERIES.search,
    success: [200, 'Places, best first.', 'Places'],
  },
  'GET /reverse': {
    name: 'reverse',
    summary: 'The place at a point, as the public route finds it, without a key',
    query: MAP_QUERIES.reverse,
    success: [200, 'The place.', 'Place'],
  },
};
