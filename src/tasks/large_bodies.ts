// Large bodies of queries in a compute worker. Parsing eight megabytes takes longer than other requests of an HTTP
// thread may wait, and so does counting the objects and lists of what a few kilobytes inflate to. So the HTTP thread
// hands over the bytes; the worker parses and checks in one slice, and locates in the next.

import type { Answerer } from '../answer/answerer.ts';
import type { Country } from '../geocoding/address/address.ts';
import { Tally } from '../intake/tally.ts';
import type { Slices } from '../pool/slices.ts';
import { countryOf } from '../protocol/answers/country.ts';
import { type ExtraTerms, wantsOf } from '../protocol/answers/position.ts';
import { inflateLarge, parseChecked, SharedPieces } from '../protocol/requests/body.ts';
import type { AnswerForm } from '../protocol/requests/place_question.ts';
import { type PointList, readPoints } from '../protocol/requests/points.ts';
import { asksForExplanation, withDefaults } from '../protocol/requests/position_query.ts';
import { explainPosition } from './explain_position.ts';
import { type Located, locateAlone, PositionQuery, parsePosition } from './locate.ts';
import { type Packed, packPosition, type Sender } from './pack_reports.ts';

interface CompressedBody {
  bytes: Uint8Array;
  /** Value of the Content-Encoding header. */
  encoding: string | undefined;
  /** Most bytes that may come out. */
  capBytes: number;
}

/** Undoes the content encoding of one body. @returns a view of shared memory @throws ApiError as `inflate` */
export async function inflateBody(_: Answerer, { bytes, encoding, capBytes }: CompressedBody): Promise<Uint8Array> {
  const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return await inflateLarge(sent, encoding, capBytes, new SharedPieces(capBytes));
}

interface LargePosition {
  bytes: Uint8Array;
  sender: Sender;
  terms: ExtraTerms;
  /** LONE_BEACONS_* bit. */
  loneBeacons: number;
  /** Who asks, from `askerOf`. */
  asker: number;
  /** What the query of the request says of an explanation; undefined for a key that may not ask for one. */
  explain: { parameter: unknown } | undefined;
  /** Memory of the tally. */
  tally: SharedArrayBuffer;
}

/**
 * Locates one device. @returns the result, with the packed report of a request that contributes @throws ApiError
 * parseError, strayLimitExceeded
 */
export async function locateLarge(
  answerer: Answerer,
  { bytes, sender, terms, loneBeacons, asker, explain, tally }: LargePosition,
  slices: Slices,
): Promise<Located & { packed: Packed }> {
  const body = withDefaults(parsePosition(bytes), terms.byDefault);
  await slices.giveWay();
  const wants = wantsOf(body, terms) | loneBeacons;
  const isExplained = explain !== undefined && asksForExplanation(body, explain.parameter);
  const located: Located = isExplained
    ? explainPosition(answerer, { body, arrivalMs: sender.arrivalMs, wants, asker, state: undefined })
    : locateAlone(answerer, new PositionQuery(body, sender.arrivalMs, wants, asker));
  return { ...located, packed: located.outcome.contributes ? packPosition(body, sender, new Tally(tally)) : [] };
}

interface LargeCountry {
  bytes: Uint8Array;
  /** Arrival, milliseconds since 1970. */
  timeMs: number;
  /** LONE_BEACONS_* bit, and who asks. */
  loneBeacons: number;
  asker: number;
}

/** Finds the country of one device. @throws ApiError parseError, strayLimitExceeded */
export async function findLargeCountry(
  answerer: Answerer,
  { bytes, timeMs, loneBeacons, asker }: LargeCountry,
  slices: Slices,
): Promise<{ country: Country | undefined }> {
  const body = parsePosition(bytes);
  await slices.giveWay();
  const { position } = locateAlone(answerer, new PositionQuery(body, timeMs, loneBeacons, asker));
  return { country: countryOf(body, position) };
}

interface LargePoints {
  bytes: Uint8Array;
  form: AnswerForm;
}

/** Reads the points of one body. @throws ApiError parseError */
export function readLargePoints(_: Answerer, { bytes, form }: LargePoints): PointList {
  return readPoints(parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)), form);
}
