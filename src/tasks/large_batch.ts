// Parses, screens and packs a large batch in a compute worker, so that the HTTP thread only hands over the bytes. Between two parts the worker can take other
// messages.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Tally } from '../intake/tally.ts';
import type { Answerer } from '../pool/answerer.ts';
import { parseChecked } from '../protocol/requests/body.ts';
import { checkBatch } from '../protocol/requests/schema.ts';
import { type Packed, packBatch, refuseTooMany, type Sender } from './pack_reports.ts';

/** Input from the HTTP thread. */
interface LargeBatch {
  bytes: Uint8Array;
  sender: Sender;
  /** Memory of the tally. */
  tally: SharedArrayBuffer;
}

/** Packs the reports of one batch. @throws ApiError parseError, or bodyTooLarge for more than a million items and entries */
export async function packLargeBatch(_: Answerer, { bytes, sender, tally }: LargeBatch): Promise<Packed> {
  refuseTooMany(bytes);
  const body = parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  checkBatch(body);
  const packed: Packed = [];
  for (const part of packBatch(body.items, sender, new Tally(tally))) {
    packed.push(part);
    await nextTurn();
  }
  return packed;
}
