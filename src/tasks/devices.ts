// Where devices were last: for each device of a key its last request and its last position, from the request log. The
// log has no index of devices. It is read from the latest request back, by the heads of the records, and a body is
// parsed only where it is news of its device. So a page costs the same whatever the log holds: it ends after a number
// of records, and devices that asked lately are on the first one. To reach further back takes as many pages as there
// are records.
//
// Nothing is kept here, so what the log forgets is forgotten.

import { LOG_ROUTES, type LoggedRequest, type readHead } from '../tables/requests/record.ts';
import type { PageEnd, RequestFilter, RequestSearch } from '../tables/requests/search.ts';
import { type Step, stepOf } from './walks.ts';

/** Records are looked at in pieces of about four chunks, and none of them is kept. */
const PIECE = { requests: 1, bytes: 1_048_576, milliseconds: Number.POSITIVE_INFINITY };
/** The most that a page costs: 0.15 seconds. */
const PIECES_MAX = 64;
/** A page ends once it has so many. */
const DEVICES_MAX = 1_000;
const FOUND = 200;
const POSITION = LOG_ROUTES.indexOf('position');

/** A device under one key. */
interface Device {
  device: string;
  /** Number of the key; absent for requests without a valid one. */
  account?: number;
  /** Its last request, whatever was answered. */
  last: Pick<LoggedRequest, 'logId' | 'time' | 'route' | 'status'>;
  /** Its last position; absent where none is found in what was read. */
  position?: Step;
}

/** Some devices. */
interface DevicePage {
  /** Those that asked last come first. */
  devices: Device[];
  /** Where the next page begins, which may have the same devices with what they did before; undefined at the end. */
  end: PageEnd | undefined;
}

/** What is known of a device so far. */
interface Known extends Device {
  lastMs: number;
  positionMs: number;
}

/**
 * Reads a page of devices.
 * @param account number of a key, and `device`: only these
 * @param before the end of the page before
 * @throws Error when a chunk of the log is damaged
 */
export async function readDevices(
  log: RequestSearch,
  { account, device }: Pick<RequestFilter, 'account' | 'device'>,
  nowMs: number,
  before: PageEnd | undefined,
): Promise<DevicePage> {
  const known = new Map<string, Known>();
  const filter: RequestFilter = {
    account,
    device,
    isWanted: head => head.device !== undefined && isNews(known.get(nameOf(head.account, head.device)), head),
  };
  const look = (request: LoggedRequest): boolean => {
    note(known, request);
    return false;
  };
  let end = before;
  let pieces = 0;
  do {
    end = (await log.page(filter, look, PIECE, nowMs, end)).end;
  } while (end !== undefined && ++pieces < PIECES_MAX && known.size < DEVICES_MAX);
  const devices = [...known.values()].sort((a, b) => b.lastMs - a.lastMs || b.last.logId - a.last.logId);
  return { devices: devices.map(({ lastMs: _, positionMs: _positionMs, ...each }) => each), end };
}

/** The same id under two keys is two devices. */
function nameOf(account: number, device: Buffer | string): string {
  return `${account} ${device}`;
}

/** True if a request may be the last of its device, or its last position. */
function isNews(known: Known | undefined, { timeMs, route, status }: ReturnType<typeof readHead>): boolean {
  if (known === undefined || timeMs >= known.lastMs) return true;
  return route === POSITION && status === FOUND && timeMs >= known.positionMs;
}

function note(known: Map<string, Known>, request: LoggedRequest): void {
  const { logId, time, route, status, account, device = '' } = request;
  const name = nameOf(account ?? 0, device);
  const timeMs = Date.parse(time);
  const last = { logId, time, route, status };
  let each = known.get(name);
  if (each === undefined) {
    each = { device, ...(account !== undefined && { account }), last, lastMs: timeMs, positionMs: 0 };
    known.set(name, each);
  } else if (timeMs > each.lastMs || (timeMs === each.lastMs && logId > each.last.logId)) {
    each.last = last;
    each.lastMs = timeMs;
  }
  if (route !== 'position' || status !== FOUND || timeMs < each.positionMs) return;
  const [position] = stepOf(request);
  if (position === undefined || (timeMs === each.positionMs && logId < each.position!.logId)) return;
  each.position = position;
  each.positionMs = timeMs;
}
