// The routes by which the admin interface shows the world as the service knows it: stations, misses and
// accuracy. They change nothing. What they show is for operators: the public address gives out where a station is only
// for cells, to keys that may list them.

import { membersOfStation, readStations } from '../../jobs/known_stations.ts';
import { readMeasuredAccuracy } from '../../learning/calibration/measured_accuracy.ts';
import { parseStation } from '../../radio/station_name.ts';
import { readMisses } from '../../tasks/misses.ts';
import { readWalks } from '../../tasks/walks.ts';
import { Refused } from '../console/refused.ts';
import { TILE_TYPE } from '../console/tiles.ts';
import { COVERAGE_QUERIES } from './coverage_schemas.ts';
import { orRefuse } from './jobs.ts';
import type { Routes } from './operation.ts';

const HOURS = '24';
const DEGREES = '1';

/** Routes, in the order of the document. */
export const COVERAGE_OPERATIONS: Routes = {
  'GET /stations': {
    name: 'stations',
    summary: 'How many stations there are, and which tiles of them',
    success: [200, 'What the index of stations holds, or how far its making has come.', 'StationIndex'],
  },
  'GET /tiles/stations/{z}/{x}/{y}': {
    name: 'stationTile',
    summary: 'A tile of stations',
    query: COVERAGE_QUERIES.stations,
    mediaType: TILE_TYPE,
    errors: { 503: 'The index of stations is being made.' },
    success: [200, 'The tile; 304 for a client that has it.', 'Tile'],
  },
  'GET /stations/{name}': {
    name: 'showStation',
    summary: 'What is known of a station',
    success: [200, 'The stations of that name: an access point and a beacon may have the same.', 'KnownStations'],
    read: (folder, { name }) => showStation(folder, name),
  },
  'POST /stations/{name}/days': {
    name: 'daysOfStation',
    summary: 'Read from all reports where a station was heard on each day',
    success: [202, 'The job, which has begun.', 'Job'],
    begin: (jobs, { name }) => jobs.days(name),
  },
  'GET /coverage/misses': {
    name: 'misses',
    summary: 'Where requests were not found, by square and country',
    query: COVERAGE_QUERIES.misses,
    success: [200, 'Counts of the request log.', 'Misses'],
    read: (folder, { query: { hours = HOURS, degrees = DEGREES } }) =>
      readMisses(folder, Number(hours), Number(degrees)),
  },
  'GET /accuracy': {
    name: 'accuracy',
    summary: 'What the service measured of itself, by radio, country and month',
    success: [200, 'A list.', 'Accuracy'],
    read: async folder => ({ measured: await readMeasuredAccuracy(folder) }),
  },
  'GET /walks': {
    name: 'walks',
    needsToken: true,
    summary: 'Logged positions of a device that follow each other',
    query: COVERAGE_QUERIES.walks,
    success: [200, 'Walks, the latest first.', 'Walks'],
    read: async (folder, { query: { device, key, hours = HOURS } }) => ({
      walks: await readWalks(folder, {
        device: device!,
        account: key === undefined ? undefined : Number(key),
        hours: Number(hours),
      }),
    }),
  },
};

async function showStation(folder: string, name: string): Promise<object> {
  const keys = orRefuse(400, () => parseStation(name));
  const known = (await readStations(folder, keys)).filter(each => each.known !== undefined || each.isOptedOut);
  if (known.length === 0) return missing(`Nothing is known of the station ${name}.`);
  return { stations: known.map(membersOfStation) };
}

function missing(message: string): never {
  throw new Refused(404, message);
}
