// The routes by which an operator watches a service and cares for it: its secret, jobs, what it did in the last week,
// its request log, backups, and the check of its tables.

import { FIGURE_RANGES, type FigureRange } from '../../metrics/figure_steps.ts';
import { LOG_ROUTES, ROUTE_TITLES } from '../../tables/requests/record.ts';
import { Refused } from '../transport/refused.ts';
import { type Asked, groupOf, route } from './operation.ts';
import {
  COUNT,
  closed,
  FORCE,
  forced,
  ID,
  KEY_DIGITS,
  listOf,
  NUMBER,
  OVERLAP,
  open,
  type Schema,
  SET,
  TEXT,
  TIME,
} from './schema_parts.ts';

/** Most requests of a page of the log. */
const PAGE_MAX = 200;
const MAYBE = { type: ['number', 'null'] } as const;
const COLUMN = listOf(MAYBE);
const RANGES = Object.entries(FIGURE_RANGES)
  .map(([range, { stepSeconds }]) => `\`${range}\` in steps of ${stepSeconds} s`)
  .join(', ');

const BEFORE = {
  type: 'string',
  pattern: '^\\d{1,16}-\\d{1,16}-\\d{1,16}$',
  'x-must': 'the `next` of a page',
  description: '`next` of the page before.',
} as const;

const LOG_QUERY = closed({
  'key?': { ...KEY_DIGITS, description: 'Only of this key, by its number.' },
  'device?': { type: 'string', minLength: 1, maxLength: 20, description: 'Only of this device.' },
  'from?': { ...TIME, description: 'Only requests that arrived from here on.' },
  'to?': { ...TIME, description: 'Only requests that arrived before.' },
  'error?': {
    type: 'string',
    pattern: '^([1-5]\\d\\d|[1-5]xx|[a-zA-Z]{1,40})$',
    'x-must': 'a status, a group of statuses such as 4xx, a reason or any',
    description: 'A status such as `404`, a group such as `5xx`, a `reason` of an error, or `any` for all from 400 on.',
  },
  'route?': { enum: [...LOG_ROUTES], 'x-titles': LOG_ROUTES.map(name => ROUTE_TITLES[name]) },
  'limit?': {
    type: 'string',
    pattern: '^([1-9]\\d?|1\\d\\d|200)$',
    'x-must': `a number from 1 to ${PAGE_MAX}`,
    description: `Most requests of a page, 1..${PAGE_MAX}; 50 without.`,
  },
  'before?': BEFORE,
});

const DEVICES_QUERY = closed({
  'key?': { ...KEY_DIGITS, description: 'Only of this key, by its number; a tenant must name one.' },
  'device?': { type: 'string', minLength: 1, maxLength: 20, description: 'Only this device.' },
  'before?': BEFORE,
});

const LOGGED = { logId: COUNT, time: TIME, route: TEXT, status: COUNT, latencyMs: NUMBER };
const PLACED = { logId: COUNT, time: TIME, latitude: NUMBER, longitude: NUMBER, accuracy: NUMBER };
const OPTIONAL = { 'account?': ID, 'device?': TEXT, 'nr?': { type: 'integer' }, 'query?': TEXT };

const ANSWERS = {
  Rotation: open({
    'oldUntil?': { ...TIME, description: 'Until when the old secret opens state tokens; absent if it does no more.' },
  }),
  Jobs: open({ jobs: listOf({ $ref: '#/components/schemas/Job' }) }),
  Figures: open({
    stepSeconds: COUNT,
    times: {
      ...listOf(TIME),
      description: 'Ends of the steps. All columns are as long; all are `null` where the service did not run.',
    },
    total: { ...open({ requests: COUNT, p50Ms: MAYBE, p99Ms: MAYBE }), description: 'Of all steps together.' },
    routes: columns('By route: requests a second, and percentiles of their latency.', {
      ...open({ perSecond: COLUMN, p50Ms: COLUMN, p99Ms: COLUMN }),
    }),
    errors: columns('Refused requests by reason.'),
    creditsSpent: COLUMN,
    backlog: { ...COLUMN, description: 'Reports that are stored and not learned.' },
    memory: columns('Bytes: of the process (`service`), and of the heap of each thread.'),
    processor: columns('Processor time in cores: of the process (`service`), and of each thread.'),
    workers: open({ count: COLUMN, busy: { ...COLUMN, description: 'Query workers at work, on average.' } }),
  }),
  LogPage: open({
    requests: listOf(
      open({ ...LOGGED, ...OPTIONAL, 'reason?': { ...TEXT, description: 'Of an error.' }, 'message?': TEXT }),
    ),
    'next?': { ...TEXT, description: '`before` of the next page; absent where all is searched. A page may be empty.' },
    'reached?': { ...TIME, description: 'How far back this page has searched, with `next`.' },
  }),
  Devices: open({
    devices: listOf(
      open({
        device: TEXT,
        'account?': ID,
        last: { ...open({ logId: COUNT, time: TIME, route: TEXT, status: COUNT }), description: 'Its last request.' },
        'position?': {
          ...open({ ...PLACED, 'indoor?': { type: 'object' } }),
          description: 'Its last position; absent where none was found so far back.',
        },
      }),
    ),
    'next?': {
      ...TEXT,
      description: '`before` of the next page, which may have the same devices with what they did before.',
    },
    'reached?': { ...TIME, description: 'How far back this page has searched, with `next`.' },
  }),
  LoggedRequest: open({
    ...LOGGED,
    ...OPTIONAL,
    'request?': { description: 'The body: as JSON where it parses, else as text.' },
    'requestBytes?': { ...COUNT, description: 'Bytes that the body had, where only its beginning was kept.' },
    'response?': { description: 'The answer, likewise.' },
    'responseBytes?': COUNT,
  }),
  Backups: open({
    'folder?': { ...TEXT, description: 'As configured; absent without.' },
    backups: listOf(
      open({
        name: { ...TEXT, description: 'Its folder: the day, UTC, of those made here.' },
        'createdAt?': TIME,
        'bytes?': COUNT,
        'error?': { ...TEXT, description: 'Why it cannot be restored.' },
      }),
    ),
  }),
} as const;

function columns(description: string, value: Schema = COLUMN): Schema {
  return { type: 'object', description, additionalProperties: value };
}

/** The group. */
export const CARE = groupOf(ANSWERS, [
  route('POST /secret/rotate', {
    name: 'rotateSecret',
    summary: 'Make a new secret for state tokens; the old one opens them for a while',
    query: FORCE,
    body: OVERLAP,
    success: [200, 'How long the old secret opens tokens.', 'Rotation'],
    answer: (_, { query, body: { overlapSeconds }, run }) =>
      run({ verb: 'secret', action: 'rotate', overlapSeconds, ...forced(query) }),
  }),
  route('GET /jobs', {
    name: 'listJobs',
    needsToken: true,
    summary: 'Jobs that were begun here',
    success: [200, 'A list.', 'Jobs'],
    answer: ({ jobs }) => ({ jobs: jobs.list() }),
  }),
  route('GET /jobs/{id}', {
    name: 'showJob',
    needsToken: true,
    summary: 'How far a job has come',
    success: [200, 'The job.', 'Job'],
    answer: ({ jobs }, { id }) => jobs.get(id),
  }),
  route('GET /figures', {
    name: 'figures',
    summary: 'What the service did in the last hour, day or week',
    query: closed({
      'range?': {
        enum: Object.keys(FIGURE_RANGES),
        description: `${RANGES}; \`hour\` without. The last step of a day or week still grows.`,
      },
      'after?': { ...TIME, description: 'Only steps that ended after it.' },
    }),
    success: [200, 'The steps that have ended.', 'Figures'],
    answer: ({ figures }, { query: { range = 'hour', after } }) =>
      figures.since(range as FigureRange, after === undefined ? 0 : Date.parse(after)),
  }),
  route('GET /log', {
    name: 'searchLog',
    needsToken: true,
    summary: 'Search the request log, the latest first',
    query: LOG_QUERY,
    success: [200, 'A page of requests.', 'LogPage'],
    answer: ({ log }, { query }) => log.search(query),
  }),
  route('GET /log/{id}', {
    name: 'showLogged',
    needsToken: true,
    summary: 'One logged request with its answer',
    success: [200, 'The request.', 'LoggedRequest'],
    answer: ({ log }, { id }) => log.show(id),
  }),
  route('GET /devices', {
    name: 'devices',
    needsToken: true,
    isForTenants: true,
    summary: 'Where devices were last, those that asked last first',
    query: DEVICES_QUERY,
    success: [200, 'A page of devices.', 'Devices'],
    answer: async ({ log }, { query, tenant, run }) => {
      if (tenant !== null) await requireOwnKey(query.key, run);
      return log.devices(query);
    },
  }),
  route('GET /backups', {
    name: 'listBackups',
    summary: 'Backups in the folder of `--backup-folder`, the latest first',
    success: [200, 'A list.', 'Backups'],
    answer: ({ backups }) => backups.list(),
  }),
  route('POST /backups', {
    name: 'backUp',
    summary: 'Make the backup of this day; it replaces an earlier one of the same day',
    success: [202, 'The job, which has begun.', 'Job'],
    answer: ({ backups }) => backups.begin(),
  }),
  route('POST /check', {
    name: 'check',
    summary: 'Read every table and say what is wrong',
    query: closed({
      'quick?': { ...SET, description: 'Leaves out what has to be computed again, as `--quick`.' },
    }),
    success: [202, 'The job, which has begun.', 'Job'],
    answer: ({ jobs }, { query: { quick } }) => jobs.check(quick !== undefined),
  }),
]);

/** @throws Refused when a tenant names no key, or that of somebody else */
async function requireOwnKey(key: string | undefined, run: Asked['run']): Promise<void> {
  if (key === undefined) throw new Refused(400, 'Name one of your keys by its number, as key.', 'key');
  await run({ verb: 'keys', action: 'show', id: Number(key) });
}
