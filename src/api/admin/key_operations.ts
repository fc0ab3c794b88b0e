// The routes of keys, of tenants, and of what keys have used. What they do to keys is a job, the same that a command
// hands to the owner of the data folder.

import type { KeySettings } from '../../jobs/job.ts';
import { groupOf, route } from './operation.ts';
import { closed, DAY, FORCE, forced, KEY_DIGITS, OVERLAP } from './schema_parts.ts';
import { KEY_ANSWERS, KEY_BODIES } from './schemas.ts';
import { readUsage } from './usage.ts';

/** The group. */
export const KEYS = groupOf(KEY_ANSWERS, [
  route('GET /keys', {
    name: 'listKeys',
    isForTenants: true,
    summary: 'All keys',
    success: [200, 'A list.', 'Keys'],
    answer: (_, { run }) => run({ verb: 'keys', action: 'list' }),
  }),
  route('POST /keys', {
    name: 'createKey',
    isForTenants: true,
    summary: 'Make a key',
    body: KEY_BODIES.newKey,
    success: [201, 'The key, which is shown only now.', 'NewKey'],
    answer: (_, { body, run }) => run({ verb: 'keys', action: 'create', settings: body as KeySettings }),
  }),
  route('GET /keys/{id}', {
    name: 'showKey',
    isForTenants: true,
    summary: 'One key, with what it has used',
    success: [200, 'The key.', 'ShownKey'],
    answer: (_, { id, run }) => run({ verb: 'keys', action: 'show', id }),
  }),
  route('PATCH /keys/{id}', {
    name: 'updateKey',
    isForTenants: true,
    summary: 'Change settings; null takes one away',
    query: FORCE,
    body: KEY_BODIES.changes,
    success: [200, 'The key as it is now.', 'Key'],
    answer: (_, { id, query, body, run }) =>
      run({ verb: 'keys', action: 'update', id, settings: body as KeySettings, ...forced(query) }),
  }),
  route('POST /keys/{id}/credit', {
    name: 'creditKey',
    isForTenants: true,
    summary: 'Add prepaid requests',
    query: FORCE,
    body: KEY_BODIES.credit,
    success: [200, 'The key as it is now.', 'Key'],
    answer: (_, { id, query, body: { credits }, run }) =>
      run({ verb: 'keys', action: 'credit', id, credits, ...forced(query) }),
  }),
  route('POST /keys/{id}/rotate', {
    name: 'rotateKey',
    isForTenants: true,
    summary: 'Give the holder another key; the old one works on for a while',
    query: FORCE,
    body: OVERLAP,
    success: [200, 'The new key, which is shown only now.', 'NewKey'],
    answer: (_, { id, query, body: { overlapSeconds }, run }) =>
      run({ verb: 'keys', action: 'rotate', id, overlapSeconds, ...forced(query) }),
  }),
  route('POST /keys/{id}/revoke', {
    name: 'revokeKey',
    isForTenants: true,
    summary: 'End a key for good',
    success: [200, 'The key as it is now.', 'Key'],
    answer: (_, { id, run }) => run({ verb: 'keys', action: 'revoke', id }),
  }),
  route('GET /tenants', {
    name: 'listTenants',
    summary: 'Tags of the tenants, who see and make keys with their tag by tokens of their own',
    success: [200, 'A list.', 'Tenants'],
    answer: (_, { run }) => run({ verb: 'tenants', action: 'list' }),
  }),
  route('POST /tenants', {
    name: 'createTenant',
    summary: 'Give a tenant a token; one that it has ends',
    body: KEY_BODIES.newTenant,
    success: [201, 'The token, which is shown only now.', 'NewTenant'],
    answer: (_, { body: { tag, ...caps }, run }) => run({ verb: 'tenants', action: 'create', tag, caps }),
  }),
  route('POST /tenants/remove', {
    name: 'removeTenant',
    summary: 'End the token of a tenant; its keys stay',
    body: KEY_BODIES.tagged,
    success: [200, 'The tag.', 'Tenant'],
    answer: (_, { body: { tag }, run }) => run({ verb: 'tenants', action: 'remove', tag }),
  }),
  route('GET /usage', {
    name: 'usage',
    isForTenants: true,
    summary: 'What keys have used by day and route',
    query: closed({ from: DAY, to: DAY, 'key?': { ...KEY_DIGITS, description: 'Only of this key, by its number.' } }),
    success: [200, 'A list of rows.', 'Usage'],
    answer: ({ folder }, { query, tenant }) => readUsage(folder, query, tenant),
  }),
]);
