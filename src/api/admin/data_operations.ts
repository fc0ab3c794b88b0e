// The routes of data: imports, tables that are answered, sources, and what is forgotten.

import { line } from '../../config/values.ts';
import { FEATURE_GROUPS } from '../../features.ts';
import { readImportList } from '../../folder/import_list.ts';
import { readOptedOut } from '../../folder/opted_out.ts';
import { LICENCE_MAX } from '../../jobs/address_job.ts';
import { listSources } from '../../jobs/sources.ts';
import { TABLE_FALLBACKS } from '../../radio/fallbacks.ts';
import { COLUMN_ROLES } from '../../tasks/table_columns.ts';
import { ADDRESS_HOLDS, ADDRESS_ROLES } from '../../transfer/addresses/address_columns.ts';
import { lookAt } from './imports.ts';
import { groupOf, route } from './operation.ts';
import {
  COUNT,
  closed,
  FLAG,
  ID,
  listOf,
  NAMED,
  NUMBER,
  open,
  optional,
  type Schema,
  SET,
  SOURCE_NAME,
  STEPS,
  TEXT,
  TIME,
} from './schema_parts.ts';
import { TABLE_TYPE } from './tables.ts';

/** Names of one request, within its 64 KB. */
const STATIONS_MAX = 1_000;
const KEY_ID = { type: 'integer', minimum: 1, maximum: 1_048_575, description: 'Number of a key.' } as const;

/** A parameter that names a column of a table, or several. */
function columnParameter({ kind, holds, isList }: { kind: string; holds: string; isList?: true }): Schema {
  const name = { type: 'string', minLength: 1, maxLength: 200 };
  const description = `With ${kind}: the column with ${holds}${isList ? '; it may be repeated' : ''}.`;
  return isList ? { anyOf: [name, { ...listOf(name), maxItems: 10 }], description } : { ...name, description };
}

const ENCODING = {
  type: 'string',
  pattern: '^[A-Za-z0-9_:-]{2,20}$',
  maxLength: 20,
  'x-must': 'the name of an encoding, such as windows-1252',
  description: 'How the table is written, such as windows-1252; without, its bytes tell.',
} as const;

const TABLE_KINDS = ['locate', 'geocode', 'reverse'] as const;
const TABLE_QUERY = closed({
  kind: { enum: TABLE_KINDS, description: 'As the command of this name.' },
  ...Object.fromEntries(Object.entries(COLUMN_ROLES).map(([role, of]) => [`${role}?`, columnParameter(of)])),
  'language?': {
    type: 'string',
    pattern: '^[A-Za-z0-9-]{2,12}(,[A-Za-z0-9-]{2,12}){0,9}$',
    'x-must': 'up to ten codes of languages, such as de,en',
    description: 'Languages of places, best first.',
  },
  'encoding?': ENCODING,
  'fallbacks?': {
    type: 'string',
    pattern: `^(${TABLE_FALLBACKS.join('|')})(,(${TABLE_FALLBACKS.join('|')})){0,9}$`,
    'x-must': `some of ${TABLE_FALLBACKS.join(', ')}, with commas between`,
    description: 'With locate: what may stand for cells that are not known, with commas between.',
  },
  'confidence?': {
    type: 'string',
    pattern: '^[5-9]\\d(\\.\\d{1,6})?$',
    'x-must': 'a number from 50 to 99',
    description: 'With locate: the share of true positions in the radius, 50 to 99; 50 without.',
  },
});

const OF_ADDRESSES = 'addresses and postcodes';
/** What is said of tables of addresses. */
const ADDRESS_QUERY = {
  'licence?': {
    ...line(LICENCE_MAX),
    description: `With ${OF_ADDRESSES}: under which licence the data is; answers say it.`,
  },
  'country?': {
    type: 'string',
    pattern: '^[A-Za-z]{2}$',
    maxLength: 2,
    'x-must': 'a code of two letters, such as AU',
    description: `With ${OF_ADDRESSES}: the country of all rows, such as AU; rows elsewhere are refused.`,
  },
  'encoding?': ENCODING,
  ...Object.fromEntries(
    ADDRESS_ROLES.map(role => [
      `${role}?`,
      columnParameter({ kind: OF_ADDRESSES, holds: ADDRESS_HOLDS[role], isList: true }),
    ]),
  ),
} as const;

const UPLOAD_KINDS = [
  'cells',
  'wifi',
  'observations',
  'osm',
  'places',
  'addresses',
  'postcodes',
  'importance',
] as const;
const UPLOAD_QUERY = closed({
  kind: { enum: [...UPLOAD_KINDS, ...FEATURE_GROUPS], description: 'As the command of this name.' },
  'format?': {
    type: 'string',
    pattern: '^[a-z]{1,20}$',
    'x-must': 'the name of a format',
    description: 'How measurements are written; told from their contents when left out.',
  },
  'source?': {
    ...SOURCE_NAME,
    description:
      'Name of the import, required for all kinds but observations. What was imported under it before is ' +
      'replaced; observations are added to it.',
  },
  'replace?': {
    ...SET,
    description:
      'As the flag `--replace` of the command: the import may lack more than half of what was imported ' +
      'under its name before.',
  },
  ...ADDRESS_QUERY,
});

const LOOK_QUERY = closed({
  kind: { enum: ['addresses', 'postcodes'], description: 'What the rows are.' },
  ...ADDRESS_QUERY,
});

const FORGET = {
  ...closed({
    'stations?': {
      ...listOf({ type: 'string', minLength: 1, maxLength: 100 }),
      minItems: 1,
      maxItems: STATIONS_MAX,
      description: 'MAC addresses, UUID/MAJOR/MINOR, or RADIO-COUNTRY-NETWORK-AREA-CELL.',
    },
    'mayReturn?': { ...FLAG, description: 'With stations: they may be learned again from what comes later.' },
    'contributor?': { ...KEY_ID, description: 'Number of the key whose reports and logged requests go.' },
    'device?': {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      description: 'Id of the device whose reports and logged requests go.',
    },
    'account?': { ...KEY_ID, description: 'With device: only of this key.' },
    'report?': {
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The logId of the request that goes.',
    },
  }),
  oneOf: ['stations', 'contributor', 'device', 'report'].map(member => ({ required: [member] })),
} as const;

const ANSWERS = {
  Import: open({
    id: ID,
    kind: TEXT,
    'format?': TEXT,
    'source?': TEXT,
    'replace?': FLAG,
    ...{ 'licence?': TEXT, 'country?': TEXT, 'encoding?': TEXT },
    'columns?': { type: 'object', description: 'Names of columns, as the request says them.' },
    state: { enum: ['receiving', 'importing', 'done', 'failed', 'cancelled'] },
    bytes: { ...COUNT, description: 'That have come so far.' },
    ...STEPS,
  }),
  AddressLook: open({
    format: { ...TEXT, description: '`table`, `GeoJSON`, or whose list without a header it is.' },
    'table?': { ...TEXT, description: 'Of an archive: the table in it.' },
    encoding: TEXT,
    columns: {
      ...listOf(open({ name: TEXT, example: TEXT })),
      description: 'Each with the beginning of its value in the first row.',
    },
    recognised: {
      ...open(optional(Object.fromEntries(ADDRESS_ROLES.map(role => [role, listOf(TEXT)])))),
      description: 'Columns by what is read of them.',
    },
    missing: {
      ...listOf({ enum: ADDRESS_ROLES }),
      description: 'What has no column and must have one; then no row is read. Of street and city, one is enough.',
    },
    rows: {
      ...listOf(
        open({
          ...{ line: COUNT, number: TEXT, street: TEXT, city: TEXT, postcode: TEXT },
          ...{ latitude: NUMBER, longitude: NUMBER },
        }),
      ),
      description: 'The first five that would be imported, as they are read.',
    },
    accepted: { ...COUNT, description: 'Of all rows in these bytes.' },
    refused: COUNT,
    refusedByRule: { type: 'object' },
    refusedLines: { ...listOf(open({ line: COUNT, why: TEXT })), description: 'The first five.' },
    isCut: { ...FLAG, description: 'More rows follow.' },
  }),
  Table: open({
    id: ID,
    kind: TEXT,
    'columns?': { type: 'object', description: 'Names of columns, as the request says them.' },
    'languages?': listOf(TEXT),
    'fallbacks?': listOf(TEXT),
    'confidence?': NUMBER,
    'encoding?': { ...TEXT, description: 'As the table is read, and written again.' },
    state: { enum: ['receiving', 'answering', 'done', 'failed'] },
    bytes: { ...COUNT, description: 'That have come so far.' },
    'percent?': COUNT,
    'rows?': COUNT,
    'found?': COUNT,
    'error?': TEXT,
  }),
  TableLook: open({
    encoding: TEXT,
    columns: {
      ...listOf(open({ name: TEXT, example: TEXT })),
      description: 'Each with the beginning of its value in the first row.',
    },
    kind: { enum: TABLE_KINDS, description: 'What is likely to be asked of it.' },
    recognised: { type: 'object', additionalProperties: TEXT, description: 'Columns by what is read of them.' },
  }),
  TableRows: open({
    columns: listOf(TEXT),
    rows: listOf(
      open({
        line: COUNT,
        cells: listOf(TEXT),
        ...{ 'latitude?': NUMBER, 'longitude?': NUMBER, 'radius?': NUMBER },
        ...{ place: TEXT, quality: TEXT },
      }),
    ),
  }),
  Tables: open({ tables: listOf({ $ref: '#/components/schemas/Table' }) }),
  AnsweredTable: { ...TEXT, description: 'The table, with latitude, longitude, radius, place and quality.' },
  Imports: open({
    imports: listOf({ $ref: '#/components/schemas/Import' }),
    bySetting: {
      ...listOf(
        open({
          ...{ id: TEXT, kind: TEXT, file: TEXT },
          state: { enum: ['waiting', 'fetching', 'importing', 'done', 'failed'] },
          ...{ 'percent?': COUNT, 'error?': TEXT, 'failures?': COUNT, 'importedAt?': TIME, 'nextAt?': TIME },
        }),
      ),
      description: 'Those that `--import` names.',
    },
  }),
  Sources: open({
    sources: listOf(
      open({
        ...{ name: TEXT, kind: TEXT, rows: COUNT, importedAt: TIME, 'sequence?': COUNT, 'upTo?': TIME },
        'licence?': { ...TEXT, description: 'Of addresses and postcodes.' },
        'registers?': {
          ...listOf(open({ name: TEXT, 'licence?': TEXT })),
          description: 'Of finished places: the sources of addresses in them.',
        },
        'pointsOnly?': { ...FLAG, description: 'Its places answer points, and no searches.' },
      }),
    ),
  }),
  Stations: open({ stations: { ...listOf(TEXT), description: 'Names of the stations that are kept out.' } }),
} as const;

/** The group. */
export const DATA = groupOf(ANSWERS, [
  route('GET /imports', {
    name: 'listImports',
    needsToken: true,
    summary: 'Imports that were begun here, and those of the setting',
    success: [200, 'A list.', 'Imports'],
    answer: ({ imports, folder }) => ({ imports: imports.list(), bySetting: readImportList(folder) }),
  }),
  route('POST /imports', {
    name: 'import',
    summary: 'Import a file',
    query: UPLOAD_QUERY,
    isUpload: true,
    success: [202, 'The import, which has begun.', 'Import'],
    answer: ({ imports }, { query, request, reply }) => imports.take(query, request, reply),
  }),
  route('POST /imports/look', {
    name: 'lookAtAddresses',
    summary: 'Look at the first bytes of a table of addresses, as an import would read them; nothing is imported',
    query: LOOK_QUERY,
    isUpload: true,
    success: [200, 'What is seen.', 'AddressLook'],
    answer: (_, { query, request }) => lookAt(query, request),
  }),
  route('GET /imports/{id}', {
    name: 'showImport',
    needsToken: true,
    summary: 'How far an import has come',
    success: [200, 'The import.', 'Import'],
    answer: ({ imports }, { id }) => imports.get(id),
  }),
  route('POST /imports/{id}/cancel', {
    name: 'cancelImport',
    summary: 'Have an import end early, and leave nothing of it',
    success: [202, 'The import, which ends soon.', 'Import'],
    answer: ({ imports }, { id }) => imports.cancel(id),
  }),
  route('GET /tables', {
    name: 'listTables',
    needsToken: true,
    summary: 'Tables that were sent here',
    success: [200, 'A list.', 'Tables'],
    answer: ({ tables }) => ({ tables: tables.list() }),
  }),
  route('POST /tables', {
    name: 'answerTable',
    summary: 'Find the position or the place of each row of a table',
    query: TABLE_QUERY,
    isUpload: true,
    success: [202, 'The table, which is being answered.', 'Table'],
    answer: ({ tables }, { query, request }) => tables.take(query, request),
  }),
  route('POST /tables/look', {
    name: 'lookAtTable',
    summary: 'Look at the first bytes of a table: its columns, and what of them is recognised; nothing is kept',
    query: closed({ 'encoding?': ENCODING }),
    isUpload: true,
    success: [200, 'What is seen.', 'TableLook'],
    answer: ({ tables }, { query, request }) => tables.look(query, request),
  }),
  route('GET /tables/{id}', {
    name: 'showTable',
    needsToken: true,
    summary: 'How far a table has come',
    success: [200, 'The table.', 'Table'],
    answer: ({ tables }, { id }) => tables.get(id),
  }),
  route('GET /tables/{id}/rows', {
    name: 'showAnsweredRows',
    needsToken: true,
    summary: 'The first hundred rows of an answered table',
    success: [200, 'The rows.', 'TableRows'],
    answer: ({ tables }, { id }) => tables.firstRows(id),
  }),
  route('GET /tables/{id}/result', {
    name: 'showAnsweredTable',
    needsToken: true,
    summary: 'The table with positions and places in it',
    mediaType: TABLE_TYPE,
    success: [200, 'The table.', 'AnsweredTable'],
    answer: ({ tables }, { id, reply }) => tables.sendResult(id, reply),
  }),
  route('GET /sources', {
    name: 'listSources',
    summary: 'What was imported, by name',
    success: [200, 'A list.', 'Sources'],
    answer: async ({ folder }) => ({ sources: await listSources(folder) }),
  }),
  route('POST /sources/remove', {
    name: 'removeSource',
    summary: 'Take a source out, as if it had never been imported',
    body: NAMED,
    success: [202, 'The job, which has begun.', 'Job'],
    answer: ({ jobs }, { body: { name } }) => jobs.begin({ verb: 'sources', action: 'remove', name }),
  }),
  route('GET /forget', {
    name: 'listForgotten',
    summary: 'Stations that are kept out',
    success: [200, 'A list.', 'Stations'],
    answer: ({ folder }) => ({ stations: readOptedOut(folder) }),
  }),
  route('POST /forget', {
    name: 'forget',
    summary: 'Remove stations, or what a contributor, a device or a request has brought',
    body: FORGET,
    success: [202, 'The job, which has begun.', 'Job'],
    answer: ({ jobs }, { body }) => jobs.forget(body),
  }),
]);
