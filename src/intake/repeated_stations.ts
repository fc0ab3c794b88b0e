// Removes repeated stations from a report. Scans repeat stations when clients gather for some seconds or see a cell
// through two interfaces. One reading is kept: the strongest, since it was taken nearest to the station; among equals
// the youngest.

import { FLAG_SERVING } from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import { ageAt, copyObservation, flagsAt, setFlags, signalAt } from '../radio/query/observation.ts';
import type { QueryWriter } from '../radio/query/writer.ts';
import { KEY_BYTES_MAX } from '../radio/station_key.ts';
import type { Tally } from './tally.ts';

/** Kind byte that marks an observation refused after it was written; no station has it. */
export const KIND_REFUSED = 0;

/**
 * Closes the gaps that refused observations leave, keeps each station once, and counts those kept and those repeated.
 * The order stays.
 * @returns the observations kept, in the same memory
 */
export function keepDistinct(writer: QueryWriter, tally: Tally): Uint8Array {
  const { memory, observations } = writer;
  const slots = new Int32Array(slotsFor(observations));
  let repeated = 0;
  let distinct = 0;
  for (let i = 0; i < observations; i++) {
    const at = writer.at(i);
    if (memory.u8[at] === KIND_REFUSED) continue;
    const slot = findSlot(memory, slots, at);
    const kept = slots[slot];
    if (kept === 0) {
      const next = writer.at(distinct++);
      if (next !== at) copyObservation(memory, next, at);
      slots[slot] = next;
    } else {
      repeated++;
      keepBetter(memory, kept, at);
    }
  }
  if (repeated > 0) tally.refuse('repeated', repeated);
  if (distinct > 0) tally.accept(distinct);
  return new Uint8Array(memory.buffer, writer.at(0), writer.at(distinct) - writer.at(0));
}

/** Power of two, at most half full. */
function slotsFor(observations: number): number {
  return 1 << (33 - Math.clz32(observations));
}

/**
 * Slot of the observation with the same key, or the free one where it belongs. A slot holds the offset of an
 * observation, 0 when free.
 */
function findSlot({ u32 }: QueryMemory, slots: Int32Array, at: number): number {
  const key = at >> 2;
  let hash = 0;
  for (let word = 0; word < KEY_BYTES_MAX / 4; word++) {
    hash = Math.imul(hash ^ u32[key + word], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  let slot = hash & (slots.length - 1);
  while (slots[slot] !== 0 && !isSameKey(u32, slots[slot] >> 2, key)) slot = (slot + 1) & (slots.length - 1);
  return slot;
}

function isSameKey(u32: Uint32Array, a: number, b: number): boolean {
  for (let word = 0; word < KEY_BYTES_MAX / 4; word++) if (u32[a + word] !== u32[b + word]) return false;
  return true;
}

/**
 * Keeps the better of two readings. Absent values lose, as an absent signal is the lowest number and an absent age the
 * highest. Serving in one is serving.
 */
function keepBetter(memory: QueryMemory, kept: number, other: number): void {
  const serving = (flagsAt(memory, kept) | flagsAt(memory, other)) & FLAG_SERVING;
  const stronger = signalAt(memory, other) - signalAt(memory, kept);
  const isYounger = ageAt(memory, other) < ageAt(memory, kept);
  if (stronger > 0 || (stronger === 0 && isYounger)) copyObservation(memory, kept, other);
  setFlags(memory, kept, serving);
}
