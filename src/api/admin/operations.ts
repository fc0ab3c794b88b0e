// The routes of the admin interface, as a table: the server makes its routes of it (server.ts), checks requests by its schemas, and the OpenAPI document is
// generated from it (openapi.ts). What a route does to keys and usage is a job, the same that a command hands to the owner of the data folder.

import type { Job, KeySettings } from '../../jobs/job.ts';

/** A JSON schema. */
type Schema = Readonly<Record<string, unknown>>;

/** What a request of a route carries, after its schemas have accepted it. */
export interface AdminRequest {
  id: number;
  query: { force?: 'true'; from?: string; to?: string; kind?: string; format?: string; source?: string };
  body: { credits?: number; overlapSeconds?: number } & KeySettings;
}

/** A route. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH';
  /** In the form of OpenAPI: `/keys/{id}`. */
  path: string;
  /** Name of the operation. */
  name: string;
  summary: string;
  query?: Schema;
  body?: Schema;
  /** The body is a file. */
  isUpload?: true;
  /** Status and description of the answer. */
  success: readonly [status: number, description: string];
  /** The job of the route; a route without one is answered by the server itself. */
  job?(request: AdminRequest): Job;
}

const object = (properties: Schema, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const CREDITS_MAX = 2_147_483_647; // balances are signed 32-bit words in shared memory
const flag = { type: 'boolean' };
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
const SETTINGS: Readonly<Record<string, Schema>> = {
  name: { type: 'string', pattern: '^\\P{Cc}{1,100}$', description: 'What you call the holder.' },
  credits: { type: 'integer', minimum: 0, maximum: CREDITS_MAX, description: 'Prepaid requests; without, requests are only counted.' },
  expires: { type: 'string', format: 'date', description: 'Last day on which the key is valid, UTC.' },
  indoor: flag,
  address: flag,
  speedFilter: flag,
  speedLimit: { type: 'number', minimum: 0.01, maximum: 100_000, description: 'Metres a second.' },
  ratePerSecond: { type: 'number', minimum: 0.01, maximum: 1_000_000, description: 'Requests a second.' },
  devices: { type: 'integer', minimum: 1, maximum: 1_000_000_000, description: 'Device ids a calendar month.' },
  contributor: flag,
  trusted: flag,
  trail: flag,
};
const CHANGES = Object.fromEntries(Object.entries(SETTINGS).map(([name, schema]) => [name, orNull(schema)]));
const FORCE = { force: { type: 'string', const: 'true', description: 'As the flag `--force` of the command.' } };
const DAY = { type: 'string', format: 'date' };

/** All routes, in the order of the document. */
export const OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: '/status', name: 'status', summary: 'Version, uptime and what is wrong', success: [200, 'The status.'] },
  {
    method: 'GET',
    path: '/settings',
    name: 'settings',
    summary: 'The effective configuration',
    success: [200, 'Settings without secrets.'],
  },
  {
    method: 'GET',
    path: '/keys',
    name: 'listKeys',
    summary: 'All keys',
    success: [200, 'A list.'],
    job: () => ({ verb: 'keys', action: 'list' }),
  },
  {
    method: 'POST',
    path: '/keys',
    name: 'createKey',
    summary: 'Make a key',
    body: object(SETTINGS),
    success: [201, 'The key, which is shown only now.'],
    job: ({ body }) => ({ verb: 'keys', action: 'create', settings: body }),
  },
  {
    method: 'GET',
    path: '/keys/{id}',
    name: 'showKey',
    summary: 'One key, with what it has used',
    success: [200, 'The key.'],
    job: ({ id }) => ({ verb: 'keys', action: 'show', id }),
  },
  {
    method: 'PATCH',
    path: '/keys/{id}',
    name: 'updateKey',
    summary: 'Change settings; null takes one away',
    query: object(FORCE),
    body: { ...object(CHANGES), minProperties: 1 },
    success: [200, 'The key as it is now.'],
    job: ({ id, body, query }) => ({ verb: 'keys', action: 'update', id, settings: body, ...forced(query) }),
  },
  {
    method: 'POST',
    path: '/keys/{id}/credit',
    name: 'creditKey',
    summary: 'Add prepaid requests',
    query: object(FORCE),
    body: object({ credits: { type: 'integer', minimum: 1, maximum: CREDITS_MAX } }, ['credits']),
    success: [200, 'The key as it is now.'],
    job: ({ id, body, query }) => ({ verb: 'keys', action: 'credit', id, credits: body.credits!, ...forced(query) }),
  },
  {
    method: 'POST',
    path: '/keys/{id}/rotate',
    name: 'rotateKey',
    summary: 'Give the holder another key; the old one works on for a while',
    query: object(FORCE),
    body: object({ overlapSeconds: { type: 'integer', minimum: 0, maximum: 31_622_400 } }, ['overlapSeconds']),
    success: [200, 'The new key, which is shown only now.'],
    job: ({ id, body, query }) => ({ verb: 'keys', action: 'rotate', id, overlapSeconds: body.overlapSeconds!, ...forced(query) }),
  },
  {
    method: 'POST',
    path: '/keys/{id}/revoke',
    name: 'revokeKey',
    summary: 'End a key for good',
    success: [200, 'The key as it is now.'],
    job: ({ id }) => ({ verb: 'keys', action: 'revoke', id }),
  },
  {
    method: 'GET',
    path: '/usage',
    name: 'usage',
    summary: 'What keys have used by day and route',
    query: object({ from: DAY, to: DAY }, ['from', 'to']),
    success: [200, 'A list of rows.'],
  },
  { method: 'GET', path: '/imports', name: 'listImports', summary: 'Imports that were begun here', success: [200, 'A list.'] },
  {
    method: 'POST',
    path: '/imports',
    name: 'import',
    summary: 'Import a file',
    query: object(
      {
        kind: { enum: ['cells', 'wifi', 'observations', 'osm'] },
        format: { type: 'string', pattern: '^[a-z]{1,20}$' },
        source: {
          type: 'string',
          pattern: '^\\P{Cc}{1,100}$',
          description:
            'Name of the import, required for all kinds but observations. What was imported under it before is replaced; observations are added to it.',
        },
      },
      ['kind'],
    ),
    isUpload: true,
    success: [202, 'The import, which has begun.'],
  },
  { method: 'GET', path: '/imports/{id}', name: 'showImport', summary: 'How far an import has come', success: [200, 'The import.'] },
];

function forced({ force }: AdminRequest['query']): { force?: true } {
  return force === undefined ? {} : { force: true };
}
