// Large bodies, in a compute worker: parsing eight megabytes takes longer than any other request may wait, so the HTTP thread hands over the bytes and the
// whole of parse, check, read, locate and screening happens there. What comes back is the reader's outcome, the answered struct and the report.

import { REQUEST_BYTES } from '../../wasm/layout.ts';
import { Tally } from '../contributions/tally.ts';
import { locator } from '../pool/worker.ts';
import { QueryMemory, QueryWriter } from '../radio/query.ts';
import { type Packed, packPosition, type Sender } from './batch.ts';
import { ApiError } from './errors.ts';
import { parseChecked } from './read_body.ts';
import { queryBytesOf, type ReadOutcome, readQuery } from './read_query.ts';
import { checkStructure } from './schema.ts';

/** What the HTTP thread hands over. */
export interface LargeBody {
  bytes: Uint8Array;
  sender: Sender;
  /** Memory of the tally. */
  tally: SharedArrayBuffer;
}

/** What comes back: an answered struct of REQUEST_BYTES and the report of a request that contributes, or the sentence of a parse error. */
export type LargeAnswer = { outcome: ReadOutcome; result: Uint8Array; packed: Packed } | { parseError: string };

/** Answers one large body. */
export default function answerLargeBody({ bytes, sender, tally }: LargeBody): LargeAnswer {
  try {
    const body = parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    checkStructure(body);
    const memory = new QueryMemory(new ArrayBuffer(queryBytesOf(body)));
    const outcome = readQuery(body, sender.arrivalMs, new QueryWriter(memory), 0);
    locator.locate(memory, 0);
    locator.release();
    const packed = outcome.contributes ? packPosition(body, sender, new Tally(tally)) : [];
    return { outcome, result: memory.u8.slice(0, REQUEST_BYTES), packed };
  } catch (error) {
    if (error instanceof ApiError) return { parseError: error.message };
    throw error;
  }
}
