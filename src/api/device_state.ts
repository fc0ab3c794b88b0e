// What is known of where a device was: the state that it sends back, and the last location that it names.

import { keepsState } from '../accounts/options.ts';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import type { Located } from '../tasks/locate.ts';
import { lastBefore, speedBetween, type TimedPosition } from '../tracking/speed.ts';
import type { DeviceState, StateSealer } from '../tracking/state_token.ts';

/** True if answers to a device have a state, which says how it moves. @param deviceId of the request */
export function isTracked(deviceId: string | undefined, account: Account): deviceId is string {
  return deviceId !== undefined && keepsState(account);
}

/**
 * Opens the state of a request.
 * @param asker who asks, with the id that was sent
 * @param sent its token, and the time of the request in milliseconds since 1970
 * @returns undefined without a state, and for one to ignore
 * @throws ApiError settingsKeyInvalid when the state belongs to another device
 */
export function openState(
  states: StateSealer,
  account: Account,
  { deviceId }: { readonly deviceId: string | undefined },
  { state: token, timestampMs }: { state: string | undefined; timestampMs: number },
): DeviceState | undefined {
  if (token === undefined) return undefined;
  const state = states.open(token, account.id, deviceId, timestampMs);
  if (state === 'foreign') throw new ApiError(ERRORS.settingsKeyInvalid);
  return state;
}

/**
 * The least speed that takes a device from its last location to its position.
 * @param state of the request
 * @returns m/s; undefined when one of the two is not known
 */
export function speedSince(
  state: TimedPosition | undefined,
  { outcome, lastLocation, position }: Located,
): number | undefined {
  const { timestampMs } = outcome;
  const last = lastBefore(timestampMs, state, lastLocation);
  if (last === undefined || position === undefined) return undefined;
  return speedBetween(last, { ...position, timeMs: timestampMs });
}
