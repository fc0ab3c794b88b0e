// The last steps of a contribution, the same for batches and for positions: who sends it, room for it, and its way to the writer. It is acknowledged
// after its commit; where there is no room for more, nothing is queued. What was stored of a batch that is refused half-way stays: sent again, it counts
// once.

import type { Tally } from '../intake/tally.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { Packed, Sender } from '../tasks/pack_reports.ts';
import type { ContributionGate } from '../writer/contributions.ts';
import type { WriterClient } from '../writer/messages.ts';

/** What an HTTP thread contributes with. */
export interface Intake {
  gate: ContributionGate;
  writer: Pick<WriterClient, 'ask'>;
  tally: Tally;
  /** Memory of the tally, for workers to count in. */
  tallyMemory: SharedArrayBuffer;
  /** The operator asks for no second witness, whoever contributes. */
  trustsAll: boolean;
}

/** The sender of a request. */
export function senderOf(intake: Intake, account: Account, deviceId: string | undefined, arrivalMs: number): Sender {
  return { account: account.id, isTrusted: intake.trustsAll || account.trusted === true, deviceId, arrivalMs };
}

/**
 * Hands reports to the writer; resolves when they are stored.
 * @throws ApiError backendError when there is no room for more, Error when they could not be stored
 */
export async function contribute(intake: Intake, account: Account, packed: Packed): Promise<void> {
  for (const reports of packed) {
    // A part in which nothing passed the rules.
    if (reports.byteLength === 0) continue;
    if (!intake.gate.reserve(reports.byteLength)) throw new ApiError(ERRORS.backendError);
    const { duplicates } = await intake.writer.ask('contribute', { account: account.id, reports }, [reports.buffer]);
    intake.tally.countDuplicates(duplicates);
  }
}
