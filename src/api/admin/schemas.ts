// The JSON schemas of keys, of tenants and of what keys have used: what requests may carry, which the server checks,
// and what answers hold, for the OpenAPI document.

import { KEY_ROUTES, readNetwork, readOrigin } from '../../accounts/restrictions.ts';
import { FALLBACK_NAMES } from '../../radio/fallbacks.ts';
import { CONFIDENCE } from '../../radio/ranges.ts';
import {
  COUNT,
  closed,
  DAY,
  FLAG,
  ID,
  listOf,
  NUMBER,
  open,
  optional,
  type Schema,
  TEXT,
  TIME,
} from './schema_parts.ts';

const CREDITS_MAX = 2_147_483_647; // balances are signed 32-bit words in shared memory
/** Texts of lists. What a format takes is checked by the server, see `FORMATS`. */
const LISTED = { type: 'string', maxLength: 200 };

const TAG = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$' } as const;

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
  'keys?': capOf(1_048_575, 'Keys that are not revoked.'),
  'credits?': capOf(CREDITS_MAX, 'Credits that its keys may take in a calendar month (UTC).'),
  'storageMb?': capOf(1_048_576, 'Megabytes of disk that the reports of its keys may take.'),
} as const;
const SHOWN_CAPS = open({ 'keys?': COUNT, 'credits?': COUNT, 'storageMb?': COUNT });

function capOf(maximum: number, description: string) {
  return { anyOf: [{ type: 'integer', minimum: 0, maximum }, { type: 'null' }], description } as const;
}

const CHANGES = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, schema]) => [name, { anyOf: [schema, { type: 'null' }] }]),
);

/** Bodies of requests. */
export const KEY_BODIES = {
  newKey: closed(optional(SETTINGS)),
  changes: { ...closed(optional(CHANGES)), minProperties: 1 },
  credit: closed({ credits: { type: 'integer', minimum: 1, maximum: CREDITS_MAX } }),
  tagged: closed({ tag: TAG }),
  newTenant: closed({ tag: TAG, ...CAPS }),
} as const;

const KEY = open({
  id: ID,
  created: TIME,
  revoked: FLAG,
  'name?': TEXT,
  'credits?': COUNT,
  'monthlyCredits?': COUNT,
  'expires?': DAY,
  'rate?': { type: 'number' },
  'devices?': COUNT,
  'storageMb?': COUNT,
  ...optional(Object.fromEntries(Object.entries(SETTINGS).filter(([, { type }]) => type === 'boolean'))),
  'speedLimit?': { type: 'number' },
  'loopbackOnly?': { ...FLAG, description: 'The demo key: it works from this machine only.' },
  'confidence?': NUMBER,
  'fallbacks?': listOf(TEXT),
  'routes?': listOf(TEXT),
  'origins?': listOf(TEXT),
  'networks?': listOf(TEXT),
  'tags?': listOf(TEXT),
  'previousKeyUntil?': { ...TIME, description: 'Until when the key before the last rotation works.' },
});
const SUMS = open({ requests: COUNT, answered: COUNT, credits: COUNT });
/** Schemas of answers, by name. */
export const KEY_ANSWERS = {
  Key: KEY,
  NewKey: { allOf: [KEY, open({ key: { ...TEXT, description: 'Shown only now.' } })] },
  ShownKey: {
    allOf: [
      KEY,
      open({
        'storedBytes?': { ...COUNT, description: 'What its reports take of the disk.' },
        usage: open({ 'lastUse?': TIME, today: SUMS, last30Days: SUMS }),
      }),
    ],
  },
  Keys: open({ keys: listOf(KEY) }),
  Tenants: open({
    tenants: listOf(TEXT),
    'caps?': { type: 'object', additionalProperties: SHOWN_CAPS, description: 'By tag, of those that have some.' },
  }),
  NewTenant: open({ tag: TEXT, token: { ...TEXT, description: 'Shown only now.' }, 'caps?': SHOWN_CAPS }),
  Tenant: open({ tag: TEXT }),
  Usage: open({
    rows: listOf(
      open({
        day: DAY,
        key: ID,
        'name?': TEXT,
        route: TEXT,
        requests: COUNT,
        answered: COUNT,
        credits: COUNT,
        devices: COUNT,
        last_request: TIME,
      }),
    ),
  }),
} as const;
