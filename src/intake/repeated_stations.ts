// The same station twice in one report: scans repeat stations when clients gather for some seconds, or see a cell by two of their interfaces. One
// reading is kept: the strongest, since it was taken where the station was nearest, then the youngest.

import { FLAG_SERVING, OBSERVATION_AGE, OBSERVATION_BYTES, OBSERVATION_FLAGS, OBSERVATION_SIGNAL } from '../radio/query/layout.ts';
import type { QueryMemory } from '../radio/query/writer.ts';
import { KEY_BYTES_MAX } from '../radio/station_key.ts';
import type { Tally } from './tally.ts';

/** Kind byte of an observation that a rule has refused after it was written: no kind of station. */
export const KIND_REFUSED = 0;

/**
 * Moves the observations that were not refused together, in their order and no station twice, and counts what is left and what was repeated.
 * @param start of the first observation
 * @param end behind the last one
 * @returns what is left, in the same memory
 */
export function keepDistinct(memory: QueryMemory, start: number, end: number, tally: Tally): Uint8Array {
  const slots = new Int32Array(slotsFor((end - start) / OBSERVATION_BYTES));
  let repeated = 0;
  let next = start;
  for (let at = start; at < end; at += OBSERVATION_BYTES) {
    if (memory.u8[at] === KIND_REFUSED) continue;
    const slot = findSlot(memory, slots, at);
    const kept = slots[slot];
    if (kept === 0) {
      if (next !== at) memory.u8.copyWithin(next, at, at + OBSERVATION_BYTES);
      slots[slot] = next;
      next += OBSERVATION_BYTES;
    } else {
      repeated++;
      keepBetter(memory, kept, at);
    }
  }
  const observations = new Uint8Array(memory.buffer, start, next - start);
  if (repeated > 0) tally.refuse('repeated', repeated);
  if (next > start) tally.accept((next - start) / OBSERVATION_BYTES);
  return observations;
}

/** Power of two, at most half full. */
function slotsFor(observations: number): number {
  return 1 << (33 - Math.clz32(observations));
}

/** Slot of the observation with the same key, or the free one where it belongs. A slot holds the offset of an observation, 0 when free. */
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

/** Values that are absent lose by themselves: the signal's mark is the lowest number, the age's the highest. A cell that serves once is the serving one. */
function keepBetter({ u8, u16, i16, u32 }: QueryMemory, kept: number, other: number): void {
  const serving = (u16[(kept + OBSERVATION_FLAGS) >> 1] | u16[(other + OBSERVATION_FLAGS) >> 1]) & FLAG_SERVING;
  const stronger = i16[(other + OBSERVATION_SIGNAL) >> 1] - i16[(kept + OBSERVATION_SIGNAL) >> 1];
  const isYounger = u32[(other + OBSERVATION_AGE) >> 2] < u32[(kept + OBSERVATION_AGE) >> 2];
  if (stronger > 0 || (stronger === 0 && isYounger)) u8.copyWithin(kept, other, other + OBSERVATION_BYTES);
  u16[(kept + OBSERVATION_FLAGS) >> 1] |= serving;
}
