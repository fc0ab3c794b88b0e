// The JSON schemas of the routes in care_operations.ts.

import { LOG_ROUTES } from '../../tables/requests/record.ts';
import { COUNT, closed, ID, listOf, NUMBER, open, type Schema, TEXT, TIME } from './schema_parts.ts';

/** Most requests of a page of the log. */
const PAGE_MAX = 200;
/** A number in a query: nothing there is converted. */
const DIGITS = (description: string, pattern: string): Schema => ({ type: 'string', pattern, description });
const COLUMN = listOf({ type: ['number', 'null'] });

/** Parameters of queries. */
export const CARE_QUERIES = {
  figures: closed({ after: { ...TIME, description: 'Only steps that ended after it.' } }),
  log: closed({
    key: DIGITS('Only of this key, by its number.', '^[1-9]\\d{0,6}$'),
    device: { type: 'string', minLength: 1, maxLength: 20, description: 'Only of this device.' },
    from: { ...TIME, description: 'Only requests that arrived from here on.' },
    to: { ...TIME, description: 'Only requests that arrived before.' },
    error: {
      type: 'string',
      pattern: '^([1-5]\\d\\d|[1-5]xx|[a-zA-Z]{1,40})$',
      description:
        'A status such as `404`, a group such as `5xx`, a `reason` of an error, or `any` for all from 400 on.',
    },
    route: { enum: [...LOG_ROUTES] },
    limit: DIGITS(`Most requests of a page, 1..${PAGE_MAX}; 50 without.`, '^([1-9]\\d?|1\\d\\d|200)$'),
    before: DIGITS('`next` of the page before.', '^\\d{1,16}-\\d{1,16}-\\d{1,16}$'),
  }),
  check: closed({
    quick: {
      type: 'string',
      const: 'true',
      description: 'Leaves out what has to be computed again, as `--quick`.',
    },
  }),
} as const;

const LOGGED = { logId: COUNT, time: TIME, route: TEXT, status: COUNT, latencyMs: NUMBER };
const OPTIONAL = { account: ID, device: TEXT, nr: { type: 'integer' }, query: TEXT };

/** Answers. */
export const CARE_ANSWERS = {
  Figures: open({
    stepSeconds: COUNT,
    times: { ...listOf(TIME), description: 'Ends of the steps. All columns are as long.' },
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
  LogPage: open(
    {
      requests: listOf(
        open({ ...LOGGED, ...OPTIONAL, reason: { ...TEXT, description: 'Of an error.' }, message: TEXT }, [
          ...Object.keys(LOGGED),
        ]),
      ),
      next: { ...TEXT, description: '`before` of the next page; absent where all is searched. A page may be empty.' },
      reached: { ...TIME, description: 'How far back this page has searched, with `next`.' },
    },
    ['requests'],
  ),
  LoggedRequest: open(
    {
      ...LOGGED,
      ...OPTIONAL,
      request: { description: 'The body: as JSON where it parses, else as text.' },
      requestBytes: { ...COUNT, description: 'Bytes that the body had, where only its beginning was kept.' },
      response: { description: 'The answer, likewise.' },
      responseBytes: COUNT,
    },
    Object.keys(LOGGED),
  ),
  Backups: open(
    {
      folder: { ...TEXT, description: 'As configured; absent without.' },
      backups: listOf(
        open(
          {
            name: { ...TEXT, description: 'Its folder: the day, UTC, of those made here.' },
            createdAt: TIME,
            bytes: COUNT,
            error: { ...TEXT, description: 'Why it cannot be restored.' },
          },
          ['name'],
        ),
      ),
    },
    ['backups'],
  ),
} as const satisfies Readonly<Record<string, Schema>>;

function columns(description: string, value: Schema = COLUMN): Schema {
  return { type: 'object', description, additionalProperties: value };
}
