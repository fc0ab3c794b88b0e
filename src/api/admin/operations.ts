// The routes of the admin interface, as a table: the server makes its routes of it (server.ts), checks requests by its
// schemas, and the OpenAPI document is generated from it (openapi.ts). What a route does to keys and usage is a job,
// the same that a command hands to the owner of the data folder.

import { FEATURES } from '../../features.ts';
import { TILE_TYPE } from '../console/tiles.ts';
import { CARE } from './care_operations.ts';
import { COVERAGE_OPERATIONS } from './coverage_operations.ts';
import { MAP_OPERATIONS } from './map_operations.ts';
import type { AdminRequest, Operation, Routes } from './operation.ts';
import { BODIES, QUERIES } from './schemas.ts';
import { TABLE_TYPE } from './tables.ts';

const OF_FEATURES: Routes = Object.assign({}, ...(await Promise.all(FEATURES.map(({ loadRoutes }) => loadRoutes()))));

const ROUTES: Routes = {
  'GET /status': {
    name: 'status',
    summary: 'Version, uptime and what is wrong',
    success: [200, 'The status.', 'Status'],
  },
  'GET /settings': {
    name: 'settings',
    summary: 'The effective configuration',
    success: [200, 'Settings without secrets.', 'Settings'],
  },
  'GET /keys': {
    name: 'listKeys',
    isForTenants: true,
    summary: 'All keys',
    success: [200, 'A list.', 'Keys'],
    job: () => ({ verb: 'keys', action: 'list' }),
  },
  'POST /keys': {
    name: 'createKey',
    isForTenants: true,
    summary: 'Make a key',
    body: BODIES.newKey,
    success: [201, 'The key, which is shown only now.', 'NewKey'],
    job: ({ body }) => ({ verb: 'keys', action: 'create', settings: body }),
  },
  'GET /keys/{id}': {
    name: 'showKey',
    isForTenants: true,
    summary: 'One key, with what it has used',
    success: [200, 'The key.', 'ShownKey'],
    job: ({ id }) => ({ verb: 'keys', action: 'show', id }),
  },
  'PATCH /keys/{id}': {
    name: 'updateKey',
    isForTenants: true,
    summary: 'Change settings; null takes one away',
    query: QUERIES.force,
    body: BODIES.changes,
    success: [200, 'The key as it is now.', 'Key'],
    job: ({ id, body, query }) => ({ verb: 'keys', action: 'update', id, settings: body, ...forced(query) }),
  },
  'POST /keys/{id}/credit': {
    name: 'creditKey',
    isForTenants: true,
    summary: 'Add prepaid requests',
    query: QUERIES.force,
    body: BODIES.credit,
    success: [200, 'The key as it is now.', 'Key'],
    job: ({ id, body, query }) => ({ verb: 'keys', action: 'credit', id, credits: body.credits!, ...forced(query) }),
  },
  'POST /keys/{id}/rotate': {
    name: 'rotateKey',
    isForTenants: true,
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
  'POST /keys/{id}/revoke': {
    name: 'revokeKey',
    isForTenants: true,
    summary: 'End a key for good',
    success: [200, 'The key as it is now.', 'Key'],
    job: ({ id }) => ({ verb: 'keys', action: 'revoke', id }),
  },
  'GET /tenants': {
    name: 'listTenants',
    summary: 'Tags of the tenants, who see and make keys with their tag by tokens of their own',
    success: [200, 'A list.', 'Tenants'],
    job: () => ({ verb: 'tenants', action: 'list' }),
  },
  'POST /tenants': {
    name: 'createTenant',
    summary: 'Give a tenant a token; one that it has ends',
    body: BODIES.newTenant,
    success: [201, 'The token, which is shown only now.', 'NewTenant'],
    job: ({ body: { tag, ...caps } }) => ({ verb: 'tenants', action: 'create', tag: tag!, caps }),
  },
  'POST /tenants/remove': {
    name: 'removeTenant',
    summary: 'End the token of a tenant; its keys stay',
    body: BODIES.tagged,
    success: [200, 'The tag.', 'Tenant'],
    job: ({ body }) => ({ verb: 'tenants', action: 'remove', tag: body.tag! }),
  },
  'GET /usage': {
    name: 'usage',
    isForTenants: true,
    summary: 'What keys have used by day and route',
    query: QUERIES.days,
    success: [200, 'A list of rows.', 'Usage'],
  },
  'GET /imports': {
    name: 'listImports',
    needsToken: true,
    summary: 'Imports that were begun here',
    success: [200, 'A list.', 'Imports'],
  },
  'POST /imports': {
    name: 'import',
    summary: 'Import a file',
    query: QUERIES.upload,
    isUpload: true,
    success: [202, 'The import, which has begun.', 'Import'],
  },
  'GET /imports/{id}': {
    name: 'showImport',
    needsToken: true,
    summary: 'How far an import has come',
    success: [200, 'The import.', 'Import'],
  },
  'POST /imports/{id}/cancel': {
    name: 'cancelImport',
    summary: 'Have an import end early, and leave nothing of it',
    success: [202, 'The import, which ends soon.', 'Import'],
  },
  'GET /tables': {
    name: 'listTables',
    needsToken: true,
    summary: 'Tables that were sent here',
    success: [200, 'A list.', 'Tables'],
  },
  'POST /tables': {
    name: 'answerTable',
    summary: 'Find the position or the place of each row of a table',
    query: QUERIES.table,
    isUpload: true,
    success: [202, 'The table, which is being answered.', 'Table'],
  },
  'GET /tables/{id}': {
    name: 'showTable',
    needsToken: true,
    summary: 'How far a table has come',
    success: [200, 'The table.', 'Table'],
  },
  'GET /tables/{id}/result': {
    name: 'showAnsweredTable',
    needsToken: true,
    summary: 'The table with positions and places in it',
    mediaType: TABLE_TYPE,
    success: [200, 'The table.', 'AnsweredTable'],
  },
  'GET /sources': {
    name: 'listSources',
    summary: 'What was imported, by name',
    success: [200, 'A list.', 'Sources'],
  },
  'POST /sources/remove': {
    name: 'removeSource',
    summary: 'Take a source out, as if it had never been imported',
    body: BODIES.named,
    success: [202, 'The job, which has begun.', 'Job'],
    isLong: true,
    job: ({ body }) => ({ verb: 'sources', action: 'remove', name: body.name! }),
  },
  'GET /forget': {
    name: 'listForgotten',
    summary: 'Stations that are kept out',
    success: [200, 'A list.', 'Stations'],
  },
  'POST /forget': {
    name: 'forget',
    summary: 'Remove stations, or what a contributor, a device or a request has brought',
    body: BODIES.forget,
    success: [202, 'The job, which has begun.', 'Job'],
    begin: (jobs, { body }) => jobs.forget(body),
  },
  'POST /explain': {
    name: 'explain',
    needsToken: true,
    summary: 'Say how the answer to a request for a position comes about',
    body: BODIES.position,
    isReading: true,
    success: [200, 'The explanation, with the positions of stations.', 'Explanation'],
    explain: (explainer, { body }) => explainer.position(body),
  },
  'GET /explain/search': {
    name: 'explainSearch',
    needsToken: true,
    summary: 'Say how the answer to a search comes about',
    query: QUERIES.search,
    success: [200, 'The explanation.', 'ExplainedPlaces'],
    explain: (explainer, { parameters }) => explainer.search(parameters),
  },
  'GET /explain/reverse': {
    name: 'explainReverse',
    needsToken: true,
    summary: 'Say how the place of a point comes about',
    query: QUERIES.reverse,
    success: [200, 'The explanation.', 'ExplainedPlaces'],
    explain: (explainer, { parameters }) => explainer.reverse(parameters),
  },
  'GET /explain/log/{id}': {
    name: 'explainLogged',
    needsToken: true,
    summary: 'Say how the answer to a logged position, search or point comes about, by the tables as they are now',
    success: [200, 'The explanation, with what was asked.', 'ExplainedLogged'],
    explain: (explainer, { id }) => explainer.logged(id),
  },
  'POST /secret/rotate': {
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
  'GET /jobs': {
    name: 'listJobs',
    needsToken: true,
    summary: 'Jobs that were begun here',
    success: [200, 'A list.', 'Jobs'],
  },
  'GET /jobs/{id}': {
    name: 'showJob',
    needsToken: true,
    summary: 'How far a job has come',
    success: [200, 'The job.', 'Job'],
  },
  ...CARE,
  ...MAP_OPERATIONS,
  ...COVERAGE_OPERATIONS,
  ...OF_FEATURES,
  'GET /console/session': {
    name: 'showSession',
    summary: 'What the browser that asks may do; needs no token',
    isOpen: true,
    success: [200, 'Access, and what the page of the console needs to know.', 'Session'],
  },
  'POST /console/session': {
    name: 'beginSession',
    summary: 'Begin a session of the console; only its own page may',
    body: BODIES.login,
    isOpen: true,
    success: [200, 'The session, whose id is in a cookie.', 'Session'],
  },
  'DELETE /console/session': {
    name: 'endSession',
    summary: 'End the session; only the page of the console may',
    isOpen: true,
    success: [200, 'What the browser may do now.', 'Session'],
  },
  'GET /tiles/map/{z}/{x}/{y}': {
    name: 'tile',
    summary: 'A tile of a map',
    mediaType: TILE_TYPE,
    success: [200, 'The tile; 304 for a client that has it.', 'Tile'],
  },
};

/** All routes, in the order of the document. */
export const OPERATIONS: readonly Operation[] = Object.entries(ROUTES).map(([route, row]) => {
  const [method, path] = route.split(' ');
  return { method: method as Operation['method'], path, ...row };
});

function forced({ force }: AdminRequest['query']): { force?: true } {
  return force === undefined ? {} : { force: true };
}
