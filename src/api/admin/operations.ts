// The routes of the admin interface, as a table: the server makes its routes of it (server.ts), checks requests by its
// schemas, and the OpenAPI document is generated from it (openapi.ts). What a route does to keys and usage is a job,
// the same that a command hands to the owner of the data folder.

import type { Job, KeySettings } from '../../jobs/job.ts';
import type { PositionBody } from '../../protocol/requests/schema.ts';
import { CARE } from './care_operations.ts';
import type { Forgettable } from './jobs.ts';
import type { LogQuery } from './log_search.ts';
import type { Schema } from './schema_parts.ts';
import { type ANSWERS, BODIES, QUERIES } from './schemas.ts';

/** What a request of a route carries, after its schemas have accepted it. */
export interface AdminRequest {
  id: number;
  query: {
    force?: 'true';
    from?: string;
    to?: string;
    kind?: string;
    format?: string;
    source?: string;
    replace?: 'true';
    quick?: 'true';
    key?: string;
    after?: string;
  } & LogQuery;
  body: { credits?: number; overlapSeconds?: number; name?: string } & KeySettings & Forgettable & PositionBody;
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
  /** Status, description and schema of the answer. */
  success: readonly [status: number, description: string, answer: keyof typeof ANSWERS];
  /** The job of the route; a route without one is answered by the server itself. */
  job?(request: AdminRequest): Job;
  /** The job takes long, so it is only begun. */
  isLong?: true;
}

/** All routes, in the order of the document. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/status',
    name: 'status',
    summary: 'Version, uptime and what is wrong',
    success: [200, 'The status.', 'Status'],
  },
  {
    method: 'GET',
    path: '/settings',
    name: 'settings',
    summary: 'The effective configuration',
    success: [200, 'Settings without secrets.', 'Settings'],
  },
  {
    method: 'GET',
    path: '/keys',
    name: 'listKeys',
    summary: 'All keys',
    success: [200, 'A list.', 'Keys'],
    job: () => ({ verb: 'keys', action: 'list' }),
  },
  {
    method: 'POST',
    path: '/keys',
    name: 'createKey',
    summary: 'Make a key',
    body: BODIES.newKey,
    success: [201, 'The key, which is shown only now.', 'NewKey'],
    job: ({ body }) => ({ verb: 'keys', action: 'create', settings: body }),
  },
  {
    method: 'GET',
    path: '/keys/{id}',
    name: 'showKey',
    summary: 'One key, with what it has used',
    success: [200, 'The key.', 'ShownKey'],
    job: ({ id }) => ({ verb: 'keys', action: 'show', id }),
  },
  {
    method: 'PATCH',
    path: '/keys/{id}',
    name: 'updateKey',
    summary: 'Change settings; null takes one away',
    query: QUERIES.force,
    body: BODIES.changes,
    success: [200, 'The key as it is now.', 'Key'],
    job: ({ id, body, query }) => ({ verb: 'keys', action: 'update', id, settings: body, ...forced(query) }),
  },
  {
    method: 'POST',
    path: '/keys/{id}/credit',
    name: 'creditKey',
    summary: 'Add prepaid requests',
    query: QUERIES.force,
    body: BODIES.credit,
    success: [200, 'The key as it is now.', 'Key'],
    job: ({ id, body, query }) => ({ verb: 'keys', action: 'credit', id, credits: body.credits!, ...forced(query) }),
  },
  {
    method: 'POST',
    path: '/keys/{id}/rotate',
    name: 'rotateKey',
    summary: 'Give the holder another key; the old one works on for a while',
    query: QUERIES.force,
    body: BODIES.overlap,
    success: [200, 'The new key, which is shown only now.', 'NewKey'],
    job: ({ id, body, query }) => ({
      verb: 'keys',
      action: 'rotate',
      id,
      overlapSeconds: body.overlapSeconds!,
      ...forced(query),
    }),
  },
  {
    method: 'POST',
    path: '/keys/{id}/revoke',
    name: 'revokeKey',
    summary: 'End a key for good',
    success: [200, 'The key as it is now.', 'Key'],
    job: ({ id }) => ({ verb: 'keys', action: 'revoke', id }),
  },
  {
    method: 'GET',
    path: '/usage',
    name: 'usage',
    summary: 'What keys have used by day and route',
    query: QUERIES.days,
    success: [200, 'A list of rows.', 'Usage'],
  },
  {
    method: 'GET',
    path: '/imports',
    name: 'listImports',
    summary: 'Imports that were begun here',
    success: [200, 'A list.', 'Imports'],
  },
  {
    method: 'POST',
    path: '/imports',
    name: 'import',
    summary: 'Import a file',
    query: QUERIES.upload,
    isUpload: true,
    success: [202, 'The import, which has begun.', 'Import'],
  },
  {
    method: 'GET',
    path: '/imports/{id}',
    name: 'showImport',
    summary: 'How far an import has come',
    success: [200, 'The import.', 'Import'],
  },
  {
    method: 'GET',
    path: '/sources',
    name: 'listSources',
    summary: 'What was imported, by name',
    success: [200, 'A list.', 'Sources'],
  },
  {
    method: 'POST',
    path: '/sources/remove',
    name: 'removeSource',
    summary: 'Take a source out, as if it had never been imported',
    body: BODIES.named,
    success: [202, 'The job, which has begun.', 'Job'],
    isLong: true,
    job: ({ body }) => ({ verb: 'sources', action: 'remove', name: body.name! }),
  },
  {
    method: 'GET',
    path: '/buildings',
    name: 'listBuildings',
    summary: 'Imports of building models, by name',
    success: [200, 'A list.', 'Buildings'],
  },
  {
    method: 'POST',
    path: '/buildings/remove',
    name: 'removeBuildings',
    summary: 'Take an import of building models out',
    body: BODIES.named,
    success: [202, 'The job, which has begun.', 'Job'],
    isLong: true,
    job: ({ body }) => ({ verb: 'buildings', action: 'remove', name: body.name! }),
  },
  {
    method: 'GET',
    path: '/forget',
    name: 'listForgotten',
    summary: 'Stations that are kept out',
    success: [200, 'A list.', 'Stations'],
  },
  {
    method: 'POST',
    path: '/forget',
    name: 'forget',
    summary: 'Remove stations, or what a contributor, a device or a request has brought',
    body: BODIES.forget,
    success: [202, 'The job, which has begun.', 'Job'],
  },
  {
    method: 'POST',
    path: '/explain',
    name: 'explain',
    summary: 'Say how the answer to a request for a position comes about',
    body: BODIES.position,
    success: [200, 'The explanation, with the positions of stations.', 'Explanation'],
  },
  {
    method: 'POST',
    path: '/secret/rotate',
    name: 'rotateSecret',
    summary: 'Make a new secret for state tokens; the old one opens them for a while',
    query: QUERIES.force,
    body: BODIES.overlap,
    success: [200, 'How long the old secret opens tokens.', 'Rotation'],
    job: ({ body, query }) => ({
      verb: 'secret',
      action: 'rotate',
      overlapSeconds: body.overlapSeconds!,
      ...forced(query),
    }),
  },
  {
    method: 'GET',
    path: '/jobs',
    name: 'listJobs',
    summary: 'Jobs that were begun here',
    success: [200, 'A list.', 'Jobs'],
  },
  {
    method: 'GET',
    path: '/jobs/{id}',
    name: 'showJob',
    summary: 'How far a job has come',
    success: [200, 'The job.', 'Job'],
  },
  ...CARE,
];

function forced({ force }: AdminRequest['query']): { force?: true } {
  return force === undefined ? {} : { force: true };
}
