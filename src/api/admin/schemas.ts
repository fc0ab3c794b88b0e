// The JSON schemas of keys, of tenants and of what keys have used: what requests may carry, which the server checks,
// and what answers hold, for the OpenAPI document.

import {
  CREDITS_MAX,
  KEY_SETTINGS,
  readNetwork,
  readOrigin,
  SETTING_ROWS,
} from '../../tables/accounts/key_settings.ts';
import { TENANT_CAPS } from '../../tables/accounts/rows.ts';
import { COUNT, closed, DAY, FLAG, ID, listOf, NUMBER, open, optional, TEXT, TIME } from './schema_parts.ts';

const TAG = KEY_SETTINGS.tags.values.items as { type: 'string'; pattern: string };

/** Schemas of what is shown, by the type of what may be set. */
const SHOWN_TYPES = { string: TEXT, integer: COUNT, number: NUMBER, boolean: FLAG, array: listOf(TEXT) };

/** Formats of texts that are kept as they are sent: only in the form in which they are compared. */
export const FORMATS = {
  origin: (text: string) => readOrigin(text) === text,
  network: (text: string) => readNetwork(text) === text,
};

/** What may be set. */
const SETTINGS = Object.fromEntries(
  SETTING_ROWS.map(([member, { values, title, text }]) => [member, { ...values, title, description: text }]),
);
/** What is shown of it, by its type. */
const SHOWN_SETTINGS = Object.fromEntries(
  SETTING_ROWS.map(([member, { values, shownAs = member, text }]) => [
    shownAs,
    { ...(values.format === 'date' ? DAY : SHOWN_TYPES[values.type]), description: text },
  ]),
);
/** Caps of a tenant; null takes one away. */
const CAPS = optional(
  Object.fromEntries(Object.entries(TENANT_CAPS).map(([cap, { most, text }]) => [cap, capOf(most, text)])),
);
const SHOWN_CAPS = open(optional(Object.fromEntries(Object.keys(TENANT_CAPS).map(cap => [cap, COUNT]))));

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
  ...optional(SHOWN_SETTINGS),
  'loopbackOnly?': { ...FLAG, description: 'The demo key: it works from this machine only.' },
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
