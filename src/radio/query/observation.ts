// Reads and writes one observation of a query, which begins at byte `at` with the key of its station (station_key.ts).

import { keyWithoutArea } from '../station_key.ts';
import {
  FLAG_INFERRED,
  FLAG_NO_AREA,
  OBSERVATION_ADDRESS,
  OBSERVATION_ADDRESS_HIGH,
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_CHANNEL,
  OBSERVATION_FLAGS,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
} from './layout.ts';
import type { QueryMemory } from './memory.ts';

/** dBm; SIGNAL_ABSENT if it was not sent. */
export function signalAt({ i16 }: QueryMemory, at: number): number {
  return i16[(at + OBSERVATION_SIGNAL) >> 1];
}

/** Frequency in MHz of an access point; 0 if it was not sent. */
export function frequencyAt({ u16 }: QueryMemory, at: number): number {
  return u16[(at + OBSERVATION_FREQUENCY) >> 1];
}

/** Scrambling code or physical cell id of a cell; CODE_ABSENT if it was not sent. */
export function codeAt({ u16 }: QueryMemory, at: number): number {
  return u16[(at + OBSERVATION_FREQUENCY) >> 1];
}

/** Milliseconds; AGE_ABSENT if it was not sent. */
export function ageAt({ u32 }: QueryMemory, at: number): number {
  return u32[(at + OBSERVATION_AGE) >> 2];
}

/** Timing advance in the unit of the radio type; -1 if it was not sent. */
export function timingAt({ i32 }: QueryMemory, at: number): number {
  return i32[(at + OBSERVATION_TIMING) >> 2];
}

/** Address of an iBeacon; ADDRESS_ABSENT if it was not sent. */
export function addressAt({ u16, u32 }: QueryMemory, at: number): number {
  return u16[(at + OBSERVATION_ADDRESS_HIGH) >> 1] * 2 ** 32 + u32[(at + OBSERVATION_ADDRESS) >> 2];
}

/** FLAG_* bits. */
export function flagsAt({ u16 }: QueryMemory, at: number): number {
  return u16[(at + OBSERVATION_FLAGS) >> 1];
}

/** Sets FLAG_* bits. */
export function setFlags({ u16 }: QueryMemory, at: number, flags: number): void {
  u16[(at + OBSERVATION_FLAGS) >> 1] |= flags;
}

/** Clears FLAG_* bits. */
export function clearFlags({ u16 }: QueryMemory, at: number, flags: number): void {
  u16[(at + OBSERVATION_FLAGS) >> 1] &= ~flags;
}

/**
 * Writes all but the key. Absent values are SIGNAL_ABSENT, 0 MHz or CODE_ABSENT, AGE_ABSENT, timing -1 and channel 0.
 */
export function writeValues(
  memory: QueryMemory,
  at: number,
  signalDbm: number,
  frequencyOrCode: number,
  ageMs: number,
  timing: number,
  flags: number,
  channel: number,
): void {
  memory.i16[(at + OBSERVATION_SIGNAL) >> 1] = signalDbm;
  memory.u16[(at + OBSERVATION_FREQUENCY) >> 1] = frequencyOrCode;
  memory.u32[(at + OBSERVATION_AGE) >> 2] = ageMs;
  memory.i32[(at + OBSERVATION_TIMING) >> 2] = timing;
  memory.u16[(at + OBSERVATION_FLAGS) >> 1] = flags;
  memory.u16[(at + OBSERVATION_CHANNEL) >> 1] = channel;
}

/** Completes the identity of a cell: writes its whole key, and takes it from what was inferred or missing. */
export function completeKey(memory: QueryMemory, at: number, key: Uint8Array): void {
  memory.u8.set(key, at);
  clearFlags(memory, at, FLAG_INFERRED | FLAG_NO_AREA);
}

/** Takes the area code from the identity of a cell. */
export function forgetArea(memory: QueryMemory, at: number): void {
  memory.u8.set(keyWithoutArea(memory.u8, at), at);
  setFlags(memory, at, FLAG_NO_AREA);
}

/** Copies an observation over another one. */
export function copyObservation({ u8 }: QueryMemory, to: number, from: number): void {
  u8.copyWithin(to, from, from + OBSERVATION_BYTES);
}
