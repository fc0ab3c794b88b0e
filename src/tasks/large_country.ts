// Large bodies of /v1/country, in a compute worker, as those of positions (large_position.ts).

import type { Country } from '../geocoding/address/address.ts';
import { answerer } from '../pool/worker.ts';
import { countryOfAnswer } from '../protocol/answers/country.ts';
import { ApiError } from '../protocol/errors.ts';
import { parseChecked } from '../protocol/requests/body.ts';
import { queryBytesOf, readQuery } from '../protocol/requests/position_query.ts';
import { checkStructure } from '../protocol/requests/schema.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryWriter } from '../radio/query/writer.ts';

/** What the HTTP thread hands over. */
export interface LargeCountry {
  bytes: Uint8Array;
  /** Arrival, milliseconds since 1970. */
  timeMs: number;
}

/** What comes back; or the sentence of a parse error. */
export type LargeCountryAnswer = { country: Country | undefined } | { parseError: string };

/** Answers one large body. */
export default function answerLargeCountry({ bytes, timeMs }: LargeCountry): LargeCountryAnswer {
  try {
    const body = parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    checkStructure(body);
    const memory = new QueryMemory(new ArrayBuffer(queryBytesOf(body)));
    readQuery(body, timeMs, new QueryWriter(memory), 0);
    answerer.answer(memory, 0);
    answerer.release();
    return { country: countryOfAnswer(body, memory, 0) };
  } catch (error) {
    if (error instanceof ApiError) return { parseError: error.message };
    throw error;
  }
}
