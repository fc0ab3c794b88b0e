// The routes by which an operator watches a service and cares for it: what it did in the last hour, its request log,
// backups, and the check of its tables. They are rows of the table of routes (operations.ts).

import { CARE_QUERIES } from './care_schemas.ts';
import type { Routes } from './operation.ts';

/** The rows. */
export const CARE: Routes = {
  'GET /figures': {
    name: 'figures',
    summary: 'What the service did in the last hour, in steps of ten seconds',
    query: CARE_QUERIES.figures,
    success: [200, 'The steps that have ended.', 'Figures'],
  },
  'GET /log': {
    name: 'searchLog',
    needsToken: true,
    summary: 'Search the request log, the latest first',
    query: CARE_QUERIES.log,
    success: [200, 'A page of requests.', 'LogPage'],
  },
  'GET /log/{id}': {
    name: 'showLogged',
    needsToken: true,
    summary: 'One logged request with its answer',
    success: [200, 'The request.', 'LoggedRequest'],
  },
  'GET /backups': {
    name: 'listBackups',
    summary: 'Backups in the folder of `--backup-folder`, the latest first',
    success: [200, 'A list.', 'Backups'],
  },
  'POST /backups': {
    name: 'backUp',
    summary: 'Make the backup of this day; it replaces an earlier one of the same day',
    success: [202, 'The job, which has begun.', 'Job'],
  },
  'POST /check': {
    name: 'check',
    summary: 'Read every table and say what is wrong',
    query: CARE_QUERIES.check,
    success: [202, 'The job, which has begun.', 'Job'],
    begin: (jobs, { query }) => jobs.check(query.quick !== undefined),
  },
};
