// Answers a large body of a position in a compute worker. Parsing eight megabytes takes longer than other requests may wait. So the HTTP thread hands over the
// bytes, and the worker parses and checks in one slice, and reads, locates and screens in the next.

import { Tally } from '../intake/tally.ts';
import type { Answerer } from '../pool/answerer.ts';
import type { Slices } from '../pool/slices.ts';
import { type ExtraTerms, wantsOf } from '../protocol/answers/description.ts';
import { type Located, locateAlone, PositionQuery, parsePosition } from './locate.ts';
import { type Packed, packPosition, type Sender } from './pack_reports.ts';

/** Input from the HTTP thread. */
interface LargePosition {
  bytes: Uint8Array;
  sender: Sender;
  terms: ExtraTerms;
  /** LONE_BEACONS_* bit. */
  loneBeacons: number;
  /** Memory of the tally. */
  tally: SharedArrayBuffer;
}

/** Locates one device. @returns the result, with the packed report of a request that contributes @throws ApiError parseError */
export async function locateLarge(
  answerer: Answerer,
  { bytes, sender, terms, loneBeacons, tally }: LargePosition,
  slices: Slices,
): Promise<Located & { packed: Packed }> {
  const body = parsePosition(bytes);
  await slices.giveWay();
  const located = locateAlone(answerer, new PositionQuery(body, sender.arrivalMs, wantsOf(body, terms) | loneBeacons));
  return { ...located, packed: located.outcome.contributes ? packPosition(body, sender, new Tally(tally)) : [] };
}
