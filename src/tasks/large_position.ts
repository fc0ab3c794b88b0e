// Large bodies, in a compute worker: parsing eight megabytes takes longer than any other request may wait, so the HTTP thread hands over the bytes and the
// whole of parse, check, read, locate and screening happens there. What comes back is the reader's outcome, the answered struct and the report.

import { Tally } from '../intake/tally.ts';
import { answerer } from '../pool/worker.ts';
import { type AddressTerms, wantsOf } from '../protocol/answers/description.ts';
import { ApiError } from '../protocol/errors.ts';
import { parseChecked } from '../protocol/requests/body.ts';
import { queryBytesOf, type ReadOutcome, readQuery } from '../protocol/requests/position_query.ts';
import { checkStructure } from '../protocol/requests/schema.ts';
import { withoutObservations } from '../radio/query/answer.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryWriter } from '../radio/query/writer.ts';
import { type Packed, packPosition, type Sender } from './pack_reports.ts';

/** What the HTTP thread hands over. */
export interface LargeBody {
  bytes: Uint8Array;
  sender: Sender;
  /** Undefined where no address is ever answered. */
  terms: AddressTerms | undefined;
  /** Memory of the tally. */
  tally: SharedArrayBuffer;
}

/** What comes back: an answered query without its observations and the report of a request that contributes, or the sentence of a parse error. */
export type LargeAnswer = { outcome: ReadOutcome; result: Uint8Array; packed: Packed } | { parseError: string };

/** Answers one large body. */
export default function answerLargeBody({ bytes, sender, terms, tally }: LargeBody): LargeAnswer {
  try {
    const body = parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    checkStructure(body);
    const wants = wantsOf(body, terms);
    const memory = new QueryMemory(new ArrayBuffer(queryBytesOf(body, wants)));
    const outcome = readQuery(body, sender.arrivalMs, new QueryWriter(memory), 0, wants);
    answerer.answer(memory, 0);
    answerer.release();
    const packed = outcome.contributes ? packPosition(body, sender, new Tally(tally)) : [];
    return { outcome, result: withoutObservations(memory), packed };
  } catch (error) {
    if (error instanceof ApiError) return { parseError: error.message };
    throw error;
  }
}
