// POST /v2/geosubmit, /v1/geosubmit, /v1/submit: batches of measurements. Reads top-down: authenticate and admit, read and screen the items (a large
// batch in a worker), hand them to the writer, answer once they are stored. A bad item never refuses the others, and what the rules refuse is counted
// and not answered: the clients would send it again.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { checkBatch } from '../protocol/requests/schema.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { LargeBatch, LargeBatchAnswer } from '../tasks/large_batch.ts';
import { type Packed, packBatch } from '../tasks/pack_reports.ts';
import { contribute, senderOf } from './contribution.ts';
import { Exchange } from './exchange.ts';
import type { Services } from './services.ts';

/** Runs in the compute workers. */
const LARGE_BATCH_FILE = new URL('../tasks/large_batch.ts', import.meta.url);

/** Paths of submissions and how each says that all is stored. */
export const SUBMISSION_PATHS: ReadonlyMap<string, { status: number; body: string }> = new Map([
  ['/v2/geosubmit', { status: 200, body: '{}' }],
  ['/v1/geosubmit', { status: 200, body: '{}' }],
  ['/v1/submit', { status: 204, body: '' }],
]);

/** A batch on its way. */
export class SubmissionExchange extends Exchange {
  private readonly stored: { status: number; body: string };

  /** @param stored the answer when all is stored */
  constructor(services: Services, request: FastifyRequest, reply: FastifyReply, stored: { status: number; body: string }) {
    super(services, request, reply, 'submit');
    this.stored = stored;
  }

  /** Answers `body`, the parsed JSON of the request, or its bytes where it is large. */
  async start(body: unknown): Promise<void> {
    try {
      const account = await this.admit();
      if (account === undefined) return;
      const packed = Buffer.isBuffer(body) ? await this.packElsewhere(body, account) : this.pack(body, account);
      await contribute(this.services.intake, account, packed);
      this.logId = this.services.logIds.next();
      this.send(this.stored.status, this.stored.body);
    } catch (error) {
      this.failBy(error);
    }
  }

  /** Contributions cost nothing, and who has no credits left may still contribute. */
  protected override isFree(): boolean {
    return true;
  }

  private pack(body: unknown, account: Account): Packed {
    checkBatch(body);
    return [...packBatch(body.items, senderOf(this.services.intake, account, this.deviceId, this.timeMs), this.services.intake.tally)];
  }

  private async packElsewhere(bytes: Buffer, account: Account): Promise<Packed> {
    const { intake, compute } = this.services;
    const task: LargeBatch = { bytes, sender: senderOf(intake, account, this.deviceId, this.timeMs), tally: intake.tallyMemory };
    const running = compute.runElsewhere<LargeBatchAnswer>(LARGE_BATCH_FILE, task, bytes.length);
    if (running === undefined) throw new ApiError(ERRORS.backendError);
    const answer = await running;
    if ('error' in answer) throw new ApiError(ERRORS[answer.error], answer.message);
    return answer.packed;
  }
}
