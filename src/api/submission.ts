// POST /v2/geosubmit, /v1/geosubmit, /v1/submit: batches of measurements. The steps: authenticate and admit, read and
// screen the items (a large batch in a worker), hold them to the rate, hand them to the writer, answer once they are
// stored. A bad item does not affect the others. What the rules refuse is counted but not reported as an error, because
// clients would send it again. Each item counts against the rate of its key, and a batch is taken whole or not at all.

import { itemsAtOnce } from '../accounts/counters.ts';
import { storageBytesOf } from '../accounts/directory.ts';
import { Tally } from '../intake/tally.ts';
import { Slices } from '../pool/slices.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { checkBatch } from '../protocol/requests/schema.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { type Packed, packBatch, packLargeBatch, type Sender } from '../tasks/pack_reports.ts';
import { admit, tooFast } from './admission.ts';
import type { Answer, Exchange, Intake, RouteContext } from './exchange.ts';
import { runTask } from './hop.ts';

/** A route of submissions. @param stored the answer when all is stored */
export function submissionRoute(stored: { status: number; body: string }) {
  return async (context: RouteContext, exchange: Exchange, body: unknown): Promise<Answer> => {
    // Contributions are free, also for an account without credits.
    const account = await admit(context, exchange, true);
    const packed = await pack(context, exchange, account, body);
    if ((await contribute(context.intake, account, packed)) === undefined) throw new ApiError(ERRORS.storageExceeded);
    exchange.status = stored.status;
    return stored.body;
  };
}

/** @throws ApiError when the body is no batch, or too large, or has more items than the rate of the key admits */
async function pack(context: RouteContext, exchange: Exchange, account: Account, body: unknown): Promise<Packed> {
  const { compute, intake } = context;
  const sender = senderOf(intake, account, exchange.deviceId, exchange.timeMs);
  if (Buffer.isBuffer(body)) {
    const batch = { bytes: body, sender };
    const { packed, items, tally } = compute.hasWorkers
      ? await runTask(compute, account.id, 'largeBatch', batch, body.length)
      : await packLargeBatch(batch, new Slices());
    admitItems(context, exchange, account, items);
    intake.tally.addAll(new Tally(tally));
    return packed;
  }
  checkBatch(body);
  admitItems(context, exchange, account, body.items.length);
  return packBatch(body.items, sender, intake.tally);
}

/** @throws ApiError userRateLimitExceeded when the key has to wait, bodyTooLarge when its rate never admits so many */
function admitItems(
  { counters }: RouteContext,
  exchange: Exchange,
  { id, ratePerSecond }: Account,
  items: number,
): void {
  const most = ratePerSecond === undefined ? Number.POSITIVE_INFINITY : itemsAtOnce(ratePerSecond);
  if (items > most) {
    const message = `A batch of this key must have at most ${most} items at its rate; send smaller ones.`;
    throw new ApiError(ERRORS.bodyTooLarge, message);
  }
  const wait = counters.admitItems(id, ratePerSecond, items, exchange.timeMs);
  if (wait > 0) throw tooFast(exchange, wait);
}

/** The sender of a request. */
export function senderOf(intake: Intake, account: Account, deviceId: string | undefined, arrivalMs: number): Sender {
  return { account: account.id, isTrusted: intake.trustsAll || account.trusted === true, deviceId, arrivalMs };
}

/**
 * Hands the reports of a batch or a position to the writer; resolves when they are stored, after their commit. Without
 * room nothing is queued. A large batch is stored in parts, and one that is refused half-way leaves its first parts
 * stored; when it is sent again, they count once.
 * @returns how many of them are new; undefined when the account's reports take all the disk that they may
 * @throws ApiError backendError when there is no room for more, Error when they could not be stored
 */
export async function contribute(intake: Intake, account: Account, packed: Packed): Promise<number | undefined> {
  const limitBytes = storageBytesOf(account);
  let newReports = 0;
  for (const reports of packed) {
    // Nothing in this part passed the rules of intake.
    if (reports.byteLength === 0) continue;
    if (!intake.gate.reserve(reports.byteLength)) throw new ApiError(ERRORS.backendError);
    const stored = await intake.writer.ask('contribute', { account: account.id, reports, limitBytes }, [
      reports.buffer,
    ]);
    if (stored.isFull) return undefined;
    const { accepted, duplicates } = stored;
    intake.tally.countDuplicates(duplicates);
    newReports += accepted;
  }
  return newReports;
}
