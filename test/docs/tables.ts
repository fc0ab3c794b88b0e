// Tables of the documents that repeat what the code decides, built from the code. Those between markers are written by
// `npm run docs:write`:
//
//   <!-- imports begin -->  ...  <!-- imports end -->

import { Command } from 'commander';
import { addKeys } from '../../src/commands/keys.ts';
import { withServiceOptions } from '../../src/config.ts';
import { INTAKE_RULES } from '../../src/intake/rules.ts';
import { TRANSITIONS } from '../../src/learning/transitions.ts';
import { EXPLANATIONS } from '../../src/protocol/answers/explanation_schema.ts';
import { POSITION_ANSWERS } from '../../src/protocol/answers/position_schema.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { requestSchemas } from '../../src/protocol/openapi/request_schemas.ts';
import { FALLBACKS } from '../../src/radio/fallbacks.ts';
import { CELL_RANGES, type CellRanges, type Range } from '../../src/radio/ranges.ts';
import { SETTING_ROWS } from '../../src/tables/accounts/key_settings.ts';
import { LEARNED_BLOCKED, LEARNED_KNOWN, LEARNED_NEW } from '../../src/tables/stations/learned_record.ts';
import { BANDS, LIBRARIES } from '../import_rules.ts';
import { CAPS } from './caps.ts';

/** More members than these have a section of their own. */
const LISTED_MEMBERS_MAX = 6;
/** Sections that say more of a member. */
const LINKS: Readonly<Record<string, string>> = {
  address: ' Members as in [`/reverse`](geocoding.md#address-of-a-point).',
  fallback: ' See [fallbacks](api.md#fallbacks).',
  state: ' See [tracking](api.md#tracking).',
  explain: ' See [explain.md](explain.md#over-http).',
};

/** Where more is said of a setting of the service. */
const SETTING_LINKS: Readonly<Record<string, string>> = {
  config: 'admin.md#configuration-file',
  compute: 'operating.md#configuration',
  'max-memory': 'operating.md#configuration',
  'log-requests': 'operating.md#requests',
  import: 'importing.md#by-one-setting',
  sync: 'operating.md#data-folder',
  'lone-beacons': 'security.md#what-one-address-tells',
  calibrate: 'learning.md#what-the-service-measures-of-itself',
  'contribution-credits': 'learning.md#what-contributors-earn',
  dialects: 'dialects.md',
  'tls-cert': 'operating.md#https',
  'trust-proxy': 'operating.md#https',
  metrics: 'monitoring.md#metrics',
  otlp: 'monitoring.md#traces',
  'anonymous-key': 'operating.md#keys',
  'backup-folder': 'admin.md#admin-interface',
  geoip: 'operating.md#places-of-addresses',
  map: 'console.md#map',
  'hook-forward': 'dialects.md#webhooks-of-lorawan-servers',
  upstream: 'operating.md#another-service',
  cluster: 'cluster.md',
  admin: 'admin.md#admin-interface',
  console: 'console.md#for-all',
  'access-log': 'monitoring.md#logs',
};
/** Where more is said of a setting of a key. */
const KEY_LINKS: Readonly<Record<string, string>> = {
  'monthly-credits': 'operating.md#keys',
  fallbacks: 'api.md#fallbacks',
  routes: 'operating.md#requests',
  tags: 'admin.md#tenants',
  'speed-filter': 'api.md#tracking',
  tracking: 'api.md#tracking',
  rate: 'api.md#contribute',
  'storage-mb': 'operating.md#keys',
  contributor: 'learning.md#what-contributors-earn',
  trusted: 'learning.md#when-a-station-counts',
  trail: 'api.md#trail',
  explain: 'explain.md#over-http',
  upstream: 'operating.md#another-service',
  cells: 'dialects.md#opencellid',
};
/** Defaults that depend on the machine. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'http-threads': 'cores − 1, 1..8',
  workers: 'as many as HTTP threads',
};

const STATES = new Map([
  [0, 'never seen'],
  [LEARNED_NEW, 'new'],
  [LEARNED_KNOWN, 'known'],
  [LEARNED_BLOCKED, 'blocked'],
]);

/** The tables that are written into each document, by the name of their markers. */
export const DOCUMENTED_TABLES: ReadonlyMap<string, Readonly<Record<string, () => string>>> = new Map([
  [
    'docs/members.md',
    {
      body: () => memberTable(REQUESTS.PositionRequest),
      cells: cellTable,
      'access points': () => memberTable(REQUESTS.AccessPoint),
      beacons: () => memberTable(REQUESTS.Beacon),
      gps: () => memberTable(REQUESTS.PositionRequest.properties!.gps),
      sensors: () => memberTable(REQUESTS.Sensor),
      position: answerTable,
    },
  ],
  ['docs/architecture.md', { imports: importTable }],
  ['docs/security.md', { caps: capTable }],
  ['docs/settings.md', { service: serviceTable, keys: keyTable }],
  ['docs/learning.md', { intake: intakeTable, 'life-cycle': lifeCycleTable }],
]);

/** A document with its tables. @throws Error where it lacks a marker */
export function withTables(document: string, text: string): string {
  let written = text;
  for (const [name, rows] of Object.entries(DOCUMENTED_TABLES.get(document) ?? {})) {
    const [begin, end] = ['begin', 'end'].map(which => `<!-- ${name} ${which} -->`);
    const from = written.indexOf(begin);
    const to = written.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`${document} needs the markers "${begin}" and "${end}".`);
    written = `${written.slice(0, from + begin.length)}\n${rows()}\n${written.slice(to)}`;
  }
  return written;
}

/** The settings of the service, as its help describes them. */
function serviceTable(): string {
  const rows = withServiceOptions(new Command()).options.map(({ long, description }) => {
    const name = long!.slice(2);
    const [, meaning, found = ''] = /^(.*) \((?:default (.*); )?SEXTANT_\w+\)$/s.exec(description)!;
    return [`\`${long}\``, DEFAULTS[name] ?? found, meaning + linkTo(SETTING_LINKS[name])];
  });
  return table(['setting', 'default', 'meaning'], rows);
}

/** The settings of a key, as its help describes them, with their members in the admin interface. */
function keyTable(): string {
  const program = new Command();
  addKeys(program);
  const { options } = program.commands[0].commands.find(command => command.name() === 'create')!;
  const flags = options.filter(({ envVar }) => envVar === undefined);
  const rows = SETTING_ROWS.map(([member, { help, isOperators }], i) => [
    `\`${flags[i].flags}\``,
    `\`${member}\``,
    isOperators ? 'no' : 'yes',
    help + linkTo(KEY_LINKS[flags[i].long!.slice(2)]),
  ]);
  return table(['setting', 'member', 'tenants may', 'meaning'], rows);
}

function linkTo(target: string | undefined): string {
  return target === undefined ? '' : ` ([${target.replace(/#.*/, '')}](${target}))`;
}

/** The members of an answered position, as the OpenAPI document describes them. */
function answerTable(): string {
  const members = Object.entries(POSITION_ANSWERS.Position.properties as Record<string, Described>);
  return table(
    ['member', 'presence and meaning'],
    members.map(([name, { description, $ref }]) => {
      const { description: ofType, properties = {} } = schemaOf($ref);
      const inner = Object.keys(properties);
      const list = inner.length > 0 && inner.length <= LISTED_MEMBERS_MAX ? ` Members: ${code(inner)}.` : '';
      return [`\`${name}\``, (description ?? `${ofType}${list}`) + (LINKS[name] ?? '')];
    }),
  );
}

interface Described {
  description?: string;
  $ref?: string;
  properties?: Record<string, Described>;
  type?: string | string[];
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  items?: Described;
  anyOf?: Described[];
}

const REQUESTS = requestSchemas() as Record<string, Described>;
/** Sections of members that are objects or lists. */
const MEMBER_LINKS: Readonly<Record<string, string>> = {
  cellTowers: '#cells',
  wifiAccessPoints: '#access-points',
  bluetoothBeacons: '#beacons',
  gps: '#gps',
  sensors: '#sensors',
  fallbacks: 'api.md#fallbacks',
  lastLocation: 'api.md#tracking',
  state: 'api.md#tracking',
  indoor: 'indoor.md',
  explain: 'explain.md#over-http',
};

/** The members of a part of a request, as the OpenAPI document describes them. */
function memberTable({ properties = {} }: Described): string {
  return table(
    ['member', 'values', 'meaning'],
    Object.entries(properties).map(([name, member]) => [
      MEMBER_LINKS[name] === undefined ? `\`${name}\`` : `[\`${name}\`](${MEMBER_LINKS[name]})`,
      valuesOf(member),
      member.description ?? '',
    ]),
  );
}

function valuesOf({ type = '', enum: values, minimum, maximum, anyOf }: Described): string {
  if (values !== undefined) return values.join(', ');
  if (minimum !== undefined) return maximum === undefined ? `from ${minimum}` : `${minimum}..${maximum}`;
  if (anyOf !== undefined) return valuesOf(anyOf[0]);
  return [type]
    .flat()
    .filter(name => name !== 'null')
    .join(', ');
}

function schemaOf(reference: string | undefined): Described {
  const name = reference?.split('/').at(-1) ?? '';
  return { ...POSITION_ANSWERS, ...EXPLANATIONS }[name] ?? {};
}

/** The rules of intake, in the order in which they are tried. */
function intakeTable(): string {
  return table(
    ['rule', 'refuses', 'what'],
    INTAKE_RULES.map(({ name, refuses, description }) => [name, refuses, description]),
  );
}

/** What each event does to a station, by its state: the action, and the state after it. */
function lifeCycleTable(): string {
  const events = [...new Set(Object.values(TRANSITIONS).flatMap(row => Object.keys(row)))];
  const rows = events.map(event => [
    event,
    ...[...STATES.keys()].map(state => {
      const [action, next] = TRANSITIONS[state][event as keyof (typeof TRANSITIONS)[number]] ?? [];
      return action === undefined ? '' : `${action}: ${STATES.get(next!)}`;
    }),
  ]);
  return table(['event', ...STATES.values()], rows);
}

/** What a request may ask for. */
function capTable(): string {
  return table(
    ['what', 'most', 'beyond it'],
    CAPS.map(({ what, most, beyond }) => [what, most, beyond]),
  );
}

/** The ranges of a cell's members by radio type. */
function cellTable(): string {
  const radios = Object.values(CELL_RANGES);
  const members = Object.keys(radios[0]) as (keyof CellRanges)[];
  return table(
    ['member', ...Object.keys(CELL_RANGES)],
    members.map(member => [`\`${member}\``, ...radios.map(ranges => rangeText(ranges[member]))]),
  );
}

/** A range as the documents write it: `0..63`, with one more value where there is one, and a dash for none. */
export function rangeText({ min, max, also }: Range): string {
  if (max < min) return '-';
  return also === max ? `${min}..${max}` : `${min}..${max}, ${also}`;
}

/** The first columns of the table of errors. */
export function errorRows(): string[] {
  return Object.values(ERRORS).map(({ status, domain, reason }) => `| ${status} | ${domain} | \`${reason}\` |`);
}

/** The first columns of the table of fallbacks. */
export function fallbackRows(): string[] {
  return FALLBACKS.map(({ name, isInAll }) => `| \`${name}\` | ${isInAll ? 'yes' : 'no'} |`);
}

/** The bands of rooms, highest first, with the outside libraries that the rooms of each band import. */
function importTable(): string {
  const rows = BANDS.map((rooms, i) => {
    const libraries = Object.keys(LIBRARIES).filter(library => LIBRARIES[library].some(room => rooms.includes(room)));
    return [String(i + 1), code(rooms).replace('`wasm/constants`', 'constants of `wasm`'), code(libraries)];
  });
  return table(['band', 'rooms', 'libraries'], rows.reverse());
}

function code(names: readonly string[]): string {
  return names.map(name => `\`${name}\``).join(', ');
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');
}
