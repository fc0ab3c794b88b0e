// Large batches, in a compute worker: parsed, screened and packed there, so that the HTTP thread only hands the bytes over. Between two parts the worker
// takes up what else it is asked.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Tally } from '../intake/tally.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { parseChecked } from '../protocol/requests/body.ts';
import { checkBatch } from '../protocol/requests/schema.ts';
import { type Packed, packBatch, refuseCrowd, type Sender } from './pack_reports.ts';

/** What the HTTP thread hands over. */
export interface LargeBatch {
  bytes: Uint8Array;
  sender: Sender;
  /** Memory of the tally. */
  tally: SharedArrayBuffer;
}

/** What comes back: the reports, or the error and its sentence. */
export type LargeBatchAnswer = { packed: Packed } | { error: 'parseError' | 'bodyTooLarge'; message: string };

/** Packs one large batch. */
export default async function packLargeBatch({ bytes, sender, tally }: LargeBatch): Promise<LargeBatchAnswer> {
  try {
    refuseCrowd(bytes);
    const body = parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    checkBatch(body);
    const packed: Packed = [];
    for (const part of packBatch(body.items, sender, new Tally(tally))) {
      packed.push(part);
      await nextTurn();
    }
    return { packed };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { error: error.row === ERRORS.bodyTooLarge ? 'bodyTooLarge' : 'parseError', message: error.message };
  }
}
