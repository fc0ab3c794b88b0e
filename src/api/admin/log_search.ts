// GET /log, /log/{id} and /devices: the request log over the admin interface. A search reads the log itself, in the
// main thread and between other work, and ends after a bounded amount of it; the answer says where the next page
// begins. Searches take turns.

import { askOwner } from '../../jobs/submit_job.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type { LoggedRequest } from '../../tables/requests/record.ts';
import { type PageEnd, type RequestFilter, RequestSearch } from '../../tables/requests/search.ts';
import { readDevices } from '../../tasks/devices.ts';
import { Refused } from '../transport/refused.ts';

const LIMIT = 50;
/** The most that a page costs: about two hundred chunks of the log. */
const BYTES_MAX = 67_108_864;
const MILLISECONDS_MAX = 200;
const WAITING_MAX = 8;
const REASONS: ReadonlySet<string> = new Set(Object.values(ERRORS).map(({ reason }) => reason));

/** What is searched by, as the schema has accepted it. */
interface LogQuery {
  key?: string;
  device?: string;
  from?: string;
  to?: string;
  error?: string;
  route?: string;
  limit?: string;
  before?: string;
}

/** A request in a list: without bodies, but with what was wrong. */
type ListedRequest = Omit<LoggedRequest, 'request' | 'requestBytes' | 'response' | 'responseBytes'> & {
  reason?: string;
  message?: string;
};

/** Searches the request log of a data folder. */
export class LogSearch {
  private readonly folder: string;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** @param folder data folder */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** One request with all of it. @throws Refused when there is none */
  async show(logId: number): Promise<unknown> {
    const found = await askOwner(this.folder, { verb: 'log', id: logId }, () => {});
    if (found === null)
      throw new Refused(404, `There is no logged request ${logId}; requests are kept at most 7 days.`);
    return found;
  }

  /** A page of requests. @throws Refused when the error asked for is none, or too many searches wait */
  async search(query: LogQuery): Promise<object> {
    const { limit, before } = query;
    const { filter, reason } = filterOf(query);
    const limits = {
      requests: limit === undefined ? LIMIT : Number(limit),
      bytes: BYTES_MAX,
      milliseconds: MILLISECONDS_MAX,
    };
    const accepts = (request: LoggedRequest): boolean => reason === undefined || errorOf(request)?.reason === reason;
    const found = await this.inTurn(log => log.page(filter, accepts, limits, Date.now(), endOf(before)));
    return { requests: (found?.requests ?? []).map(listed), ...membersOfEnd(found?.end) };
  }

  /** A page of devices with their last positions. @throws Refused when too many searches wait */
  async devices({ before, ...query }: Pick<LogQuery, 'key' | 'device' | 'before'>): Promise<object> {
    const { filter } = filterOf(query);
    const found = await this.inTurn(log => readDevices(log, filter, Date.now(), endOf(before)));
    return { devices: found?.devices ?? [], ...membersOfEnd(found?.end) };
  }

  /** Searches the log after those who wait. @returns undefined where there is no log yet @throws Refused */
  private inTurn<Found>(search: (log: RequestSearch) => Promise<Found>): Promise<Found | undefined> {
    if (this.waiting >= WAITING_MAX) throw new Refused(429, `${WAITING_MAX} searches wait; try again shortly.`);
    this.waiting++;
    const found = this.last.then(async () => {
      const log = RequestSearch.open(this.folder);
      try {
        return log && (await search(log));
      } finally {
        await log?.close();
      }
    });
    this.last = Promise.allSettled([found]);
    return found.finally(() => this.waiting--);
  }
}

function endOf(before: string | undefined): PageEnd | undefined {
  if (before === undefined) return undefined;
  const [oldestMs, firstId, logId] = before.split('-').map(Number);
  return { oldestMs, firstId, logId };
}

function membersOfEnd(end: PageEnd | undefined): object {
  if (end === undefined) return {};
  const { oldestMs, firstId, logId } = end;
  return { next: `${oldestMs}-${firstId}-${logId}`, reached: new Date(oldestMs).toISOString() };
}

function filterOf({ key, device, from, to, error, route }: LogQuery): {
  filter: RequestFilter;
  reason: string | undefined;
} {
  const filter = {
    account: key === undefined ? undefined : Number(key),
    device,
    route,
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
  };
  if (error === undefined) return { filter, reason: undefined };
  if (/^\d{3}$/.test(error))
    return { filter: { ...filter, status: [Number(error), Number(error)] }, reason: undefined };
  if (/^\dxx$/.test(error)) {
    const lowest = 100 * Number(error[0]);
    return { filter: { ...filter, status: [lowest, lowest + 99] }, reason: undefined };
  }
  if (error !== 'any' && !REASONS.has(error))
    throw new Refused(400, `error must be any, a status, a group such as 5xx, or one of ${[...REASONS].join(', ')}.`);
  return { filter: { ...filter, status: [400, 599] }, reason: error === 'any' ? undefined : error };
}

function listed(logged: LoggedRequest): ListedRequest {
  const { request: _, requestBytes: _bytes, response: _response, responseBytes: _answerBytes, ...rest } = logged;
  return { ...rest, ...errorOf(logged) };
}

/** What the answer says was wrong, if it is an error and was kept whole. */
function errorOf({ status, response }: LoggedRequest): { reason: string; message: string } | undefined {
  if (status < 400) return undefined;
  const [first] = (response as { error?: { errors?: { reason?: string; message?: string }[] } })?.error?.errors ?? [];
  return typeof first?.reason === 'string' ? { reason: first.reason, message: first.message ?? '' } : undefined;
}
