// A request that says where its device was: by the state that its last answer held, or by a last location. Is the state this device's, and how fast must
// it have moved to be where it is now?

import { optionsOf } from '../accounts/options.ts';
import type { ReadOutcome } from '../protocol/requests/position_query.ts';
import {
  HAS_LAST_LOCATION,
  REQUEST_FLAGS,
  REQUEST_LAST_ACCURACY,
  REQUEST_LAST_LATITUDE,
  REQUEST_LAST_LONGITUDE,
  REQUEST_LAST_TIMESTAMP,
} from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import type { Account } from '../tables/accounts/account_record.ts';
import { lastBefore, type PlaceInTime, speedBetween } from '../tracking/speed.ts';
import type { StateSealer } from '../tracking/state_token.ts';

/** `foreign`: the state is another device's; `tooFast`: the speed filter refuses the position; a number: m/s; undefined: nothing is known. */
type Followed = 'foreign' | 'tooFast' | number | undefined;

/**
 * Looks at where the device was.
 * @param deviceId as sent
 * @param memory holds the answered query at `offset`
 * @param now the position found, if one was
 */
export function follow(
  states: StateSealer,
  account: Account,
  deviceId: string | undefined,
  outcome: ReadOutcome,
  memory: QueryMemory,
  offset: number,
  now: PlaceInTime | undefined,
): Followed {
  const state = outcome.state === undefined ? undefined : states.open(outcome.state, account.id, deviceId, outcome.timestampMs);
  if (state === 'foreign') return state;
  const last = lastBefore(outcome.timestampMs, state, lastLocation(memory, offset));
  if (last === undefined || now === undefined) return undefined;
  const speed = speedBetween(last, now);
  return speed > optionsOf(outcome, account).speedLimit ? 'tooFast' : speed;
}

/** True when the request says where its device was, in one way or the other. */
export function saysWhereItWas(outcome: ReadOutcome, memory: QueryMemory, offset: number): boolean {
  return outcome.state !== undefined || (memory.u32[(offset + REQUEST_FLAGS) >> 2] & HAS_LAST_LOCATION) !== 0;
}

function lastLocation(memory: QueryMemory, offset: number): PlaceInTime | undefined {
  if ((memory.u32[(offset + REQUEST_FLAGS) >> 2] & HAS_LAST_LOCATION) === 0) return undefined;
  return {
    latitude: memory.f64[(offset + REQUEST_LAST_LATITUDE) >> 3],
    longitude: memory.f64[(offset + REQUEST_LAST_LONGITUDE) >> 3],
    accuracyMetres: memory.f32[(offset + REQUEST_LAST_ACCURACY) >> 2],
    timeMs: memory.f64[(offset + REQUEST_LAST_TIMESTAMP) >> 3],
  };
}
