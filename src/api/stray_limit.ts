// How many strays a key may cause: known stations that it sends beside others of places where they do not belong
// (src/tables/stations/strays.ts). Who searches for one address causes many.

import { ApiError, ERRORS } from '../protocol/errors.ts';
import { ScannedBody } from '../protocol/requests/scanned_body.ts';
import type { PositionBody } from '../protocol/requests/schema.ts';
import { SOURCE_BLUETOOTH, SOURCE_WIFI } from '../radio/query/layout.ts';
import type { Located } from '../tasks/locate.ts';
import type { RouteContext } from './context.ts';

/**
 * Refuses a body that names access points or beacons, of a key that has caused too many strays.
 * @param body parsed or scanned, or the bytes of a large one
 * @throws ApiError strayLimitExceeded
 */
export function refuseStraying({ counters }: RouteContext, accountId: number, timeMs: number, body: unknown): void {
  if (counters.isStraying(accountId, timeMs) && namesRadios(body)) throw new ApiError(ERRORS.strayLimitExceeded);
}

/** Counts the strays of an answered query, or that it had none. */
export function countStrays(
  { counters }: RouteContext,
  accountId: number,
  timeMs: number,
  { strays, position }: Located,
): void {
  const isByRadios = position !== undefined && (position.sources & (SOURCE_WIFI | SOURCE_BLUETOOTH)) !== 0;
  counters.countStrays(accountId, strays, isByRadios, timeMs);
}

/** True if a body names access points or beacons. A large one is not parsed yet, so it may. */
function namesRadios(body: unknown): boolean {
  if (Buffer.isBuffer(body)) return true;
  if (body instanceof ScannedBody) return body.accessPoints + body.beacons > 0;
  const { wifiAccessPoints, bluetoothBeacons } = (body ?? {}) as PositionBody;
  return (wifiAccessPoints?.length ?? 0) + (bluetoothBeacons?.length ?? 0) > 0;
}
