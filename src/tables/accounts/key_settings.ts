// The settings of a key, one row each. From a row come the member of an account with its type, its field in the record
// with its range, the flag of `keys create` and `keys update` with its help, the schema of the admin interface, the
// field of the console's form, what `keys show` says, what a tenant may set, and the tables of the documents.

import { isSubnet, line } from '../../config/values.ts';
import { FALLBACK_NAMES, FALLBACK_TITLES } from '../../radio/fallbacks.ts';
import { CONFIDENCE } from '../../radio/ranges.ts';
import {
  bool,
  day,
  double,
  type Field,
  type FieldType,
  may,
  type RecordOf,
  text,
  texts,
  uint,
} from '../environment/record.ts';
import { LOG_ROUTES, ROUTE_TITLES } from '../requests/record.ts';

/** The largest balance: counters in shared memory are signed 32-bit words. */
export const CREDITS_MAX = 2_147_483_647;
/** Megabytes of disk for reports, at most. */
export const STORAGE_MEGABYTES_MAX = 1_048_576;
/** Names of the routes that a key may be limited to. */
const KEY_ROUTES: readonly string[] = LOG_ROUTES.filter(route => route !== 'other' && route !== 'status');
const LIST_MAX = 50;
const TAG = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

/** Which values a setting may have. */
interface Kind<T> {
  /** In the record. */
  type: FieldType<T>;
  /** As JSON: a schema. */
  values: Readonly<Record<string, unknown>> & { type: 'string' | 'integer' | 'number' | 'boolean' | 'array' };
  /** Of a list: gives an entry the form in which it is kept; undefined if it is none. */
  entry?(text: string): string | undefined;
  /** Of a list: what it must be, as "It must be …". */
  must?: string;
}

/** What a setting is called, and what it means. */
interface Words {
  /** The value, behind the flag. A flag without one stands alone. */
  shape?: string;
  /** In the help of the flag. */
  help: string;
  /** In the console. */
  title: string;
  /** In the admin interface and the console. */
  text: string;
  /** Its name in the flag and in what is shown of a key, where that is not its member. */
  shownAs?: string;
  /** No tenant may give it: it concerns the data of all, or what leaves the machine. */
  isOperators?: true;
}

/** A setting of a key. */
export type Setting<T> = Field<T, 'may'> & Kind<T> & Words;

const SWITCH: Kind<boolean> = { type: bool, values: { type: 'boolean' } };
const PRINTABLE: Kind<string> = { type: text, values: line(100) };
const DAY: Kind<string> = { type: day, values: { type: 'string', format: 'date' } };
const ORIGINS = list(
  { maxLength: 200, format: 'origin' },
  readOrigin,
  'origins of pages, such as https://shop.example',
);
const NETWORKS = list(
  { maxLength: 200, format: 'network' },
  readNetwork,
  'addresses and subnets, such as 203.0.113.7,2001:db8::/32',
);

/** In the order in which they are shown. A new one takes the next number of the record (account_record.ts). */
export const KEY_SETTINGS = {
  name: setting(2, PRINTABLE, {
    shape: '<text>',
    help: 'your name for the holder',
    title: 'Name',
    text: 'What you call the holder.',
  }),
  credits: setting(9, whole(0, CREDITS_MAX), {
    shape: '<number>',
    help: 'makes the key prepaid; without it, requests are only counted',
    title: 'Credits',
    text: 'Prepaid requests; without, requests are only counted.',
  }),
  monthlyCredits: setting(22, whole(1, CREDITS_MAX), {
    shape: '<number>',
    help: 'makes the key prepaid; the balance is filled up to this when a calendar month (UTC) begins',
    title: 'Credits a month',
    text: 'What the balance is filled up to when a calendar month (UTC) begins; a new quota fills it at once.',
  }),
  expires: setting(10, DAY, {
    shape: '<YYYY-MM-DD>',
    help: 'last day on which the key is valid (UTC)',
    title: 'Last day',
    text: 'Last day on which the key is valid, UTC.',
  }),
  indoor: setting(5, SWITCH, {
    help: 'indoor information by default, where the request does not say',
    title: 'Indoors by default',
    text: 'Answers name building, floor and room unless a request says otherwise.',
  }),
  address: setting(6, SWITCH, {
    help: 'an address by default, where the request does not say',
    title: 'Addresses by default',
    text: 'Answers hold the address of the position unless a request says otherwise.',
  }),
  confidence: setting(24, decimal(CONFIDENCE.min, CONFIDENCE.max), {
    shape: '<percent>',
    help: 'share of true positions in the radius by default, 50..99',
    title: 'Confidence by default',
    text: 'Percent of true positions in the radius, where the request does not say.',
  }),
  fallbacks: setting(25, someOf(FALLBACK_NAMES, FALLBACK_TITLES), {
    shape: '<names>',
    help: `fallbacks by default, with commas between: ${FALLBACK_NAMES.join(', ')}`,
    title: 'Fallbacks by default',
    text: 'Fallbacks of requests that name none.',
  }),
  routes: setting(26, someOf(KEY_ROUTES, ROUTE_TITLES), {
    shape: '<names>',
    help: `routes that it may be used for, with commas between: ${KEY_ROUTES.join(', ')}; others get 403`,
    title: 'Routes',
    text: 'Routes that the key may be used for; without, all.',
  }),
  origins: setting(27, ORIGINS, {
    shape: '<origins>',
    help: 'pages that may use it, by their origins, such as https://shop.example; others get 403',
    title: 'Pages that may use it',
    text: 'Origins of the pages that may use it; without, all, and programs.',
  }),
  networks: setting(28, NETWORKS, {
    shape: '<addresses>',
    help: 'clients that may use it, by addresses and subnets, such as 203.0.113.0/24; others get 403',
    title: 'Clients that may use it',
    text: 'Addresses and subnets of clients that may use it; without, all.',
  }),
  tags: setting(30, list({ pattern: TAG.source }, readTag, 'letters, digits, dots, hyphens and underscores'), {
    shape: '<tags>',
    help: 'groups that it belongs to, with commas between; a tenant sees the keys with its tag',
    title: 'Tags',
    text: 'Groups that it belongs to; a tenant sees the keys with its tag.',
  }),
  speedFilter: setting(7, SWITCH, {
    help: 'refuse positions that need more than the speed limit',
    title: 'Speed filter',
    text: 'Positions that need more than the speed limit are refused.',
  }),
  speedLimit: setting(8, decimal(0.01, 100_000), {
    shape: '<m/s>',
    help: 'metres a second, 0.01..100000; 100 without it',
    title: 'Speed limit, m/s',
    text: 'Of the speed filter, metres a second.',
  }),
  tracking: setting(18, SWITCH, {
    help: 'follow devices outdoors by their states',
    title: 'Follow devices',
    text: 'Devices are followed outdoors by the states that they send back.',
  }),
  ratePerSecond: setting(11, decimal(0.01, 1_000_000), {
    shape: '<number>',
    help: 'requests a second, and as many items of submissions, 0.01..1000000',
    title: 'Requests a second',
    text: 'Requests a second, and items of submissions a second.',
    shownAs: 'rate',
  }),
  devices: setting(12, whole(1, 1_000_000_000), {
    shape: '<number>',
    help: 'device ids in a calendar month, 1..1000000000; another one gets 403; requests without an id count as one',
    title: 'Devices a month',
    text: 'Device ids a calendar month.',
  }),
  storageMegabytes: setting(19, whole(0, STORAGE_MEGABYTES_MAX), {
    shape: '<MB>',
    help: 'disk that its reports may take, 0..1048576; without it 1024, and no limit for a trusted key',
    title: 'Storage, MB',
    text: 'Megabytes of disk that its reports may take; without, 1,024, and no limit for a trusted key.',
    shownAs: 'storageMb',
  }),
  contributor: setting(13, SWITCH, {
    help: 'earns credits for reports that are confirmed, if it is prepaid',
    title: 'Contributor',
    text: 'Earns credits for reports that are confirmed.',
  }),
  trusted: setting(14, SWITCH, {
    help: 'its observations need no second witness',
    title: 'Trusted',
    text: 'What it reports needs no second witness.',
    isOperators: true,
  }),
  trail: setting(17, SWITCH, {
    help: 'may ask where an access point was heard',
    title: 'Trails',
    text: 'May ask where an access point was heard.',
    isOperators: true,
  }),
  explain: setting(21, SWITCH, {
    help: 'its answers carry an explanation on request',
    title: 'Explanations',
    text: 'Its answers carry an explanation on request.',
    isOperators: true,
  }),
  upstream: setting(29, SWITCH, {
    help: 'the service of --upstream is asked for what is not found here',
    title: 'Another service',
    text: 'Where nothing is found, the service of `--upstream` is asked for it.',
    isOperators: true,
  }),
  cells: setting(31, SWITCH, {
    help: 'may list the cells of an area',
    title: 'Lists of cells',
    text: 'May list the cells of an area.',
    isOperators: true,
  }),
};

/** Settings of a key. A member that is absent is not set. */
export type AccountSettings = RecordOf<typeof KEY_SETTINGS>;

/** The settings in their order: their members and rows. */
export const SETTING_ROWS = Object.entries(KEY_SETTINGS) as [member: keyof AccountSettings, row: Setting<unknown>][];

function setting<T>(id: number, kind: Kind<T>, words: Words): Setting<T> {
  return { ...kind, ...words, ...may(id, kind.type, words.text) };
}

function whole(minimum: number, maximum: number): Kind<number> {
  return { type: uint(minimum, maximum), values: { type: 'integer', minimum, maximum } };
}

function decimal(minimum: number, maximum: number): Kind<number> {
  return { type: double(minimum, maximum), values: { type: 'number', minimum, maximum } };
}

function list(items: object, entry: (text: string) => string | undefined, must: string): Kind<string[]> {
  const array = { type: 'array', minItems: 1, maxItems: LIST_MAX, uniqueItems: true } as const;
  return { type: texts, values: { ...array, items: { type: 'string', ...items, 'x-must': must } }, entry, must };
}

/** @param titles what people call them, by name */
function someOf(names: readonly string[], titles: Readonly<Record<string, string>>): Kind<string[]> {
  const kind = list({}, text => names.find(name => name === text), `some of ${names.join(', ')}`);
  return { ...kind, values: { ...kind.values, items: { enum: names, 'x-titles': names.map(name => titles[name]) } } };
}

// Entries of lists.

/** The origin of a page, as browsers write it: `https://shop.example`; undefined if it is none. */
export function readOrigin(text: string): string | undefined {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  return origin !== 'null' && new URL(origin).href === new URL(text).href ? origin : undefined;
}

/** A tag; undefined if it is none. */
export function readTag(text: string): string | undefined {
  return TAG.test(text) ? text : undefined;
}

/** An address or a subnet in CIDR notation; undefined if it is none. */
export function readNetwork(text: string): string | undefined {
  return isSubnet(text) && !/^[a-z]+$/.test(text) ? text.toLowerCase() : undefined;
}
