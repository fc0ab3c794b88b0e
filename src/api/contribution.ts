// The last steps of a contribution, the same for batches and for positions: who sends it, room for it, and its way to the writer. It is acknowledged
// after its commit; where there is no room for more, nothing is queued.

import type { Tally } from '../contributions/tally.ts';
import type { Account } from '../tables/account_record.ts';
import type { IntakeGate } from '../writer/intake.ts';
import type { WriterClient } from '../writer/messages.ts';
import type { Packed, Sender } from './batch.ts';

/** What an HTTP thread contributes with. */
export interface Intake {
  gate: IntakeGate;
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
 * Hands reports to the writer.
 * @returns a promise that resolves when they are stored; undefined when there is no room: the caller answers 503
 */
export function contribute(intake: Intake, account: Account, packed: NonNullable<Packed>): Promise<void> | undefined {
  if (!intake.gate.reserve(packed.byteLength)) return undefined;
  return intake.writer
    .ask('contribute', { account: account.id, reports: packed }, [packed.buffer])
    .then(({ duplicates }) => intake.tally.countDuplicates(duplicates));
}
