// The tasks of the background worker (pool/background.ts), by name: what the admin interface has drawn
// and answered.

import type { Answerer } from '../answer/answerer.ts';
import type { Tasks } from '../pool/messages.ts';
import { describeMap } from '../tiles/map/map_tile.ts';
import { answerPlaces, type PlaceAnswer, type PlaceQuestion } from './answer_places.ts';
import { drawStationTile, summariseStations } from './draw_stations.ts';
import { drawTile } from './draw_tile.ts';
import { exampleRequests } from './example_requests.ts';
import { publicStatistics } from './public_statistics.ts';

/** All tasks. */
export const BACKGROUND_TASKS = {
  /** Draws a tile of a map. */
  tile: drawTile,
  /** Draws a tile of stations; undefined while their index is being made. */
  stationTile: drawStationTile,
  /** Tells what the index of stations holds. */
  stations: summariseStations,
  /** Counts stations for the public page. */
  statistics: publicStatistics,
  /** Says what the map shows. */
  map: ({ geocoder }: Answerer, _: undefined) => describeMap(geocoder.layers),
  /** Finds requests that are answered. */
  examples: exampleRequests,
  /** Answers a question about places. */
  places: ({ geocoder }: Answerer, question: PlaceQuestion): PlaceAnswer => answerPlaces(geocoder, question),
} satisfies Tasks;

/** The table's type. */
export type BackgroundTasks = typeof BACKGROUND_TASKS;
