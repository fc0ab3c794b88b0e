// The JSON schemas of what the admin interface shows of the world: stations, accuracy, buildings.

import { RADIO_TYPES } from '../../radio/kind.ts';
import { GROUP_NAMES } from '../../tiles/stations/station_index.ts';
import { COUNT, closed, DAY, FLAG, ID, listOf, NUMBER, open, TEXT, TIME } from './schema_parts.ts';

const SHARE = { type: 'number', minimum: 0, maximum: 1 };
const PLACE = { latitude: NUMBER, longitude: NUMBER };

const COUNTS = {
  misses: COUNT,
  withWifi: { ...COUNT, description: 'Of these, with an access point.' },
  withBeacons: COUNT,
  withCells: COUNT,
};
const NAMES_OF_BUILDING = { buildingModelId: COUNT, buildingId: COUNT };
const HOURS = {
  type: 'string',
  pattern: '^([1-9]|[1-9]\\d|1[0-5]\\d|16[0-8])$',
  description: 'How far back, 1..168; 24 when left out.',
};

/** Parameters of queries. */
export const COVERAGE_QUERIES = {
  stations: closed({
    kind: { enum: [...GROUP_NAMES, ...RADIO_TYPES], description: 'Only of this kind; `cell` are cells of any radio.' },
    source: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'Only those whose record comes from this import.',
    },
    learned: { type: 'string', const: 'true', description: 'Only those whose record was learned from observations.' },
    seenAfter: { ...DAY, description: 'Only those that were seen on this day (UTC) or later.' },
  }),
  misses: closed({
    hours: HOURS,
    degrees: { enum: ['1', '0.1'], description: 'Side of the squares; 1 when left out.' },
  }),
  after: closed({ after: { type: 'string', pattern: '^\\d{1,9}$', description: 'Id of the last building seen.' } }),
  levels: closed(
    {
      floor: { type: 'string', pattern: '^-?\\d{1,3}$', description: 'Index of the floor; 0 is the ground level.' },
      radio: {
        type: 'string',
        minLength: 1,
        maxLength: 60,
        description: 'A radio as the answer names it, or any address of it; without one there are places only.',
      },
    },
    ['floor'],
  ),
  walks: closed(
    {
      device: { type: 'string', minLength: 1, maxLength: 20 },
      key: { type: 'string', pattern: '^[1-9]\\d{0,6}$', description: 'Number of a key: only of this one.' },
      hours: HOURS,
    },
    ['device'],
  ),
} as const;

/** Schemas of answers. */
export const COVERAGE_ANSWERS = {
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
  StationIndex: open(
    {
      isReady: FLAG,
      done: { ...COUNT, description: 'Stations that were read so far, and how many there are.' },
      total: COUNT,
      madeAt: TIME,
      kinds: { type: 'object', additionalProperties: COUNT, description: 'Stations by kind, those of cells by radio.' },
      sources: listOf(TEXT),
      focus: { ...open({ ...PLACE, zoom: COUNT }), description: 'Where most stations are, for a map that opens.' },
      bytes: { ...COUNT, description: 'Memory of the index.' },
    },
    ['isReady', 'done', 'total', 'kinds', 'sources', 'focus', 'bytes'],
  ),
  KnownStations: open({
    stations: listOf(
      open(
        {
          station: TEXT,
          optedOut: { ...FLAG, description: 'It is kept out.' },
          kind: { ...TEXT, description: '`wifi`, `bluetooth`, `beacon`, or the radio type of a cell.' },
          state: { enum: ['new', 'known', 'blocked', 'imported'] },
          used: { ...FLAG, description: 'Lookups use it.' },
          blocks: { ...COUNT, description: 'How often it was blocked because it had moved.' },
          record: open(
            {
              ...PLACE,
              r50Metres: NUMBER,
              r95Metres: NUMBER,
              samples: COUNT,
              firstSeen: DAY,
              lastSeen: DAY,
              referenceDbm: NUMBER,
              exponent: NUMBER,
              code: COUNT,
            },
            ['latitude', 'longitude', 'r50Metres', 'r95Metres', 'samples'],
          ),
          sources: { ...listOf(TEXT), description: 'Sources that list it, in the order of their import.' },
          places: {
            ...listOf(open({ ...PLACE, reports: COUNT, firstSeen: DAY, lastSeen: DAY })),
            description: 'Where it was heard, the place where it is taken to be first.',
          },
        },
        ['station'],
      ),
    ),
  }),
  Misses: open(
    {
      ...COUNTS,
      from: TIME,
      to: TIME,
      isCut: { ...FLAG, description: 'There were more; the latest are counted.' },
      degrees: { ...NUMBER, description: 'Side of the squares.' },
      squares: { ...listOf(open({ ...PLACE, ...COUNTS })), description: 'By their south-western corner.' },
      countries: listOf(open({ country: TEXT, ...COUNTS })),
      unplaced: open(COUNTS),
    },
    [...Object.keys(COUNTS), 'isCut', 'degrees', 'squares', 'countries', 'unplaced'],
  ),
  BuildingModels: open(
    {
      buildings: listOf(
        open({ id: ID, name: TEXT, ...NAMES_OF_BUILDING, ...PLACE, floors: COUNT, hasMap: FLAG }, [
          'id',
          'name',
          'latitude',
          'longitude',
          'floors',
          'hasMap',
        ]),
      ),
      next: ID,
    },
    ['buildings'],
  ),
  Building: open({
    type: { const: 'FeatureCollection' },
    features: listOf(
      open({ type: { const: 'Feature' }, properties: { type: 'object' }, geometry: { type: 'object' } }),
    ),
  }),
  Levels: open({
    floor: { type: 'integer' },
    radios: listOf(open({ radio: TEXT, kind: { enum: ['wifi', 'bluetooth', 'beacon'] }, places: COUNT })),
    places: {
      ...listOf(open({ ...PLACE, levelDbm: NUMBER }, ['latitude', 'longitude'])),
      description: 'Places of the floor; with a level where the radio was heard.',
    },
  }),
  Walks: open({
    walks: listOf(
      open({
        from: TIME,
        to: TIME,
        steps: listOf(
          open({ logId: COUNT, time: TIME, ...PLACE, accuracy: NUMBER, indoor: { type: 'object' } }, [
            'logId',
            'time',
            'latitude',
            'longitude',
            'accuracy',
          ]),
        ),
      }),
    ),
  }),
} as const;
