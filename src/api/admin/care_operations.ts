// The routes by which an operator watches a service and cares for it: what it did in the last hour, its request log,
// backups, and the check of its tables. They are rows of the table of routes (operations.ts).

import { CARE_QUERIES } from './care_schemas.ts';
import type { Jobs } from './jobs.ts';
import type { AdminRequest } from './operation.ts';

/** The rows. */
export const CARE = [
  {
    method: 'GET',
    path: '/figures',
    name: 'figures',
    summary: 'What the service did in the last hour, in steps of ten seconds',
    query: CARE_QUERIES.figures,
    success: [200, 'The steps that have ended.', 'Figures'],
  },
  {
    method: 'GET',
    path: '/log',
    name: 'searchLog',
    summary: 'Search the request log, the latest first',
    query: CARE_QUERIES.log,
    success: [200, 'A page of requests.', 'LogPage'],
  },
  {
    method: 'GET',
    path: '/log/{id}',
    name: 'showLogged',
    summary: 'One logged request with its answer',
    success: [200, 'The request.', 'LoggedRequest'],
  },
  {
    method: 'GET',
    path: '/capacity',
    name: 'capacity',
    summary: 'What a capacity run has found on this machine',
    success: [200, 'The report of the run.', 'Capacity'],
  },
  {
    method: 'GET',
    path: '/backups',
    name: 'listBackups',
    summary: 'Backups in the folder of `--backup-folder`, the latest first',
    success: [200, 'A list.', 'Backups'],
  },
  {
    method: 'POST',
    path: '/backups',
    name: 'backUp',
    summary: 'Make the backup of this day; it replaces an earlier one of the same day',
    success: [202, 'The job, which has begun.', 'Job'],
  },
  {
    method: 'POST',
    path: '/check',
    name: 'check',
    summary: 'Read every table and say what is wrong',
    query: CARE_QUERIES.check,
    success: [202, 'The job, which has begun.', 'Job'],
    begin: (jobs: Jobs, { query }: AdminRequest) => jobs.check(query.quick !== undefined),
  },
] as const;
