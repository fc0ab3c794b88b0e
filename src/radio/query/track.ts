// What a query carries of a device that is tracked: when it asks, what its sensors say, and what its state holds of
// where it was. The answer leaves what the next state will hold. What these bytes mean is known where they are made
// (src/pool/).

import {
  REQUEST_TRACK,
  TRACK_ACTIVITY,
  TRACK_HEADING,
  TRACK_LENGTH,
  TRACK_NEXT,
  TRACK_NEXT_LENGTH,
  TRACK_PRESSURE,
  TRACK_STATE,
  TRACK_STATE_BYTES_MAX,
  TRACK_STEPS,
  TRACK_TIME,
} from './layout.ts';
import type { QueryMemory } from './memory.ts';

/** What moved since the last request, as sensors tell. NaN where nothing was sent. */
export interface Motion {
  /** Air pressure. */
  pressureHpa: number;
  /** Steps along a straight line. */
  steps: number;
  /** Direction of the steps, degrees from north, 0..360. */
  headingDegrees: number;
  /** Index in the list of activities (src/protocol/requests/sensors.ts); -1 where none was sent. */
  activity: number;
}

/** The part of a query for tracking. */
export interface QueryTrack {
  /** Time of the request, milliseconds since 1970. */
  timeMs: number;
  motion: Motion;
  /** What the device's state holds, at most TRACK_STATE_BYTES_MAX; undefined without one. */
  state: Uint8Array | undefined;
}

/** Writes the part at byte `at` of the memory, a multiple of 8. */
export function writeTrack(
  { u8, u32, i32, f32, f64 }: QueryMemory,
  at: number,
  { timeMs, motion, state }: QueryTrack,
): void {
  f64[(at + TRACK_TIME) >> 3] = timeMs;
  f32[(at + TRACK_PRESSURE) >> 2] = motion.pressureHpa;
  f32[(at + TRACK_STEPS) >> 2] = motion.steps;
  f32[(at + TRACK_HEADING) >> 2] = motion.headingDegrees;
  i32[(at + TRACK_ACTIVITY) >> 2] = motion.activity;
  const length = state === undefined || state.length > TRACK_STATE_BYTES_MAX ? 0 : state.length;
  u32[(at + TRACK_LENGTH) >> 2] = length;
  u32[(at + TRACK_NEXT_LENGTH) >> 2] = 0;
  if (length > 0) u8.set(state!, at + TRACK_STATE);
}

/** The part for tracking of the query at `offset`; undefined if its device is not tracked. The state is a copy. */
export function readTrack(memory: QueryMemory, offset: number): QueryTrack | undefined {
  const at = placeOf(memory, offset);
  if (at === 0) return undefined;
  const { u8, u32, i32, f32, f64 } = memory;
  const length = u32[(at + TRACK_LENGTH) >> 2];
  return {
    timeMs: f64[(at + TRACK_TIME) >> 3],
    motion: {
      pressureHpa: f32[(at + TRACK_PRESSURE) >> 2],
      steps: f32[(at + TRACK_STEPS) >> 2],
      headingDegrees: f32[(at + TRACK_HEADING) >> 2],
      activity: i32[(at + TRACK_ACTIVITY) >> 2],
    },
    state: length === 0 ? undefined : u8.slice(at + TRACK_STATE, at + TRACK_STATE + length),
  };
}

/** Writes what the next state will hold into a query whose device is tracked. @throws Error when it is too long */
export function writeNextTrack(memory: QueryMemory, offset: number, state: Uint8Array): void {
  if (state.length > TRACK_STATE_BYTES_MAX)
    throw new Error(`A track has ${state.length} bytes, of at most ${TRACK_STATE_BYTES_MAX}.`);
  const at = placeOf(memory, offset);
  memory.u32[(at + TRACK_NEXT_LENGTH) >> 2] = state.length;
  memory.u8.set(state, at + TRACK_NEXT);
}

/** What the next state will hold, as a copy; undefined where nothing was written. */
export function readNextTrack(memory: QueryMemory, offset: number): Uint8Array | undefined {
  const at = placeOf(memory, offset);
  const length = at === 0 ? 0 : memory.u32[(at + TRACK_NEXT_LENGTH) >> 2];
  return length === 0 ? undefined : memory.u8.slice(at + TRACK_NEXT, at + TRACK_NEXT + length);
}

/** Byte of the memory where the part begins; 0 where there is none. */
function placeOf({ u32 }: QueryMemory, offset: number): number {
  const from = u32[(offset + REQUEST_TRACK) >> 2];
  return from === 0 ? 0 : offset + from;
}
