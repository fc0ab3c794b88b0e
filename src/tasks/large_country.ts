// Answers a large body of /v1/country in a compute worker, for the reason given in large_position.ts.

import type { Country } from '../geocoding/address/address.ts';
import type { Answerer } from '../pool/answerer.ts';
import type { Slices } from '../pool/slices.ts';
import { countryOf } from '../protocol/answers/country.ts';
import { locateAlone, PositionQuery, parsePosition } from './locate.ts';

/** Input from the HTTP thread. */
interface LargeCountry {
  bytes: Uint8Array;
  /** Arrival, milliseconds since 1970. */
  timeMs: number;
}

/** Finds the country of one device. @throws ApiError parseError */
export async function findLargeCountry(
  answerer: Answerer,
  { bytes, timeMs }: LargeCountry,
  slices: Slices,
): Promise<{ country: Country | undefined }> {
  const body = parsePosition(bytes);
  await slices.giveWay();
  const { position } = locateAlone(answerer, new PositionQuery(body, timeMs, 0));
  return { country: countryOf(body, position) };
}
