// The routes by which the admin interface shows the world as the service knows it: stations, misses and
// accuracy. They change nothing. What they show is for operators: the public address gives out where a station is only
// for cells, to keys that may list them.

import { membersOfStation, readStations } from '../../jobs/known_stations.ts';
import { readMeasuredAccuracy } from '../../learning/calibration/measured_accuracy.ts';
import { RADIO_TYPES } from '../../radio/kind.ts';
import { parseStation } from '../../radio/station_name.ts';
import { readMisses } from '../../tasks/misses.ts';
import { readWalks } from '../../tasks/walks.ts';
import { GROUP_NAMES } from '../../tiles/stations/station_index.ts';
import { TILE_TYPE } from '../console/tiles.ts';
import { Refused } from '../transport/refused.ts';
import { orRefuse } from './jobs.ts';
import { groupOf, route } from './operation.ts';
import { COUNT, closed, DAY, FLAG, KEY_DIGITS, listOf, NUMBER, open, SET, TEXT, TIME } from './schema_parts.ts';

const HOURS_DEFAULT = 24;

const SHARE = { type: 'number', minimum: 0, maximum: 1 };
const PLACE = { latitude: NUMBER, longitude: NUMBER };

const COUNTS = {
  misses: COUNT,
  withWifi: { ...COUNT, description: 'Of these, with an access point.' },
  withBeacons: COUNT,
  withCells: COUNT,
};
const HOURS = {
  type: 'string',
  pattern: '^([1-9]|[1-9]\\d|1[0-5]\\d|16[0-8])$',
  'x-must': 'a number from 1 to 168',
  description: 'How far back, 1..168; 24 when left out.',
} as const;

const ANSWERS = {
  Accuracy: open({
    measured: listOf(
      open({
        radio: TEXT,
        country: { ...TEXT, description: 'ISO 3166-1 alpha-2; empty on the open sea; `any` for all.' },
        month: { ...TEXT, description: 'YYYY-MM; `any` for all.' },
        tested: COUNT,
        median: { ...NUMBER, description: 'Metres.' },
        p95: { ...NUMBER, description: 'Metres.' },
        insideShare: { ...SHARE, description: 'Truths inside the radius for 50 %.' },
        inside68Share: SHARE,
        inside95Share: SHARE,
      }),
    ),
  }),
  StationIndex: open({
    isReady: FLAG,
    done: { ...COUNT, description: 'Stations that were read so far, and how many there are.' },
    total: COUNT,
    'madeAt?': TIME,
    kinds: { type: 'object', additionalProperties: COUNT, description: 'Stations by kind, those of cells by radio.' },
    sources: listOf(TEXT),
    focus: { ...open({ ...PLACE, zoom: COUNT }), description: 'Where most stations are, for a map that opens.' },
    bytes: { ...COUNT, description: 'Memory of the index.' },
  }),
  KnownStations: open({
    stations: listOf(
      open({
        station: TEXT,
        'optedOut?': { ...FLAG, description: 'It is kept out.' },
        'kind?': { ...TEXT, description: '`wifi`, `bluetooth`, `beacon`, or the radio type of a cell.' },
        'state?': { enum: ['new', 'known', 'blocked', 'imported'] },
        'used?': { ...FLAG, description: 'Lookups use it.' },
        'blocks?': { ...COUNT, description: 'How often it was blocked because it had moved.' },
        'record?': open({
          ...PLACE,
          r50Metres: NUMBER,
          r95Metres: NUMBER,
          samples: COUNT,
          'firstSeen?': DAY,
          'lastSeen?': DAY,
          'referenceDbm?': NUMBER,
          'exponent?': NUMBER,
          'code?': COUNT,
        }),
        'sources?': { ...listOf(TEXT), description: 'Sources that list it, in the order of their import.' },
        'places?': {
          ...listOf(open({ ...PLACE, reports: COUNT, firstSeen: DAY, lastSeen: DAY })),
          description: 'Where it was heard, the place where it is taken to be first.',
        },
      }),
    ),
  }),
  Misses: open({
    ...COUNTS,
    'from?': TIME,
    'to?': TIME,
    isCut: { ...FLAG, description: 'There were more; the latest are counted.' },
    degrees: { ...NUMBER, description: 'Side of the squares.' },
    squares: { ...listOf(open({ ...PLACE, ...COUNTS })), description: 'By their south-western corner.' },
    countries: listOf(open({ country: TEXT, ...COUNTS })),
    unplaced: open(COUNTS),
  }),
  Walks: open({
    walks: listOf(
      open({
        from: TIME,
        to: TIME,
        steps: listOf(open({ logId: COUNT, time: TIME, ...PLACE, accuracy: NUMBER, 'indoor?': { type: 'object' } })),
      }),
    ),
  }),
} as const;

/** The group. */
export const COVERAGE = groupOf(ANSWERS, [
  route('GET /stations', {
    name: 'stations',
    summary: 'How many stations there are, and which tiles of them',
    success: [200, 'What the index of stations holds, or how far its making has come.', 'StationIndex'],
    answer: ({ tiles }) => tiles.describeStations(),
  }),
  route('GET /tiles/stations/{z}/{x}/{y}', {
    name: 'stationTile',
    summary: 'A tile of stations',
    query: closed({
      'kind?': {
        enum: [...GROUP_NAMES, ...RADIO_TYPES],
        description: 'Only of this kind; `cell` are cells of any radio.',
      },
      'source?': {
        type: 'string',
        minLength: 1,
        maxLength: 100,
        description: 'Only those whose record comes from this import.',
      },
      'learned?': { ...SET, description: 'Only those whose record was learned from observations.' },
      'seenAfter?': { ...DAY, description: 'Only those that were seen on this day (UTC) or later.' },
    }),
    mediaType: TILE_TYPE,
    errors: { 503: 'The index of stations is being made.' },
    success: [200, 'The tile; 304 for a client that has it.', 'Tile'],
    answer: ({ tiles }, { query, request, reply }) => tiles.sendStations(query, request, reply),
  }),
  route('GET /stations/{name}', {
    name: 'showStation',
    summary: 'What is known of a station',
    success: [200, 'The stations of that name: an access point and a beacon may have the same.', 'KnownStations'],
    answer: ({ folder }, { name }) => showStation(folder, name),
  }),
  route('POST /stations/{name}/days', {
    name: 'daysOfStation',
    summary: 'Read from all reports where a station was heard on each day',
    success: [202, 'The job, which has begun.', 'Job'],
    answer: ({ jobs }, { name }) => jobs.days(name),
  }),
  route('GET /coverage/misses', {
    name: 'misses',
    summary: 'Where requests were not found, by square and country',
    query: closed({
      'hours?': HOURS,
      'degrees?': { enum: ['1', '0.1'], description: 'Side of the squares; 1 when left out.' },
    }),
    success: [200, 'Counts of the request log.', 'Misses'],
    answer: ({ folder }, { query: { hours, degrees } }) =>
      readMisses(folder, Number(hours ?? HOURS_DEFAULT), Number(degrees ?? 1)),
  }),
  route('GET /accuracy', {
    name: 'accuracy',
    summary: 'What the service measured of itself, by radio, country and month',
    success: [200, 'A list.', 'Accuracy'],
    answer: async ({ folder }) => ({ measured: await readMeasuredAccuracy(folder) }),
  }),
  route('GET /walks', {
    name: 'walks',
    needsToken: true,
    summary: 'Logged positions of a device that follow each other',
    query: closed({
      device: { type: 'string', minLength: 1, maxLength: 20 },
      'key?': { ...KEY_DIGITS, description: 'Number of a key: only of this one.' },
      'hours?': HOURS,
    }),
    success: [200, 'Walks, the latest first.', 'Walks'],
    answer: async ({ folder }, { query: { device, key, hours } }) => ({
      walks: await readWalks(folder, {
        device,
        account: key === undefined ? undefined : Number(key),
        hours: Number(hours ?? HOURS_DEFAULT),
      }),
    }),
  }),
]);

async function showStation(folder: string, name: string): Promise<object> {
  const keys = orRefuse(400, () => parseStation(name));
  const known = (await readStations(folder, keys)).filter(each => each.known !== undefined || each.isOptedOut);
  if (known.length === 0) return missing(`Nothing is known of the station ${name}.`);
  return { stations: known.map(membersOfStation) };
}

function missing(message: string): never {
  throw new Refused(404, message);
}
