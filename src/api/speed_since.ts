// A request may say where its device was, with the state of its last answer or with a last location. How fast must the device have moved since?

import { ApiError, ERRORS } from '../protocol/errors.ts';
import type { Located } from '../tasks/locate.ts';
import { lastBefore, speedBetween } from '../tracking/speed.ts';
import type { StateSealer } from '../tracking/state_token.ts';

/**
 * The least speed that takes a device from its last location to its position.
 * @param deviceId of the request
 * @returns m/s; undefined when one of the two is not known
 * @throws ApiError settingsKeyInvalid when the state belongs to another device
 */
export function speedSince(
  states: StateSealer,
  accountId: number,
  deviceId: string | undefined,
  { outcome, lastLocation, position }: Located,
): number | undefined {
  const { state: token, timestampMs } = outcome;
  if (token === undefined && lastLocation === undefined) return undefined;
  const state = token === undefined ? undefined : states.open(token, accountId, deviceId, timestampMs);
  if (state === 'foreign') throw new ApiError(ERRORS.settingsKeyInvalid);
  const last = lastBefore(timestampMs, state, lastLocation);
  if (last === undefined || position === undefined) return undefined;
  return speedBetween(last, { ...position, timeMs: timestampMs });
}
