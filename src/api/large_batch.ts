// Large batches, in a compute worker: parsed, screened and packed there, so that the HTTP thread only hands the bytes over.

import { Tally } from '../contributions/tally.ts';
import { type Packed, packBatch, type Sender } from './batch.ts';
import { ApiError } from './errors.ts';
import { parseChecked } from './read_body.ts';
import { checkBatch } from './schema.ts';

/** What the HTTP thread hands over. */
export interface LargeBatch {
  bytes: Uint8Array;
  sender: Sender;
  /** Memory of the tally. */
  tally: SharedArrayBuffer;
}

/** What comes back: the reports, or the sentence of a parse error. */
export type LargeBatchAnswer = { packed: Packed } | { parseError: string };

/** Packs one large batch. */
export default function packLargeBatch({ bytes, sender, tally }: LargeBatch): LargeBatchAnswer {
  try {
    const body = parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    checkBatch(body);
    return { packed: packBatch(body.items, sender, new Tally(tally)) };
  } catch (error) {
    if (error instanceof ApiError) return { parseError: error.message };
    throw error;
  }
}
