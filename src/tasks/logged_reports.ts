// Which reports a logged request has brought. Reports do not name their request, so it goes through the intake again:
// an equal request makes equal reports, and a report has one identity however often it is made.

import { Tally } from '../intake/tally.ts';
import type { PositionBody } from '../protocol/requests/schema.ts';
import { unpackReports } from '../tables/observations/report.ts';
import type { LoggedRequest } from '../tables/requests/record.ts';
import { packBatch, packPosition, type Sender } from './pack_reports.ts';

/**
 * The identities of the reports of a request.
 * @param logged what the job `log` answered; null where the log has no such request
 * @returns 32 hexadecimal digits each; none where it contributed nothing
 * @throws Error when the log does not have it, or not whole
 */
export function identitiesOf(logId: number, logged: unknown): string[] {
  if (logged === null) throw new Error(`There is no logged request ${logId}; requests are kept at most 7 days.`);
  const { account, device, request, requestBytes, route, time } = logged as LoggedRequest;
  if (requestBytes !== undefined)
    throw new Error(
      `Request ${logId} had ${requestBytes} bytes, of which the log kept the first only; forget its device or ` +
        `its key instead.`,
    );
  if (account === undefined || typeof request !== 'object' || request === null) return [];
  const sender: Sender = { account, isTrusted: false, deviceId: device, arrivalMs: Date.parse(time) };
  const { items, gps } = request as { items?: unknown; gps?: unknown };
  const tally = new Tally();
  const packed =
    route === 'submit' && Array.isArray(items)
      ? packBatch(items, sender, tally)
      : route === 'position' && typeof gps === 'object' && gps !== null
        ? packPosition(request as PositionBody, sender, tally)
        : [];
  return packed.flatMap(reports =>
    Array.from(unpackReports(reports), ({ identity }) => Buffer.from(identity).toString('hex')),
  );
}
