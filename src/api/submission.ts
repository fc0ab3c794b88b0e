// POST /v2/geosubmit, /v1/geosubmit, /v1/submit: batches of measurements. The steps: authenticate and admit, read and screen the items (a large batch in a
// worker), hand them to the writer, answer once they are stored. A bad item does not affect the others. What the rules refuse is counted but not reported as an
// error, because clients would send it again.

import { Slices } from '../pool/slices.ts';
import { checkBatch } from '../protocol/requests/schema.ts';
import { packLargeBatch } from '../tasks/large_batch.ts';
import { type Packed, packBatch, type Sender } from '../tasks/pack_reports.ts';
import { admit } from './admission.ts';
import type { RouteContext } from './context.ts';
import { contribute, senderOf } from './contribution.ts';
import type { Answer, Exchange } from './exchange.ts';
import { runTask } from './hop.ts';

/** The paths of submissions and the answer of each when everything is stored. */
export const SUBMISSION_PATHS: ReadonlyMap<string, { status: number; body: string }> = new Map([
  ['/v2/geosubmit', { status: 200, body: '{}' }],
  ['/v1/geosubmit', { status: 200, body: '{}' }],
  ['/v1/submit', { status: 204, body: '' }],
]);

/** A route of submissions. @param stored the answer when all is stored */
export function submissionRoute(stored: { status: number; body: string }) {
  return async (context: RouteContext, exchange: Exchange, body: unknown): Promise<Answer> => {
    // Contributions are free, also for an account without credits.
    const account = await admit(context, exchange, true);
    const packed = await pack(context, senderOf(context.intake, account, exchange.deviceId, exchange.timeMs), body);
    await contribute(context.intake, account, packed);
    exchange.status = stored.status;
    return stored.body;
  };
}

/** @throws ApiError when the body is no batch, or too large */
function pack({ compute, intake }: RouteContext, sender: Sender, body: unknown): Packed | Promise<Packed> {
  if (Buffer.isBuffer(body)) {
    const batch = { bytes: body, sender, tally: intake.tallyMemory };
    return compute.hasWorkers ? runTask(compute, sender.account, 'largeBatch', batch, body.length) : packLargeBatch(batch, new Slices());
  }
  checkBatch(body);
  return packBatch(body.items, sender, intake.tally);
}
