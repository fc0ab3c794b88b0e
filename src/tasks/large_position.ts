// Large bodies, in a compute worker: parsing eight megabytes takes longer than any other request may wait, so the HTTP thread hands over the bytes and the
// whole of parse, check, read, locate and screening happens there.

import { Tally } from '../intake/tally.ts';
import type { Answerer } from '../pool/answerer.ts';
import { type AddressTerms, wantsOf } from '../protocol/answers/description.ts';
import { type Located, locateAlone, PositionQuery, parsePosition } from './locate.ts';
import { type Packed, packPosition, type Sender } from './pack_reports.ts';

/** What the HTTP thread hands over. */
interface LargePosition {
  bytes: Uint8Array;
  sender: Sender;
  /** Undefined where no address is ever answered. */
  terms: AddressTerms | undefined;
  /** Memory of the tally. */
  tally: SharedArrayBuffer;
}

/** Locates one device. @returns also the report of a request that contributes @throws ApiError parseError */
export function locateLarge(answerer: Answerer, { bytes, sender, terms, tally }: LargePosition): Located & { packed: Packed } {
  const body = parsePosition(bytes);
  const located = locateAlone(answerer, new PositionQuery(body, sender.arrivalMs, wantsOf(body, terms)));
  return { ...located, packed: located.outcome.contributes ? packPosition(body, sender, new Tally(tally)) : [] };
}
