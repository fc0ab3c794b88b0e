// The last steps of a contribution, the same for batches and positions: name the sender, reserve room, hand the reports
// to the writer. A contribution is acknowledged after its commit. Without room nothing is queued. A large batch is
// stored in parts, and one that is refused half-way leaves its first parts stored; when it is sent again, they count
// once.

import { storageBytesOf } from '../accounts/directory.ts';
import type { Tally } from '../intake/tally.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { Packed, Sender } from '../tasks/pack_reports.ts';
import type { ContributionGate } from '../writer/contributions.ts';
import type { WriterClient } from '../writer/messages.ts';

/** What an HTTP thread needs for contributions. */
export interface Intake {
  gate: ContributionGate;
  writer: Pick<WriterClient, 'ask'>;
  tally: Tally;
  /** Memory of the tally, for workers to count in. */
  tallyMemory: SharedArrayBuffer;
  /** The operator asks for no second witness, so every contributor is trusted. */
  trustsAll: boolean;
}

/** The sender of a request. */
export function senderOf(intake: Intake, account: Account, deviceId: string | undefined, arrivalMs: number): Sender {
  return { account: account.id, isTrusted: intake.trustsAll || account.trusted === true, deviceId, arrivalMs };
}

/**
 * Hands reports to the writer; resolves when they are stored.
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
