// Writes the observations of a body. Those of each kind of station have their own space while the body is scanned,
// since the lists may stand in any order.

import { BODY_BLUETOOTH, BODY_CELLS, BODY_COUNTS, BODY_WIFI, MAX_OBSERVATIONS } from '../memory';
import {
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_CHANNEL,
  OBSERVATION_FLAGS,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  OBSERVATION_TIMING,
} from '../observation_constants';

/** Numbers of written access points, beacons and cells. */
export let wifi: i32 = 0;
export let bluetooth: i32 = 0;
export let cells: i32 = 0;

/** Forgets all observations. */
export function clear(): void {
  wifi = 0;
  bluetooth = 0;
  cells = 0;
}

/** Forgets the cells. */
export function clearCells(): void {
  cells = 0;
}

/** Space for another access point; 0 if there is none. */
export function nextWifi(): i32 {
  return wifi === MAX_OBSERVATIONS ? 0 : BODY_WIFI + OBSERVATION_BYTES * wifi++;
}

/** Space for another beacon; 0 if there is none. */
export function nextBluetooth(): i32 {
  return bluetooth === MAX_OBSERVATIONS ? 0 : BODY_BLUETOOTH + OBSERVATION_BYTES * bluetooth++;
}

/** Space for another cell; 0 if there is none. */
export function nextCell(): i32 {
  return cells === MAX_OBSERVATIONS ? 0 : BODY_CELLS + OBSERVATION_BYTES * cells++;
}

/** Writes the key: three words in their order in memory. */
export function writeKey(at: i32, first: u64, second: u64, third: u64): void {
  store<u64>(at, first);
  store<u64>(at, second, 8);
  store<u64>(at, third, 16);
}

/** Writes all but the key; what is absent as src/radio/query/reader.ts says. */
export function writeValues(
  at: i32,
  signalDbm: i64,
  frequencyOrCode: i64,
  ageMs: i64,
  timing: i64,
  flags: i32,
  channel: i64,
): void {
  store<i16>(at, <i16>signalDbm, OBSERVATION_SIGNAL);
  store<u16>(at, <u16>frequencyOrCode, OBSERVATION_FREQUENCY);
  store<u32>(at, <u32>ageMs, OBSERVATION_AGE);
  store<i32>(at, <i32>timing, OBSERVATION_TIMING);
  store<u16>(at, <u16>flags, OBSERVATION_FLAGS);
  store<u16>(at, <u16>channel, OBSERVATION_CHANNEL);
}

/** Puts access points, beacons and cells behind each other, and writes how many there are of each. */
export function gather(): void {
  const beaconsEnd = BODY_WIFI + OBSERVATION_BYTES * (wifi + bluetooth);
  memory.copy(BODY_WIFI + OBSERVATION_BYTES * wifi, BODY_BLUETOOTH, OBSERVATION_BYTES * bluetooth);
  memory.copy(beaconsEnd, BODY_CELLS, OBSERVATION_BYTES * cells);
  store<i32>(BODY_COUNTS, wifi);
  store<i32>(BODY_COUNTS, bluetooth, 4);
  store<i32>(BODY_COUNTS, cells, 8);
}
