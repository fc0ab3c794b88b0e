// The JSON schemas of the admin interface: what requests may carry, which the server checks, and what answers hold, for
// the OpenAPI document.

import { KEY_ROUTES, readNetwork, readOrigin } from '../../accounts/restrictions.ts';
import { FEATURE_GROUPS } from '../../features.ts';
import { FALLBACK_NAMES, TABLE_FALLBACKS } from '../../radio/fallbacks.ts';
import { CONFIDENCE } from '../../radio/ranges.ts';
import { COLUMN_ROLES } from '../../tasks/table_columns.ts';
import { CARE_ANSWERS } from './care_schemas.ts';
import { COVERAGE_ANSWERS } from './coverage_schemas.ts';
import { EXPLAIN_ANSWERS, EXPLAIN_QUERIES } from './explain_schemas.ts';
import { MAP_ANSWERS } from './map_schemas.ts';
import { COUNT, closed, DAY, FLAG, ID, listOf, NUMBER, open, type Schema, TEXT, TIME } from './schema_parts.ts';

const CREDITS_MAX = 2_147_483_647; // balances are signed 32-bit words in shared memory
const KEY_ID_MAX = 1_048_575;
/** Names of one request, within its 64 KB. */
const STATIONS_MAX = 1_000;

const SOURCE_NAME = { type: 'string', pattern: '^\\P{Cc}{1,100}$' };
const KEY_ID = { type: 'integer', minimum: 1, maximum: KEY_ID_MAX, description: 'Number of a key.' };

const KEY_DIGITS = { type: 'string', pattern: '^[1-9]\\d{0,6}$' };
/** Texts of lists. What a format takes is checked by the server, see `FORMATS`. */
const LISTED = { type: 'string', maxLength: 200 };

const TAG = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$' };

/** Formats of texts that are kept as they are sent: only in the form in which they are compared. */
export const FORMATS = {
  origin: (text: string) => readOrigin(text) === text,
  network: (text: string) => readNetwork(text) === text,
};

/** A setting that is a list. */
function someOf(items: Schema, description: string): Schema {
  return { ...listOf(items), minItems: 1, maxItems: 50, uniqueItems: true, description };
}

const SETTINGS: Readonly<Record<string, Schema>> = {
  name: { type: 'string', pattern: '^\\P{Cc}{1,100}$', description: 'What you call the holder.' },
  credits: {
    type: 'integer',
    minimum: 0,
    maximum: CREDITS_MAX,
    description: 'Prepaid requests; without, requests are only counted.',
  },
  monthlyCredits: {
    type: 'integer',
    minimum: 1,
    maximum: CREDITS_MAX,
    description: 'What the balance is filled up to when a calendar month (UTC) begins; a new quota fills it at once.',
  },
  expires: { type: 'string', format: 'date', description: 'Last day on which the key is valid, UTC.' },
  indoor: { ...FLAG, description: 'Answers name building, floor and room unless a request says otherwise.' },
  address: { ...FLAG, description: 'Answers hold the address of the position unless a request says otherwise.' },
  confidence: {
    type: 'number',
    minimum: CONFIDENCE.min,
    maximum: CONFIDENCE.max,
    description: 'Percent of true positions in the radius, where the request does not say.',
  },
  fallbacks: someOf({ enum: FALLBACK_NAMES }, 'Fallbacks of requests that name none.'),
  routes: someOf({ enum: KEY_ROUTES }, 'Routes that the key may be used for; without, all.'),
  origins: someOf({ ...LISTED, format: 'origin' }, 'Origins of the pages that may use it; without, all, and programs.'),
  tags: someOf(TAG, 'Groups that it belongs to; a tenant sees the keys with its tag.'),
  networks: someOf({ ...LISTED, format: 'network' }, 'Addresses and subnets of clients that may use it; without, all.'),
  speedFilter: { ...FLAG, description: 'Positions that need more than the speed limit are refused.' },
  speedLimit: { type: 'number', minimum: 0.01, maximum: 100_000, description: 'Of the speed filter, metres a second.' },
  tracking: { ...FLAG, description: 'Devices are followed outdoors by the states that they send back.' },
  ratePerSecond: {
    type: 'number',
    minimum: 0.01,
    maximum: 1_000_000,
    description: 'Requests a second, and items of submissions a second.',
  },
  devices: { type: 'integer', minimum: 1, maximum: 1_000_000_000, description: 'Device ids a calendar month.' },
  storageMegabytes: {
    type: 'integer',
    minimum: 0,
    maximum: 1_048_576,
    description: 'Megabytes of disk that its reports may take; without, 1,024, and no limit for a trusted key.',
  },
  contributor: { ...FLAG, description: 'Earns credits for reports that are confirmed.' },
  trusted: { ...FLAG, description: 'What it reports needs no second witness.' },
  trail: { ...FLAG, description: 'May ask where an access point was heard.' },
  explain: { ...FLAG, description: 'Its answers carry an explanation on request.' },
  cells: { ...FLAG, description: 'May list the cells of an area.' },
  upstream: { ...FLAG, description: 'Where nothing is found, the service of `--upstream` is asked for it.' },
};
/** Caps of a tenant; null takes one away. */
const CAPS = {
  keys: capOf(1_048_575, 'Keys that are not revoked.'),
  credits: capOf(CREDITS_MAX, 'Credits that its keys may take in a calendar month (UTC).'),
  storageMb: capOf(1_048_576, 'Megabytes of disk that the reports of its keys may take.'),
} as const;
const SHOWN_CAPS = open({ keys: COUNT, credits: COUNT, storageMb: COUNT }, []);

function capOf(maximum: number, description: string): Schema {
  return { anyOf: [{ type: 'integer', minimum: 0, maximum }, { type: 'null' }], description };
}

const CHANGES = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, schema]) => [name, { anyOf: [schema, { type: 'null' }] }]),
);

/** A parameter that names a column of a table, or several. */
function columnParameter({ kind, holds, isList }: { kind: string; holds: string; isList?: true }): Schema {
  const name = { type: 'string', minLength: 1, maxLength: 200 };
  const description = `With ${kind}: the column with ${holds}${isList ? '; it may be repeated' : ''}.`;
  return isList ? { anyOf: [name, { ...listOf(name), maxItems: 10 }], description } : { ...name, description };
}

/** Parameters of queries. */
export const QUERIES = {
  ...EXPLAIN_QUERIES,
  force: closed({ force: { type: 'string', const: 'true', description: 'As the flag `--force` of the command.' } }),
  days: closed({ from: DAY, to: DAY, key: { ...KEY_DIGITS, description: 'Only of this key, by its number.' } }, [
    'from',
    'to',
  ]),
  table: closed(
    {
      kind: { enum: ['locate', 'geocode', 'reverse'], description: 'As the command of this name.' },
      ...Object.fromEntries(Object.entries(COLUMN_ROLES).map(([role, of]) => [role, columnParameter(of)])),
      language: {
        type: 'string',
        pattern: '^[A-Za-z0-9-]{2,12}(,[A-Za-z0-9-]{2,12}){0,9}$',
        description: 'Languages of places, best first.',
      },
      encoding: {
        type: 'string',
        pattern: '^[A-Za-z0-9_:-]{2,20}$',
        description: 'How the table is written, such as windows-1252; without, its bytes tell.',
      },
      fallbacks: {
        type: 'string',
        pattern: `^(${TABLE_FALLBACKS.join('|')})(,(${TABLE_FALLBACKS.join('|')})){0,9}$`,
        description: 'With locate: what may stand for cells that are not known, with commas between.',
      },
      confidence: {
        type: 'string',
        pattern: '^[5-9]\\d(\\.\\d{1,6})?$',
        description: 'With locate: the share of true positions in the radius, 50 to 99; 50 without.',
      },
    },
    ['kind'],
  ),
  upload: closed(
    {
      kind: { enum: ['cells', 'wifi', 'observations', 'osm', 'importance', ...FEATURE_GROUPS] },
      format: {
        type: 'string',
        pattern: '^[a-z]{1,20}$',
        description: 'How measurements are written; told from their contents when left out.',
      },
      source: {
        ...SOURCE_NAME,
        description:
          'Name of the import, required for all kinds but observations. What was imported under it before is ' +
          'replaced; observations are added to it.',
      },
      replace: {
        type: 'string',
        const: 'true',
        description:
          'As the flag `--replace` of the command: the import may lack more than half of what was imported ' +
          'under its name before.',
      },
    },
    ['kind'],
  ),
} as const;

/** Bodies of requests. */
export const BODIES = {
  newKey: closed(SETTINGS),
  changes: { ...closed(CHANGES), minProperties: 1 },
  credit: closed({ credits: { type: 'integer', minimum: 1, maximum: CREDITS_MAX } }, ['credits']),
  overlap: closed({ overlapSeconds: { type: 'integer', minimum: 0, maximum: 31_622_400 } }, ['overlapSeconds']),
  named: closed({ name: SOURCE_NAME }, ['name']),
  tagged: closed({ tag: TAG }, ['tag']),
  newTenant: closed({ tag: TAG, ...CAPS }, ['tag']),
  forget: {
    ...closed({
      stations: {
        ...listOf({ type: 'string', minLength: 1, maxLength: 100 }),
        minItems: 1,
        maxItems: STATIONS_MAX,
        description: 'MAC addresses, UUID/MAJOR/MINOR, or RADIO-COUNTRY-NETWORK-AREA-CELL.',
      },
      mayReturn: { ...FLAG, description: 'With stations: they may be learned again from what comes later.' },
      contributor: { ...KEY_ID, description: 'Number of the key whose reports and logged requests go.' },
      device: {
        type: 'string',
        minLength: 1,
        maxLength: 20,
        description: 'Id of the device whose reports and logged requests go.',
      },
      account: { ...KEY_ID, description: 'With device: only of this key.' },
      report: {
        type: 'integer',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The logId of the request that goes.',
      },
    }),
    oneOf: ['stations', 'contributor', 'device', 'report'].map(member => ({ required: [member] })),
  },
  login: closed({ token: { type: 'string', minLength: 1, maxLength: 200 } }, ['token']),
  position: { type: 'object', description: 'The body of `POST /` of the public address.' },
} as const;

const KEY = open(
  {
    id: ID,
    created: TIME,
    revoked: FLAG,
    name: TEXT,
    credits: COUNT,
    monthlyCredits: COUNT,
    expires: DAY,
    rate: { type: 'number' },
    devices: COUNT,
    storageMb: COUNT,
    ...Object.fromEntries(Object.entries(SETTINGS).filter(([, { type }]) => type === 'boolean')),
    speedLimit: { type: 'number' },
    loopbackOnly: { ...FLAG, description: 'The demo key: it works from this machine only.' },
    confidence: NUMBER,
    fallbacks: listOf(TEXT),
    routes: listOf(TEXT),
    origins: listOf(TEXT),
    networks: listOf(TEXT),
    tags: listOf(TEXT),
    previousKeyUntil: { ...TIME, description: 'Until when the key before the last rotation works.' },
  },
  ['id', 'created', 'revoked'],
);
const VALUE = { type: ['string', 'number', 'boolean', 'null'], description: '`null` where there is none.' };
const SUMS = open({ requests: COUNT, answered: COUNT, credits: COUNT });
const PROGRESS = open(
  { phase: TEXT, rows: COUNT, bytesDone: COUNT, bytesTotal: COUNT, secondsLeft: { type: 'number' } },
  ['phase', 'rows', 'bytesDone', 'bytesTotal'],
);
const STEPS = {
  percent: { ...COUNT, maximum: 100, description: 'Of the receipt or of the phase; absent where nobody knows.' },
  progress: PROGRESS,
  result: { type: 'object', description: 'As the command prints it.' },
  error: TEXT,
};

/** The schemas of the document. */
export const ANSWERS = {
  Error: open({ error: { ...TEXT, description: 'A sentence.' } }),
  Status: open({
    version: TEXT,
    uptimeSeconds: COUNT,
    problems: { ...listOf(TEXT), description: 'What keeps the service from doing its work, as in `/ready`.' },
    warnings: {
      ...listOf(
        open({ id: { ...TEXT, description: 'Never changes.' }, text: TEXT, remedy: TEXT, command: TEXT }, [
          'id',
          'text',
          'remedy',
        ]),
      ),
      description: 'All that is wrong, as far as it shows, and what to do.',
    },
  }),
  Session: open({
    access: { enum: ['all', 'read', 'none'], description: '`none`: only after a login.' },
    isLoggedIn: { ...FLAG, description: 'There is a session; without one, a demo may be read.' },
    version: TEXT,
    publicUrl: { ...TEXT, description: 'Address for devices.' },
  }),
  Settings: open({
    settings: { ...listOf(TEXT), description: 'A line for each setting that has a value.' },
    values: listOf(
      open({
        name: { ...TEXT, description: 'As its flag, without dashes.' },
        value: VALUE,
        default: VALUE,
        from: { enum: ['flag', 'environment', 'file', 'default'] },
      }),
    ),
  }),
  ...MAP_ANSWERS,
  Tile: { description: 'A Mapbox vector tile, version 2.1; docs/admin.md lists its layers.' },
  Key: KEY,
  NewKey: { allOf: [KEY, open({ key: { ...TEXT, description: 'Shown only now.' } })] },
  ShownKey: {
    allOf: [
      KEY,
      open(
        {
          storedBytes: { ...COUNT, description: 'What its reports take of the disk.' },
          usage: open({ lastUse: TIME, today: SUMS, last30Days: SUMS }, ['today', 'last30Days']),
        },
        ['usage'],
      ),
    ],
  },
  Keys: open({ keys: listOf(KEY) }),
  Tenants: open(
    {
      tenants: listOf(TEXT),
      caps: { type: 'object', additionalProperties: SHOWN_CAPS, description: 'By tag, of those that have some.' },
    },
    ['tenants'],
  ),
  NewTenant: open({ tag: TEXT, token: { ...TEXT, description: 'Shown only now.' }, caps: SHOWN_CAPS }, [
    'tag',
    'token',
  ]),
  Tenant: open({ tag: TEXT }),
  Usage: open({
    rows: listOf(
      open(
        {
          day: DAY,
          key: ID,
          name: TEXT,
          route: TEXT,
          requests: COUNT,
          answered: COUNT,
          credits: COUNT,
          devices: COUNT,
          last_request: TIME,
        },
        ['day', 'key', 'route', 'requests', 'answered', 'credits', 'devices', 'last_request'],
      ),
    ),
  }),
  Import: open(
    {
      id: ID,
      kind: TEXT,
      format: TEXT,
      source: TEXT,
      replace: FLAG,
      state: { enum: ['receiving', 'importing', 'done', 'failed', 'cancelled'] },
      bytes: { ...COUNT, description: 'That have come so far.' },
      ...STEPS,
    },
    ['id', 'kind', 'state', 'bytes'],
  ),
  Table: open(
    {
      id: ID,
      kind: TEXT,
      columns: { type: 'object', description: 'Names of columns, as the request says them.' },
      languages: listOf(TEXT),
      fallbacks: listOf(TEXT),
      confidence: NUMBER,
      encoding: { ...TEXT, description: 'As the table is read, and written again.' },
      state: { enum: ['receiving', 'answering', 'done', 'failed'] },
      bytes: { ...COUNT, description: 'That have come so far.' },
      percent: COUNT,
      rows: COUNT,
      found: COUNT,
      error: TEXT,
    },
    ['id', 'kind', 'state', 'bytes'],
  ),
  Tables: open({ tables: listOf({ $ref: '#/components/schemas/Table' }) }),
  AnsweredTable: { ...TEXT, description: 'The table, with latitude, longitude, radius, place and quality.' },
  Imports: open({ imports: listOf({ $ref: '#/components/schemas/Import' }) }),
  Job: open({ id: ID, verb: TEXT, state: { enum: ['running', 'done', 'failed'] }, ...STEPS }, ['id', 'verb', 'state']),
  Jobs: open({ jobs: listOf({ $ref: '#/components/schemas/Job' }) }),
  Sources: open({
    sources: listOf(
      open({ name: TEXT, kind: TEXT, rows: COUNT, importedAt: TIME, sequence: COUNT, upTo: TIME }, [
        'name',
        'kind',
        'rows',
        'importedAt',
      ]),
    ),
  }),
  Buildings: open({
    buildings: listOf(open({ name: TEXT, buildings: COUNT, floors: COUNT, rooms: COUNT, importedAt: TIME })),
  }),
  Stations: open({ stations: { ...listOf(TEXT), description: 'Names of the stations that are kept out.' } }),
  ...EXPLAIN_ANSWERS,
  ...CARE_ANSWERS,
  ...COVERAGE_ANSWERS,
  Rotation: open(
    { oldUntil: { ...TIME, description: 'Until when the old secret opens state tokens; absent if it does no more.' } },
    [],
  ),
} as const satisfies Readonly<Record<string, Schema>>;
